import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORDS = ['--expose-gc', '--import', 'tsx', 'soak/main.ts', '--short'];

interface Summary {
  readonly calls: number;
  readonly values: number;
  readonly tickets: number;
  readonly streamsAtOnce: number;
  readonly faults: readonly string[];
}

it('2,000 calls and 50 streams to an agent that breaks: each ends once, and nothing stays open', async () => {
  // A status other than 0 rejects, with what the soak wrote in the message.
  const { stdout } = await promisify(execFile)(process.execPath, WORDS, { cwd: ROOT });
  const summary = JSON.parse(stdout) as Summary;
  expect(summary).toMatchObject({ calls: 2050, faults: [] });
  expect(summary.values + summary.tickets).toBe(summary.calls);
  expect(summary.streamsAtOnce).toBeGreaterThan(40);
  expect(Math.min(summary.values, summary.tickets)).toBeGreaterThan(500);
}, 60_000);
