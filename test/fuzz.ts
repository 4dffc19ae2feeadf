/**
 * The property tests, long: `npm run fuzz -- [times] [seed]`. Each property runs `times` as often as in the short run,
 * from a fresh seed, which is printed so that a failure can be had again.
 */
import { startVitest } from 'vitest/node';
import { FUZZ_SEED, FUZZ_TIMES } from './support/runs.ts';

const FILES = ['properties', 'check-pointer-properties', 'schemas-card', 'legacy', 'card-checks/hostile'];
/** Milliseconds that one test may take. */
const PATIENCE = 3_600_000;

const [times = '30', seed = String(1 + Math.floor(Math.random() * 2_147_483_646))] = process.argv.slice(2);
console.log(`${times} times the short run, seed ${seed}. Again with: npm run fuzz -- ${times} ${seed}`);

const env = { [FUZZ_TIMES]: times, [FUZZ_SEED]: seed };
const vitest = await startVitest(
  'test',
  FILES.map((file) => `test/${file}`),
  { watch: false, testTimeout: PATIENCE, env },
);
await vitest.close();
