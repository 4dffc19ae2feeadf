/** How often the property tests run: `times` the number that each test names, from this seed. */
export interface Switch {
  readonly times: number;
  readonly seed: number;
}

const SHORT: Switch = { times: 1, seed: 20260131 };

/** What `npm run fuzz` sets in the environment; everything else is short and always the same. */
export const FUZZ_TIMES = 'A2A_GUARD_FUZZ_TIMES';
export const FUZZ_SEED = 'A2A_GUARD_FUZZ_SEED';

function numberOf(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`${name}: expected a whole number above 0, got "${text}"`);
}

const chosen: Switch = { times: numberOf(FUZZ_TIMES, SHORT.times), seed: numberOf(FUZZ_SEED, SHORT.seed) };

/** The run of one property: `count` values in a short run. */
export function runs(count: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: count * chosen.times, seed: chosen.seed };
}
