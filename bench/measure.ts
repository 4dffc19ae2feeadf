/** One side of a comparison. What it returns is waited for, if it is a promise. */
export type Run = () => unknown;

/** How long a comparison takes. Short is for keeping the benchmark alive, not for reading its figures. */
export interface Pace {
  readonly isShort: boolean;
  readonly rounds: number;
  /** How long one side runs in one round. */
  readonly roundMs: number;
  /** How long one side runs before the first round, so that it is compiled by then. */
  readonly warmUpMs: number;
}

export const FULL: Pace = { isShort: false, rounds: 31, roundMs: 20, warmUpMs: 1000 };
export const SHORT: Pace = { isShort: true, rounds: 3, roundMs: 2, warmUpMs: 2 };

/** A goal, printed beside the figure that it is for. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** One line of the result. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly figure: number;
  /** Two things of one run over each other, or a size where there is nothing to compare it with. */
  readonly unit: 'ratio' | 'MB' | 'KB';
  readonly bar?: Bar;
  /** Whether the figure keeps to its bar; absent where there is none. */
  readonly ok?: boolean;
}

export function toRow(group: string, name: string, figure: number, bar?: Bar, unit: Row['unit'] = 'ratio'): Row {
  if (bar === undefined) return { group, name, figure, unit };
  return { group, name, figure, unit, bar, ok: 'atMost' in bar ? figure <= bar.atMost : figure >= bar.atLeast };
}

async function lap(run: Run, times: number): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < times; i += 1) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - startedAt) / times;
}

/** Runs one side until it is warm, and says how often it runs in one round. */
async function warmUp(run: Run, { roundMs, warmUpMs }: Pace): Promise<number> {
  const endAt = performance.now() + warmUpMs;
  let times = 1;
  for (;;) {
    const perRun = await lap(run, times);
    const fitting = Math.max(1, Math.round(roundMs / Math.max(perRun, 1e-6)));
    if (performance.now() >= endAt) return fitting;
    times = Math.min(fitting, times * 4);
  }
}

/** Milliseconds per run, one for each round. */
export type Laps<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Runs all sides in turn, round after round, so that what disturbs one disturbs all; the order turns with each round,
 * so that none is always after the same other one.
 */
export async function race<Name extends string>(sides: Readonly<Record<Name, Run>>, pace: Pace): Promise<Laps<Name>> {
  const names = Object.keys(sides) as Name[];
  const times = new Map<Name, number>();
  for (const name of names) times.set(name, await warmUp(sides[name], pace));
  const laps = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < pace.rounds; round += 1) {
    const turn = round % 2 === 0 ? names : [...names].reverse();
    for (const name of turn) laps[name].push(await lap(sides[name], times.get(name) ?? 1));
  }
  return laps;
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** One side over another: the median of the ratios within each round. */
export function ratio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((time, round) => time / (under[round] ?? Number.NaN)));
}
