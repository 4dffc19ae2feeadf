/** The guard in front of the official SDK's client (`@a2a-js/sdk` 1.3 or later). */
import { AgentCard as SdkCard } from '@a2a-js/sdk';
import {
  type AgentCardResolver,
  type BeforeArgs,
  type CallInterceptor,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import { fromJsonRpcErrorResponse } from '@a2a-js/sdk/errors';
import type { OperationName } from './call/operations.ts';
import { migrateCard } from './card/migrate.ts';
import type { Agent } from './client/agent.ts';
import { errorBody } from './client/fetch-response.ts';
import { type GuardInternals, internalsOf } from './client/internals.ts';
import type { Guard } from './guard.ts';
import { GuardError } from './ticket.ts';
import type { Writing } from './traffic/dialect.ts';

/** Cards of SDK clients, and the agents that they were admitted as. */
type Admitted = WeakMap<object, Agent>;

/**
 * Options that make a guarded client: `new ClientFactory(guardedOptions(guard))`. Cards are judged, the interface is the
 * first in card order that the guard speaks, calls are admitted before they are sent and answers are judged before the
 * SDK reads them. `overrides` are merged as `ClientFactoryOptions.createFrom` does; transports of your own are asked for
 * only after the card was admitted, but what they send is seen by the guard only if they use `guard.fetch`.
 */
export function guardedOptions(guard: Guard, overrides: Partial<ClientFactoryOptions> = {}): ClientFactoryOptions {
  const internals = internalsOf(guard);
  const admitted: Admitted = new WeakMap();
  const merged = ClientFactoryOptions.createFrom(
    {
      transports: [
        new JsonRpcTransportFactory({ fetchImpl: guard.fetch }),
        new RestTransportFactory({ fetchImpl: guard.fetch }),
      ],
      cardResolver: guardedResolver(guard, internals, admitted),
      clientConfig: { interceptors: [guardedInterceptor(internals, admitted)] },
    },
    overrides,
  );
  return { ...merged, transports: merged.transports.map((factory) => guardedTransport(factory, internals, admitted)) };
}

/**
 * An SDK card that offers only the interface that was selected, so that the SDK cannot take another. A 0.x card has its
 * interfaces elsewhere and is handed on in the form of 1.0.
 */
function admitCard(agent: Agent, admitted: Admitted): SdkCard {
  const { url, binding, version, tenant, index } = agent.interface;
  const all = (agent.card as { supportedInterfaces?: readonly object[] }).supportedInterfaces;
  const chosen = all?.[index] ?? { url, protocolBinding: binding, protocolVersion: version, tenant };
  const source = all === undefined ? migrateCard({ ...agent.card }).card : agent.card;
  const card = SdkCard.fromJSON({ ...source, supportedInterfaces: [chosen] });
  admitted.set(card, agent);
  return card;
}

function guardedResolver(guard: Guard, { admit }: GuardInternals, admitted: Admitted): AgentCardResolver {
  return {
    /** A base URL keeps its path; `path` is taken relative to the base, and an empty one means that the URL is the card's. */
    async resolve(baseUrl, path) {
      const agent =
        path === undefined
          ? await guard.discover(baseUrl)
          : await guard.discover(path === '' ? baseUrl : new URL(path, baseUrl), { exact: true });
      return admitCard(agent, admitted);
    },
    normalizeAgentCard(card) {
      const sdkCard = new DefaultAgentCardResolver().normalizeAgentCard(card);
      return admitCard(admit(SdkCard.toJSON(sdkCard) as object), admitted);
    },
  };
}

/** A transport that is made only for a card that was admitted. */
function guardedTransport(factory: TransportFactory, { admit }: GuardInternals, admitted: Admitted): TransportFactory {
  return {
    protocolName: factory.protocolName,
    async create(url, card) {
      if (!admitted.has(card)) admitted.set(card, admit(SdkCard.toJSON(card) as object));
      return factory.create(url, card);
    },
  };
}

/** Calls of the SDK's client that the wire would not show: it answers an undeclared stream with a plain send. */
const OPERATION_OF: Readonly<Record<string, OperationName>> = {
  sendMessageStream: 'SendStreamingMessage',
  resubscribeTask: 'SubscribeToTask',
  deleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfig',
};

/** Credentials and extensions are seen at the wire only, with the headers. */
const FLAGS: ReadonlySet<string> = new Set(['capability-streaming', 'capability-push']);

function guardedInterceptor({ facts }: GuardInternals, admitted: Admitted): CallInterceptor {
  return {
    async before({ input, agentCard }: BeforeArgs) {
      const operation = OPERATION_OF[input?.method ?? ''];
      const agent = admitted.get(agentCard);
      if (operation === undefined || agent === undefined || facts.options.mode === 'observe') return;
      const { ticket, findings } = agent.admit(operation);
      if (ticket === undefined || !findings.some(({ id, severity }) => severity === 'error' && FLAGS.has(id))) return;
      facts.emit(ticket);
      const error = new GuardError(ticket);
      throw facts.options.refuse === 'throw' ? error : toSdkError(error);
    },
    async after({ result, agentCard }) {
      const agent = admitted.get(agentCard);
      if (result?.method === 'getAgentCard' && agent !== undefined) admitted.set(result.value, agent);
    },
  };
}

/** Errors of every binding have the same classes in the SDK, which reads them from a JSON-RPC error. */
const JSONRPC: Writing = { binding: 'JSONRPC', version: '1.0' };

/** The SDK's own error class for a refusal, with the GuardError as its cause. */
function toSdkError(error: GuardError): Error {
  const sdkError = fromJsonRpcErrorResponse(errorBody(error.ticket, JSONRPC, '') as never);
  Object.defineProperty(sdkError, 'cause', { value: error, configurable: true });
  return sdkError;
}
