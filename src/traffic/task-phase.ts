import { isObject } from '../schema/scalars.ts';

/** Where a task is in its life (§4.1.3). Only `succeeded` is success; `interrupted` waits for the caller. */
export type TaskPhase = 'active' | 'interrupted' | 'succeeded' | 'failed' | 'canceled' | 'rejected' | 'unknown';

const PHASES: ReadonlyMap<string, TaskPhase> = new Map([
  ['submitted', 'active'],
  ['working', 'active'],
  ['input-required', 'interrupted'],
  ['auth-required', 'interrupted'],
  ['completed', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['rejected', 'rejected'],
  ['TASK_STATE_SUBMITTED', 'active'],
  ['TASK_STATE_WORKING', 'active'],
  ['TASK_STATE_INPUT_REQUIRED', 'interrupted'],
  ['TASK_STATE_AUTH_REQUIRED', 'interrupted'],
  ['TASK_STATE_COMPLETED', 'succeeded'],
  ['TASK_STATE_FAILED', 'failed'],
  ['TASK_STATE_CANCELED', 'canceled'],
  ['TASK_STATE_REJECTED', 'rejected'],
]);

/** The phase of a task, of its status, or of a state by name, in either version. `unknown` for everything else. */
export function taskPhase(task: unknown): TaskPhase {
  const status = isObject(task) && isObject(task.status) ? task.status : task;
  const state = isObject(status) ? status.state : status;
  return typeof state === 'string' ? (PHASES.get(state) ?? 'unknown') : 'unknown';
}

const ENDED: ReadonlySet<TaskPhase> = new Set(['succeeded', 'failed', 'canceled', 'rejected']);

/** Whether nothing comes after a state, in either version. */
export function isTerminal(state: string | undefined): boolean {
  return ENDED.has(taskPhase(state));
}
