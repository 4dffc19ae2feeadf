import type { Operation } from '../call/operations.ts';
import { isObject } from '../schema/scalars.ts';
import { withoutSecrets } from '../schema/url.ts';
import type { Ticket } from '../ticket.ts';
import type { AgentContext } from './context.ts';

/** Characters of an id that a ticket carries at most; ids come from the wire. */
const MAX_ID = 128;

/** Which agent and interface a ticket is about. */
export function agentFacts(context: AgentContext): Pick<Ticket, 'agent' | 'interface'> {
  const { name, version, sha256 } = context.report.card ?? { name: '', version: '', sha256: '' };
  const { url, binding, version: spoken, tenant } = context.interface;
  return {
    agent: {
      name: name.slice(0, MAX_ID),
      version: version.slice(0, MAX_ID),
      ...(context.cardUrl !== undefined && { cardUrl: context.cardUrl }),
      cardSha256: sha256,
    },
    interface: {
      url: withoutSecrets(url),
      binding,
      version: spoken,
      ...(tenant !== undefined && { tenant: tenant.slice(0, MAX_ID) }),
    },
  };
}

type Ids = Pick<Ticket, 'operation' | 'taskId' | 'contextId' | 'messageId'>;

function idOf(value: unknown, name: string): string | undefined {
  const id = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof id === 'string' && id !== '' ? id.slice(0, MAX_ID) : undefined;
}

function pick(ids: Readonly<Record<string, string | undefined>>): Ids {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
}

/** The ids that a request names. */
export function requestFacts(operation: Operation, params: unknown): Ids {
  const message = isObject(params) ? params.message : undefined;
  const ofTask =
    operation.name === 'GetTask' || operation.name === 'CancelTask' || operation.name === 'SubscribeToTask';
  return pick({
    operation: operation.name,
    taskId: idOf(message, 'taskId') ?? idOf(params, ofTask ? 'id' : 'taskId'),
    contextId: idOf(message, 'contextId'),
    messageId: idOf(message, 'messageId'),
  });
}

/** The ids that an answer or event names; they are news where the request named none. */
export function answerFacts(result: unknown): Ids {
  if (!isObject(result)) return {};
  const holder =
    ['task', 'message', 'statusUpdate', 'artifactUpdate'].map((name) => result[name]).find(isObject) ?? result;
  const isTask = Object.hasOwn(holder, 'status') && !Object.hasOwn(holder, 'taskId');
  return pick({ taskId: idOf(holder, isTask ? 'id' : 'taskId'), contextId: idOf(holder, 'contextId') });
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace id of a `traceparent` header (W3C Trace Context). */
export function traceIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return TRACEPARENT.exec(headers.traceparent ?? '')?.[1];
}
