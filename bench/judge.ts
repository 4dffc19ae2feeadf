import { isClean } from '../src/traffic/payload.ts';
import { CONTENDERS } from './contenders.ts';
import { type Bar, type Pace, type Row, race, ratio, toRow } from './measure.ts';
import { EVENT, makeMessage, TASKS } from './payloads.ts';

interface Case {
  readonly name: string;
  readonly definition: keyof typeof CONTENDERS;
  readonly value: object;
  /** The fused validator over JSON.parse. */
  readonly bar?: Bar;
}

const BARS: Readonly<Record<string, Bar>> = {
  '0.6 KB': { atMost: 0.25 },
  '35 KB': { atMost: 0.08 },
  '650 KB': { atMost: 0.08 },
};

const CASES: readonly Case[] = [
  ...Object.entries(TASKS).map(([size, value]): Case => {
    const bar = BARS[size];
    return { name: `Task of ${size}`, definition: 'Task', value, ...(bar !== undefined && { bar }) };
  }),
  { name: 'StreamResponse', definition: 'StreamResponse', value: EVENT },
  { name: 'Message', definition: 'Message', value: makeMessage() },
];

const DEPTH = 63;

/** What judging a clean value costs beside parsing the text that it came in, and beside what others do. */
export async function benchJudge(pace: Pace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, definition, value, bar } of CASES) {
    const text = JSON.stringify(value);
    const { ajv, zod, sdk } = CONTENDERS[definition];
    const fused = (): boolean => isClean('1.0', definition, value, DEPTH);
    for (const judge of [fused, ajv, zod]) if (judge(value) !== true) throw new Error(`${name} is not clean`);
    const laps = await race(
      { parse: () => JSON.parse(text), fused, ajv: () => ajv(value), zod: () => zod(value), sdk: () => sdk(value) },
      pace,
    );
    rows.push(
      toRow('judge', `${name}: fused / JSON.parse`, ratio(laps.fused, laps.parse), bar),
      toRow('judge', `${name}: Ajv / fused`, ratio(laps.ajv, laps.fused), { atLeast: 4 }),
      toRow('judge', `${name}: zod / fused`, ratio(laps.zod, laps.fused)),
      toRow('judge', `${name}: fromJSON of the SDK / fused`, ratio(laps.sdk, laps.fused)),
    );
  }
  return rows;
}
