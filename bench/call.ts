import { type GetTaskRequest, AgentCard as SdkCard } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  type Client as SdkClient,
} from '@a2a-js/sdk/client';
import { Agent, request } from 'undici';
import { createGuard, type Guard } from '../dist/index.js';
import { startAgent } from './local-agent.ts';
import { type Bar, type Pace, type Row, type Run, race, ratio, toRow } from './measure.ts';
import { makeOpenCard, TASKS } from './payloads.ts';

interface Bars {
  readonly overUndici: Bar;
  readonly overSdk: Bar;
}

const BARS: Readonly<Record<string, Bars>> = {
  '0.6 KB': { overUndici: { atMost: 1.15 }, overSdk: { atMost: 0.75 } },
  '35 KB': { overUndici: { atMost: 1.1 }, overSdk: { atMost: 0.85 } },
  '650 KB': { overUndici: { atMost: 1.1 }, overSdk: { atMost: 0.9 } },
};

const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'a2a-version': '1.0',
  'content-type': 'application/json',
};

/** What anyone would write without a client: undici and JSON.parse. */
function bareCall(url: string, dispatcher: Agent): Run {
  let id = 0;
  return async () => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'GetTask', params: { id: 't-1' } });
    const answer = await request(url, { method: 'POST', headers: HEADERS, body, dispatcher });
    return JSON.parse(await answer.body.text());
  };
}

async function sdkClient(url: string, fetchImpl: typeof fetch): Promise<SdkClient> {
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }));
  return factory.createFromAgentCard(SdkCard.fromJSON(makeOpenCard(url)));
}

const ASKED: GetTaskRequest = { tenant: '', id: 't-1', historyLength: undefined };

async function benchSize(size: string, origin: string, guard: Guard, pace: Pace): Promise<Row[]> {
  const url = `${origin}/task/${encodeURIComponent(size)}`;
  const dispatcher = new Agent();
  const agent = await guard.agent(makeOpenCard(url));
  const plain = await sdkClient(url, fetch);
  const guarded = await sdkClient(url, guard.fetch as typeof fetch);
  const laps = await race(
    {
      bare: bareCall(url, dispatcher),
      ours: () => agent.getTask({ id: 't-1' }),
      sdk: () => plain.getTask(ASKED),
      guardedSdk: () => guarded.getTask(ASKED),
    },
    pace,
  );
  await dispatcher.close();
  const bars = BARS[size];
  return [
    toRow('call', `${size}: guarded / undici and JSON.parse`, ratio(laps.ours, laps.bare), bars?.overUndici),
    toRow('call', `${size}: guarded / the SDK's client`, ratio(laps.ours, laps.sdk), bars?.overSdk),
    toRow('call', `${size}: the SDK over guard.fetch / the SDK`, ratio(laps.guardedSdk, laps.sdk), { atMost: 1.25 }),
  ];
}

/** What a guarded unary call costs beside one that nobody guards, to the same agent on this machine. */
export async function benchCall(pace: Pace): Promise<Row[]> {
  const { origin, close } = await startAgent();
  const guard = createGuard({ network: { allowLoopback: true } });
  try {
    const rows: Row[] = [];
    for (const size of Object.keys(TASKS)) rows.push(...(await benchSize(size, origin, guard, pace)));
    return rows;
  } finally {
    await guard.close();
    await close();
  }
}
