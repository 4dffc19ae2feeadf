/**
 * Load and faults: `npm run soak`, or with `--short` a few seconds of it. Guarded calls and streams go to an agent that
 * breaks in every way. Prints a summary as JSON, and exits with 1 and a sentence for each thing that does not hold.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { createGuard } from 'a2a-guard';
import { RESPONSE_BYTES } from './behaviours.ts';
import { heapFaults, heapInUse, leftAfter, openResources, resourceFaults } from './health.ts';
import { type Load, makeCalls, openStreams, type Times } from './load.ts';
import { createTally } from './tally.ts';

const short = process.argv.includes('--short');
const SIZE = short ? { calls: 2_000, streams: 50 } : { calls: 100_000, streams: 1_000 };
const TIMES: Times = short ? { callMs: 1_000, streamMs: 8_000 } : { callMs: 500, streamMs: 20_000 };
/** The part of the streams that have to be open at the same time; some are unlucky. */
const AT_ONCE = 0.9;
/** The part of the calls before the first look at the heap, and the one after the streams. */
const WARM_UP = 0.2;

async function startAgent(): Promise<{ agent: ChildProcess; port: number }> {
  const agent = fork(new URL('agent.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(agent, 'message')) as [number];
  return { agent, port };
}

const cardAt = (url: string): object => ({
  name: 'Crooked Desk',
  description: 'Answers well, and in every other way.',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'ask', name: 'Ask', description: 'Answers.', tags: ['soak'] }],
});

// A source map is decoded when the first stack is read, and stays: megabytes that are not the guard's.
process.setSourceMapsEnabled(false);

const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const startedAt = performance.now();
const { agent: server, port } = await startAgent();
const before = openResources();
const tally = createTally();
const guard = createGuard({
  network: { allowLoopback: true },
  onTicket: tally.report,
  limits: {
    responseBytes: RESPONSE_BYTES,
    totalMs: TIMES.callMs,
    headersMs: TIMES.streamMs,
    idleMs: 1_000,
    afterTerminalMs: 300,
  },
});
const agent = await guard.agent(cardAt(`http://127.0.0.1:${port}/rpc`));
const stop = new AbortController();
const load: Load = { agent, tally, times: TIMES, signal: stop.signal };
const [warm, cool] = [SIZE.calls * WARM_UP, SIZE.calls * (1 - WARM_UP)];

await makeCalls(load, 0, warm);
const early = await heapInUse();
const [peak] = await Promise.all([
  openStreams(load, SIZE.streams, () => server.send('go')),
  makeCalls(load, warm, cool),
]);
await makeCalls(load, cool, SIZE.calls);
const late = await heapInUse();
const seconds = Math.round(performance.now() - startedAt) / 1000;

const listeners = getEventListeners(stop.signal, 'abort').length;
await guard.close();
// The agent still runs: it is not the agent that closes what is open.
const left = await leftAfter(3_000, async () => {
  server.send('connections');
  const [connections] = (await once(server, 'message')) as [number];
  return [...resourceFaults(before), ...(connections === 0 ? [] : [`The agent has ${connections} connections left.`])];
});
server.disconnect();
await once(server, 'exit');

const faults = [
  ...tally.faults(),
  ...(tally.counts.calls === SIZE.calls + SIZE.streams ? [] : [`${tally.counts.calls} calls were made.`]),
  ...(peak >= SIZE.streams * AT_ONCE ? [] : [`Only ${peak} of ${SIZE.streams} streams were open at once.`]),
  ...heapFaults(early, late),
  ...left,
  ...(listeners === 0 ? [] : [`${listeners} listeners are left on the signal of the caller.`]),
  ...warnings,
];
const rate = Math.round(tally.counts.calls / seconds);
console.log(JSON.stringify({ ...tally.counts, streamsAtOnce: peak, seconds, rate, heapMB: { early, late }, faults }));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
