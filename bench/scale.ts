import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Agent, createGuard, type Guard } from '../dist/index.js';
import { startAgent } from './local-agent.ts';
import { type Bar, type Pace, type Row, type Run, race, ratio, toRow } from './measure.ts';
import { CARD_URL, makeOpenCard } from './payloads.ts';

const FLAT: Bar = { atMost: 1.2 };
const KNOWN = [1, 10, 100, 1000];
const IN_FLIGHT = [1, 64, 512];
const SIZE = encodeURIComponent('0.6 KB');

interface Fleet {
  readonly guard: Guard;
  readonly agents: readonly Agent[];
  readonly urls: readonly string[];
}

/** A guard that knows this many agents at once, each at a URL of its own. */
async function meetFleet(origin: string, size: number): Promise<Fleet> {
  const guard = createGuard({ network: { allowLoopback: true, allowPrivate: true } });
  const urls = Array.from({ length: size }, (_, at) => `${origin}/task/${SIZE}/${at}`);
  const agents: Agent[] = [];
  for (const [at, url] of urls.entries()) {
    agents.push(await guard.agent(makeOpenCard(url), { cardUrl: CARD_URL.replace('//', `//agent-${at}.`) }));
  }
  return { guard, agents, urls };
}

/** Calls one agent after the other. */
function callInTurn({ agents }: Fleet): Run {
  let turn = 0;
  return () => agents[turn++ % agents.length]?.getTask({ id: 't-1' });
}

/** The same calls of a client of others, which `guard.fetch` has to recognise. */
function fetchInTurn({ guard, urls }: Fleet): Run {
  let turn = 0;
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't-1' } });
  return async () => {
    const answer = await guard.fetch(urls[turn++ % urls.length] ?? '', { method: 'POST', headers, body });
    return answer.json();
  };
}

/** Calls as many as are given at once, and waits for all. */
function callAtOnce({ agents: [agent] }: Fleet, inFlight: number): Run {
  return () => Promise.all(Array.from({ length: inFlight }, () => agent?.getTask({ id: 't-1' })));
}

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

async function memoryPerAgent(origin: string, size: number): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const fleet = await meetFleet(origin, size);
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  await fleet.guard.close();
  return grown / fleet.agents.length;
}

async function racePerCall(sides: Readonly<Record<string, Run>>, pace: Pace, callsOf = (_name: string) => 1) {
  const laps = await race(sides, pace);
  return (name: string): readonly number[] => (laps[name] ?? []).map((time) => time / callsOf(name));
}

/** Whether a call costs the same however many agents are known and however many calls are in flight. */
export async function benchScale(pace: Pace): Promise<Row[]> {
  const { origin, close } = await startAgent();
  const fleets: Fleet[] = [];
  try {
    const known = pace.isShort ? KNOWN.slice(0, 3) : KNOWN;
    const bytes = await memoryPerAgent(origin, known.at(-1) ?? 1);
    for (const size of known) fleets.push(await meetFleet(origin, size));
    const sidesOf = (toRun: (fleet: Fleet) => Run) =>
      Object.fromEntries(fleets.map((fleet) => [String(fleet.agents.length), toRun(fleet)]));
    const called = await racePerCall(sidesOf(callInTurn), pace);
    const fetched = await racePerCall(sidesOf(fetchInTurn), pace);
    const alone = fleets[0] as Fleet;
    const atOnce = await racePerCall(
      Object.fromEntries(IN_FLIGHT.map((count) => [String(count), callAtOnce(alone, count)])),
      pace,
      Number,
    );
    const over = (per: (name: string) => readonly number[], count: number): number =>
      ratio(per(String(count)), per('1'));
    return [
      ...known.slice(1).map((count) => toRow('scale', `a call: ${count} agents known / 1`, over(called, count), FLAT)),
      ...known
        .slice(1)
        .map((count) => toRow('scale', `guard.fetch: ${count} agents known / 1`, over(fetched, count), FLAT)),
      ...IN_FLIGHT.slice(1).map((count) => toRow('scale', `a call: ${count} in flight / 1`, over(atOnce, count), FLAT)),
      toRow('scale', 'memory for one known agent', bytes / 1024, undefined, 'KB'),
    ];
  } finally {
    for (const { guard } of fleets) await guard.close();
    await close();
  }
}
