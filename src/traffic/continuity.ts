import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { isTerminal } from './task-phase.ts';

/** What is known of a task from what the agent said before. */
export interface KnownTask {
  readonly contextId: string | undefined;
  readonly state: string;
  /** When this state was first seen, on the clock of `performance.now()`. */
  readonly since: number;
}

/** Looks a task up by its id. */
export type TaskMemory = (taskId: string) => KnownTask | undefined;

/** A task as one answer or event shows it. */
export interface TaskSight {
  readonly id: string;
  readonly contextId: string | undefined;
  readonly state: string | undefined;
  readonly path: string;
}

const text = (value: unknown, name: string): string | undefined => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
};

/** A message to, or a subscription of, a task that has ended is refused here; so is a known task in another context (§3.4). */
export function checkKnownTask(operation: string, params: unknown, memory: TaskMemory): Fault[] {
  const subscribes = operation === 'SubscribeToTask';
  const message = isObject(params) ? params.message : undefined;
  const taskId = subscribes ? text(params, 'id') : text(message, 'taskId');
  const known = taskId === undefined ? undefined : memory(taskId);
  if (known === undefined) return [];
  const path = subscribes ? '/id' : '/message/taskId';
  if (isTerminal(known.state)) {
    const what = subscribes ? 'The task to subscribe to' : 'The task that the message names';
    return [
      { id: 'task-terminal', path, message: `${what} has ended; nothing more will come of it. Start a new task.` },
    ];
  }
  const contextId = text(message, 'contextId');
  if (contextId === undefined || known.contextId === undefined || contextId === known.contextId) return [];
  const problem = 'message/contextId is not the context of the task that the message names.';
  return [{ id: 'context-continuity', path: '/message/contextId', message: problem }];
}

/** The tasks that an answer or event shows, each with its state if it says one. */
export function tasksIn(result: unknown): readonly TaskSight[] {
  if (!isObject(result)) return NO_SIGHTS;
  if (isObject(result.task)) return sightOf(result.task, '/task', 'id');
  if (isObject(result.statusUpdate)) return sightOf(result.statusUpdate, '/statusUpdate', 'taskId');
  if (Array.isArray(result.tasks)) return result.tasks.flatMap((task, index) => sightOf(task, `/tasks/${index}`, 'id'));
  return isObject(result.status) ? sightOf(result, '', 'id') : NO_SIGHTS;
}

const NO_SIGHTS: readonly TaskSight[] = [];

function sightOf(value: unknown, path: string, idName: string): readonly TaskSight[] {
  const id = text(value, idName);
  if (id === undefined || !isObject(value)) return NO_SIGHTS;
  return [{ id, contextId: text(value, 'contextId'), state: text(value.status, 'state'), path }];
}

/**
 * Judges a task against what was known of it when the request was sent: a terminal state stays, and so does the context.
 * What was learned while the answer was on its way is no fault of the answer.
 */
export function checkSight(
  { contextId, state, path }: TaskSight,
  known: KnownTask | undefined,
  askedAt: number,
): Fault[] {
  if (known === undefined) return [];
  const faults: Fault[] = [];
  if (isTerminal(known.state) && known.since <= askedAt && state !== undefined && state !== known.state) {
    const place = `${path}/status/state`;
    faults.push({
      id: 'task-terminal',
      path: place,
      message: `${place.slice(1)} leaves a terminal state that was seen before; nothing does.`,
    });
  }
  if (known.contextId !== undefined && contextId !== undefined && contextId !== known.contextId) {
    const place = `${path}/contextId`;
    faults.push({
      id: 'context-continuity',
      path: place,
      message: `${place.slice(1)} is another context than this task had before.`,
    });
  }
  return faults;
}

/** What is known of a task after one more sight of it. An older answer that arrives late does not undo a terminal state. */
export function updateKnown(
  known: KnownTask | undefined,
  { contextId, state }: TaskSight,
  now: number,
): KnownTask | undefined {
  const context = known?.contextId ?? contextId;
  if (state === undefined || (known !== undefined && (isTerminal(known.state) || known.state === state))) {
    return known === undefined || known.contextId === context ? known : { ...known, contextId: context };
  }
  return { contextId: context, state, since: now };
}
