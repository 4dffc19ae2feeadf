import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startAgent } from './local-agent.ts';
import { type Pace, type Row, race, ratio, toRow } from './measure.ts';
import { EVENT } from './payloads.ts';
import { meetStream, readBare, readGuarded } from './stream-reader.ts';

const MB = 1024 * 1024;

async function memoryGrowth(url: string): Promise<number> {
  const child = fork(fileURLToPath(new URL('stream-memory.ts', import.meta.url)), [url]);
  const [growth] = (await once(child, 'message')) as [number];
  return growth;
}

/** What a guarded stream costs beside one that is only parsed, and what a long one holds in memory. */
export async function benchStream(pace: Pace): Promise<Row[]> {
  const { origin, close } = await startAgent();
  try {
    const events = pace.isShort ? 200 : 5000;
    const url = `${origin}/stream/${events}`;
    const agent = await meetStream(url);
    for (const read of [await readGuarded(agent), await readBare(url)])
      if (read !== events + 3) throw new Error(`${read} events came`);
    const laps = await race({ bare: () => readBare(url), guarded: () => readGuarded(agent) }, pace);
    const megabytes = pace.isShort ? 8 : 200;
    const long = Math.round((megabytes * MB) / JSON.stringify(EVENT).length);
    const growth = await memoryGrowth(`${origin}/stream/${long}`);
    return [
      toRow('stream', 'events a second: guarded / eventsource-parser and JSON.parse', ratio(laps.bare, laps.guarded), {
        atLeast: 0.85,
      }),
      toRow('stream', `memory growth over ${megabytes} MB`, Math.max(growth / MB, 0.001), { atMost: 32 }, 'MB'),
    ];
  } finally {
    await close();
  }
}
