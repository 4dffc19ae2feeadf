import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Row } from '../bench/measure.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GROUPS = ['judge', 'card', 'call', 'stream', 'start', 'scale'];

/** What is measured is not judged here: a machine that is busy must fail no test. */
it('the benchmark runs, and gives a figure for every row of every group', { timeout: 180_000 }, async () => {
  const flags = ['--import', 'tsx', 'bench/main.ts', '--short', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: ROOT });
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly Row[] };
  expect([...new Set(rows.map(({ group }) => group))]).toEqual(GROUPS);
  for (const { name, figure } of rows) {
    expect(figure, name).toBeGreaterThan(0);
    expect(Number.isFinite(figure), name).toBe(true);
  }
});
