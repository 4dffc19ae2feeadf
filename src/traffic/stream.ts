import type { Operation } from '../call/operations.ts';
import type { ProtocolVersion } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { checkRole } from './answer.ts';
import { isTerminal, taskPhase } from './task-phase.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where a stream is in its life (§3.1.2, §3.5.2). */
export type StreamState =
  | { readonly phase: 'start' }
  /** A lone message came; only the end may follow. */
  | { readonly phase: 'message' }
  | {
      readonly phase: 'task';
      readonly taskId: string | undefined;
      readonly contextId: string | undefined;
      readonly taskState: string | undefined;
      /** The last event said so (0.3). */
      readonly final: boolean;
      readonly artifacts: ReadonlyMap<string, 'open' | 'closed'>;
    };

export const STREAM_START: StreamState = { phase: 'start' };

export interface StreamFacts {
  readonly named: Ids;
  readonly version: ProtocolVersion;
}

export interface StreamStep {
  readonly state: StreamState;
  readonly faults: readonly Fault[];
}

/** Artifacts of one stream that are followed at most; later ones are not judged for append. */
const MAX_ARTIFACTS = 1000;

const PATHS = {
  task: '/task',
  message: '/message',
  statusUpdate: '/statusUpdate',
  artifactUpdate: '/artifactUpdate',
} as const;

type EventKind = keyof typeof PATHS;

const text = (value: unknown, name: string): string | undefined => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
};

const NOTHING: readonly Fault[] = [];

/**
 * Takes one event, which fits StreamResponse, and says what is wrong with its place in the stream. `isLast`: the event
 * says that it is the last one, whatever its state (0.3). The state is the same object where nothing changed. Pure.
 */
export function stepStream(state: StreamState, event: unknown, facts: StreamFacts, isLast: boolean): StreamStep {
  const kind = isObject(event) ? kindOf(event) : undefined;
  if (kind === undefined || !isObject(event)) return { state, faults: NOTHING };
  const body = event[kind] as Json;
  if (state.phase === 'message') {
    return {
      state,
      faults: [
        { id: 'stream-after-message', path: `/${kind}`, message: 'An event follows a lone message; only the end may.' },
      ],
    };
  }
  return kind === 'message' ? stepMessage(state, body, facts) : stepTask(state, kind, body, facts, isLast);
}

function kindOf({ task, message, statusUpdate, artifactUpdate }: Json): EventKind | undefined {
  if (isObject(task)) return 'task';
  if (isObject(message)) return 'message';
  if (isObject(statusUpdate)) return 'statusUpdate';
  return isObject(artifactUpdate) ? 'artifactUpdate' : undefined;
}

function stepMessage(state: StreamState, message: Json, facts: StreamFacts): StreamStep {
  if (state.phase === 'task') {
    const problem = 'A message comes in the stream of a task; a message stands alone in its stream.';
    return { state, faults: [{ id: 'stream-first-event', path: '/message', message: problem, severity: 'error' }] };
  }
  const { named } = facts;
  const faults: Fault[] = [];
  checkIds(named, text(message, 'taskId'), text(message, 'contextId'), '/message', faults);
  faults.push(...checkRole(message, '/message'));
  if (named.taskId !== undefined) {
    const problem = 'The request named a task; the stream holds a message, not that task.';
    faults.push({ id: 'stream-first-event', path: '/message', message: problem });
  }
  return { state: { phase: 'message' }, faults };
}

type TaskState = Extract<StreamState, { phase: 'task' }>;

const TASK_START: TaskState = {
  phase: 'task',
  taskId: undefined,
  contextId: undefined,
  taskState: undefined,
  final: false,
  artifacts: new Map(),
};

function stepTask(
  before: StreamState,
  kind: Exclude<EventKind, 'message'>,
  body: Json,
  facts: StreamFacts,
  isLast: boolean,
): StreamStep {
  const faults: Fault[] = [];
  const path = PATHS[kind];
  const started = before.phase === 'task' ? before : TASK_START;
  if (before.phase !== 'task' && kind !== 'task' && facts.version === '1.0') {
    const problem = 'The stream does not start with the task, so its state and artifacts so far are not known.';
    faults.push({ id: 'stream-first-event', path, message: problem });
  }
  const taskId = text(body, kind === 'task' ? 'id' : 'taskId');
  const contextId = text(body, 'contextId');
  checkIds(facts.named, taskId, contextId, path, faults, kind);
  checkConstant(started, taskId, contextId, path, faults, kind);
  const status = isObject(body.status) ? body.status : undefined;
  const next = status === undefined ? undefined : text(status, 'state');
  if (isTerminal(started.taskState)) checkAfterTerminal(started, kind, next, path, faults);
  if (status !== undefined) faults.push(...checkRole(status.message, `${path}/status/message`));
  if (kind === 'artifactUpdate') checkAppend(started.artifacts, body, faults);
  const state = advance(before, {
    phase: 'task',
    taskId: started.taskId ?? taskId,
    contextId: started.contextId ?? contextId,
    taskState: next ?? started.taskState,
    final: started.final || isLast,
    artifacts: followArtifacts(started.artifacts, kind, body),
  });
  return { faults: faults.length === 0 ? NOTHING : faults, state };
}

