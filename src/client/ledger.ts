import { LRUCache } from 'lru-cache';
import type { Fault } from '../ticket.ts';
import { checkSight, type KnownTask, tasksIn, updateKnown } from '../traffic/continuity.ts';

/** The tasks that one agent has shown, by id. Bounded: the least recently seen are forgotten. */
export interface Ledger {
  find(taskId: string): KnownTask | undefined;
  /** Judges the tasks in an answer against what was known when it was asked for. */
  check(result: unknown, askedAt: number): readonly Fault[];
  /** Remembers the tasks in an answer that was accepted. */
  record(result: unknown): void;
  /** True the first time that the failure of a task is to be reported. */
  isNews(taskId: string | undefined): boolean;
}

/** Tasks per agent that are remembered. */
const MAX_TASKS = 10_000;

/** With `max` the cache would take the memory of all tasks at once, for every agent. */
const BOUNDS = { maxSize: MAX_TASKS, sizeCalculation: () => 1 } as const;

const NOTHING: readonly Fault[] = [];

export function createLedger(): Ledger {
  const tasks = new LRUCache<string, KnownTask>(BOUNDS);
  const reported = new LRUCache<string, true>(BOUNDS);
  return {
    find: (taskId) => tasks.get(taskId),
    check(result, askedAt) {
      const sights = tasksIn(result);
      if (sights.length === 0) return NOTHING;
      return sights.flatMap((sight) => checkSight(sight, tasks.get(sight.id), askedAt));
    },
    record(result) {
      const sights = tasksIn(result);
      if (sights.length === 0) return;
      const now = performance.now();
      for (const sight of sights) {
        const known = updateKnown(tasks.get(sight.id), sight, now);
        if (known !== undefined) tasks.set(sight.id, known);
      }
    },
    isNews(taskId) {
      if (taskId === undefined || reported.has(taskId)) return taskId === undefined;
      reported.set(taskId, true);
      return true;
    },
  };
}
