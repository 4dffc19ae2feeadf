/**
 * Measures what the guard costs. Every figure is a ratio within one run, the median of interleaved rounds.
 * `--short` runs quickly, `--json` prints JSON, `--write` puts the figures into README.md and docs/performance.md,
 * `--strict` exits 1 when a bar is missed, and names of groups run these alone. The built package is what is measured: `npm run build` first.
 */
import { parseArgs } from 'node:util';
import { benchCall } from './call.ts';
import { benchCard } from './card.ts';
import { benchJudge } from './judge.ts';
import { FULL, type Pace, type Row, SHORT } from './measure.ts';
import { benchScale } from './scale.ts';
import { benchStart } from './start.ts';
import { benchStream } from './stream.ts';
import { toTable } from './table.ts';
import { writePages } from './write.ts';

const GROUPS: Readonly<Record<string, (pace: Pace) => Promise<Row[]>>> = {
  judge: benchJudge,
  card: benchCard,
  call: benchCall,
  stream: benchStream,
  start: benchStart,
  scale: benchScale,
};

const { values: flags, positionals } = parseArgs({
  options: {
    short: { type: 'boolean' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    strict: { type: 'boolean' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0)
  throw new TypeError(`no group ${unknown.join(', ')}; there are ${Object.keys(GROUPS).join(', ')}`);

if (flags.write && (flags.short || positionals.length > 0))
  throw new TypeError('--write is for a full run of all groups');

const pace = flags.short ? SHORT : FULL;
const rows: Row[] = [];
for (const [name, bench] of Object.entries(GROUPS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!flags.json) console.error(`${name} ...`);
  rows.push(...(await bench(pace)));
}

console.log(flags.json ? JSON.stringify({ node: process.version, short: pace.isShort, rows }, null, 2) : toTable(rows));
if (flags.write) writePages(rows);
if (flags.strict && rows.some(({ ok }) => ok === false)) process.exitCode = 1;
