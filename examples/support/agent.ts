import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_CARD_PATH, AgentCard as SdkCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { AgentCard } from 'a2a-guard';
import express from 'express';
import { createCourier } from './courier.ts';

/** Members that replace those of the sample card. A member that is undefined is left out. */
export type CardChanges = { readonly [Name in keyof AgentCard]?: AgentCard[Name] | undefined };

export interface AgentOptions {
  /** Changes to the card; a function is given the URL of the JSON-RPC endpoint. Default: none. */
  readonly card?: CardChanges | ((url: string) => CardChanges);
  /** Changes that make the extended card. Without it the agent has none configured. */
  readonly extendedCard?: CardChanges;
  /** Answers 0.3 calls as well. Default: false. */
  readonly speaksOld?: boolean;
  /** What is served for the card, in place of what the SDK makes of it. */
  readonly serveCard?: (card: SdkCard) => unknown;
}

export interface SeenCall {
  /** The JSON-RPC method, or HTTP method and path of a call over HTTP+JSON. */
  readonly method: unknown;
  readonly params: unknown;
  readonly headers: IncomingHttpHeaders;
}

export interface SampleAgent {
  /** Where the card is discovered, such as `http://127.0.0.1:41241`. */
  readonly origin: string;
  /** The JSON-RPC endpoint that the card names. */
  readonly url: string;
  /** The base of the HTTP+JSON binding; the sample card does not name it. */
  readonly restUrl: string;
  /** Every call that arrived, in order; fetches of the card are not among them. */
  readonly requests: readonly SeenCall[];
  close(): Promise<void>;
}

/** The card of the sample agent, as it is on the wire. */
export function sampleCard(url: string): AgentCard {
  return {
    name: 'Parcel Desk',
    description: 'Answers questions about parcels and books pick-ups for a small courier.',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    version: '2.3.0',
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      { id: 'track', name: 'Track a parcel', description: 'Tells where a parcel is right now.', tags: ['parcel'] },
    ],
  };
}

/** Starts an agent of the official SDK on a free port of this machine. */
export async function startAgent({
  card = {},
  extendedCard,
  speaksOld = false,
  serveCard,
}: AgentOptions = {}): Promise<SampleAgent> {
  const app = express();
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/a2a`;
  const wire = { ...sampleCard(url), ...(typeof card === 'function' ? card(url) : card) };
  const courier = createCourier();
  const requestHandler = new DefaultRequestHandler(
    SdkCard.fromJSON(wire),
    new InMemoryTaskStore(),
    courier,
    undefined,
    new InMemoryPushNotificationStore(),
    { send: async () => {} },
    extendedCard && (async () => SdkCard.fromJSON({ ...wire, ...extendedCard })),
  );
  const requests: SeenCall[] = [];
  const served = async (): Promise<SdkCard> => {
    const own = await requestHandler.getAgentCard();
    return serveCard === undefined ? own : (serveCard(own) as SdkCard);
  };
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: served }));
  app.use('/a2a', express.json(), ({ body, headers }, _response, next) => {
    requests.push({ method: body?.method, params: body?.params, headers });
    next();
  });
  const legacyCompat = { enabled: speaksOld };
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  app.use('/rest', ({ method, path, headers }, _response, next) => {
    requests.push({ method: `${method} ${path}`, params: undefined, headers });
    next();
  });
  app.use('/rest', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  return {
    origin,
    url,
    restUrl: `${origin}/rest`,
    requests,
    async close(): Promise<void> {
      courier.stop();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
