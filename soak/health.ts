import { setTimeout as sleep } from 'node:timers/promises';

const MEGABYTE = 1024 * 1024;
/** How the heap may grow between the two checkpoints: what is remembered is bounded, and the rest is noise. */
const GROWTH = { times: 1.3, megabytes: 12 };

/** Megabytes in use after all garbage was collected. */
export async function heapInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await sleep(50);
  }
  return Math.round((process.memoryUsage().heapUsed / MEGABYTE) * 10) / 10;
}

export function heapFaults(early: number, late: number): string[] {
  if (late <= early * GROWTH.times + GROWTH.megabytes) return [];
  return [`The heap grew from ${early} to ${late} MB.`];
}

/** What keeps the process alive, by kind. */
export function openResources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Asks until nothing is left, or `patienceMs` have passed; returns what is left then. */
export async function leftAfter(patienceMs: number, look: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + patienceMs;
  for (;;) {
    // The timer of this wait is over by the time that it counts.
    await sleep(50);
    const left = await look();
    if (left.length === 0 || Date.now() > until) return left;
  }
}

/** Kinds of resources of which there are more than before. */
export function resourceFaults(before: Readonly<Record<string, number>>): string[] {
  return Object.entries(openResources())
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${count - (before[kind] ?? 0)} ${kind} left open.`);
}