/** The state after an event: the same object where nothing changed. */
function advance(before: StreamState, after: TaskState): StreamState {
  if (before.phase !== 'task') return after;
  const isSameTask =
    before.taskId === after.taskId && before.contextId === after.contextId && before.taskState === after.taskState;
  return isSameTask && before.final === after.final && before.artifacts === after.artifacts ? before : after;
}

export interface Ids {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
}

/** The task and context that the request named. */
export function namedIds(operation: Operation, params: unknown): Ids {
  if (operation.params !== 'SendMessageRequest') return { taskId: text(params, 'id'), contextId: undefined };
  const message = isObject(params) ? params.message : undefined;
  return { taskId: text(message, 'taskId'), contextId: text(message, 'contextId') };
}

function checkIds(
  named: Ids,
  taskId: string | undefined,
  contextId: string | undefined,
  path: string,
  faults: Fault[],
  kind?: EventKind,
): void {
  if (named.taskId !== undefined && taskId !== undefined && taskId !== named.taskId) {
    const place = `${path}/${kind === 'task' ? 'id' : 'taskId'}`;
    faults.push({
      id: 'task-continuity',
      path: place,
      message: `${place.slice(1)} is another task than the request named.`,
    });
  }
  if (named.contextId !== undefined && contextId !== undefined && contextId !== named.contextId) {
    const place = `${path}/contextId`;
    faults.push({
      id: 'context-continuity',
      path: place,
      message: `${place.slice(1)} is another context than the request named.`,
    });
  }
}

/** Ids stay the same through a stream; an event that leaves one out does not change it. */
function checkConstant(
  state: Ids,
  taskId: string | undefined,
  contextId: string | undefined,
  path: string,
  faults: Fault[],
  kind: EventKind,
): void {
  if (isOther(state.taskId, taskId)) faults.push(otherId(`${path}/${kind === 'task' ? 'id' : 'taskId'}`));
  if (isOther(state.contextId, contextId)) faults.push(otherId(`${path}/contextId`));
}

const isOther = (known: string | undefined, now: string | undefined): boolean =>
  known !== undefined && now !== undefined && known !== now;

const otherId = (path: string): Fault => ({
  id: 'stream-ids',
  path,
  message: `${path.slice(1)} is another one than earlier in this stream.`,
});

function checkAfterTerminal(
  { taskState }: TaskState,
  kind: EventKind,
  next: string | undefined,
  path: string,
  faults: Fault[],
): void {
  if (kind === 'artifactUpdate') {
    faults.push({ id: 'stream-after-terminal', path, message: 'An artifact comes after the terminal state.' });
  } else if (next !== undefined && next !== taskState) {
    const message = `${path.slice(1)}/status/state leaves a terminal state; nothing does.`;
    faults.push({ id: 'stream-left-terminal', path: `${path}/status/state`, message });
  }
}

function checkAppend(artifacts: ReadonlyMap<string, 'open' | 'closed'>, update: Json, faults: Fault[]): void {
  const id = text(update.artifact, 'artifactId');
  if (update.append !== true || id === undefined || artifacts.size >= MAX_ARTIFACTS) return;
  const known = artifacts.get(id);
  if (known === 'open') return;
  const problem = known === undefined ? 'that the stream has not shown before' : 'whose last piece has come';
  const message = `The event adds to an artifact ${problem}.`;
  faults.push({ id: 'stream-append', path: '/artifactUpdate/append', message });
}

function followArtifacts(
  artifacts: ReadonlyMap<string, 'open' | 'closed'>,
  kind: EventKind,
  body: Json,
): ReadonlyMap<string, 'open' | 'closed'> {
  const now = body.lastChunk === true ? 'closed' : 'open';
  const only = kind === 'artifactUpdate' ? text(body.artifact, 'artifactId') : undefined;
  if (only !== undefined && artifacts.get(only) === now) return artifacts;
  const shown = kind === 'task' ? body.artifacts : kind === 'artifactUpdate' ? [body.artifact] : undefined;
  if (!Array.isArray(shown) || shown.length === 0) return artifacts;
  const news = shown
    .map((artifact) => text(artifact, 'artifactId'))
    .filter((id) => id !== undefined && artifacts.get(id) !== now)
    .slice(0, MAX_ARTIFACTS - artifacts.size) as string[];
  return news.length === 0 ? artifacts : new Map([...artifacts, ...news.map((id) => [id, now] as const)]);
}

/** Whether nothing more has to come: a lone message, a task in a terminal state, or the event that 0.3 calls final. */
export function isSettled(state: StreamState): boolean {
  return state.phase === 'message' || (state.phase === 'task' && (state.final || isTerminal(state.taskState)));
}

/** Judges the end of a stream: closing is right after a lone message and at a terminal or interrupted state. */
export function endStream(state: StreamState): Fault[] {
  if (isSettled(state)) return [];
  if (state.phase === 'task' && taskPhase(state.taskState) === 'interrupted') return [];
  const what = state.phase === 'start' ? 'without a single event' : 'while the task was still active';
  const move = state.phase === 'start' ? 'Ask with ListTasks' : 'Ask with GetTask or SubscribeToTask';
  const message = `The stream closed ${what}: the outcome is unknown. ${move}; do not send again blindly.`;
  return [{ id: 'stream-incomplete', path: '', message }];
}
