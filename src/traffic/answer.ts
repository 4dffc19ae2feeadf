import type { Operation } from '../call/operations.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';

type Json = Readonly<Record<string, unknown>>;

const ACTIVE_STATES = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const text = (value: unknown, name: string): string | undefined => {
  const found = member(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** A judge of one operation: what was asked, what came back. */
type AnswerJudge = (params: Json, result: Json) => Fault[];

/** The rules of each operation's answer that compare it with its request. */
const JUDGES: Readonly<Record<string, AnswerJudge>> = {
  SendMessage: checkSend,
  GetTask: (params, result) => [...checkTaskId(params, result), ...checkHistory(params, result, '')],
  CancelTask: checkTaskId,
  ListTasks: checkList,
  CreateTaskPushNotificationConfig: (params, result) => checkSame(params, result, ['taskId']),
  GetTaskPushNotificationConfig: (params, result) => checkSame(params, result, ['taskId', 'id']),
};

/** Judges a unary answer against its request: same task, same context, no more than was asked for. Pure. */
export function checkAnswer(operation: Operation, params: unknown, result: unknown): Fault[] {
  const judge = JUDGES[operation.name];
  return judge === undefined || !isObject(params) || !isObject(result) ? [] : judge(params, result);
}

function checkSend(params: Json, result: Json): Fault[] {
  const asked = member(params, 'message');
  const configuration = member(params, 'configuration');
  const task = member(result, 'task');
  const message = member(result, 'message');
  if (isObject(task)) {
    const faults = [
      ...checkNamedTask(asked, text(task, 'id'), '/task/id'),
      ...checkContext(asked, task, '/task/contextId'),
    ];
    if (member(configuration, 'returnImmediately') !== true) faults.push(...checkReturn(task));
    return [
      ...faults,
      ...checkHistory(configuration, task, '/task'),
      ...checkRole(member(member(task, 'status'), 'message'), '/task/status/message'),
    ];
  }
  if (!isObject(message)) return [];
  return [
    ...checkMessageTask(asked, message),
    ...checkContext(asked, message, '/message/contextId'),
    ...checkRole(message, '/message'),
  ];
}

const otherTask = (path: string): Fault => ({
  id: 'task-continuity',
  path,
  message: `${path.slice(1)} is another task than the request named.`,
});

function checkNamedTask(asked: unknown, id: string | undefined, path: string): Fault[] {
  const named = text(asked, 'taskId');
  return named === undefined || id === named ? [] : [otherTask(path)];
}

/** A direct message in answer to a message about a task: delivered, if it is not about another one. */
function checkMessageTask(asked: unknown, message: Json): Fault[] {
  const named = text(asked, 'taskId');
  if (named === undefined) return [];
  const about = text(message, 'taskId');
  if (about !== undefined && about !== named) return [otherTask('/message/taskId')];
  const problem = 'The request named a task; the answer is a message, not that task.';
  return [{ id: 'task-continuity', path: '/message', message: problem, severity: 'warn' }];
}

function checkContext(asked: unknown, answered: Json, path: string): Fault[] {
  const named = text(asked, 'contextId');
  const context = text(answered, 'contextId');
  if (named === undefined || context === named) return [];
  const problem =
    context === undefined ? 'is missing; the request named one' : 'is another context than the request named';
  const message = `${path.slice(1)} ${problem}.`;
  return [{ id: 'context-continuity', path, message, ...(context === undefined && { severity: 'warn' as const }) }];
}

function checkReturn(task: Json): Fault[] {
  if (!ACTIVE_STATES.has(String(member(member(task, 'status'), 'state')))) return [];
  const message = 'The send was blocking, but the task is still active. Ask with GetTask until it is not.';
  return [{ id: 'returns-early', path: '/task/status/state', message }];
}

/** A message of the agent in the role of the user. */
export function checkRole(message: unknown, path: string): Fault[] {
  if (member(message, 'role') !== 'ROLE_USER') return [];
  return [
    { id: 'role', path: `${path}/role`, message: `${path.slice(1)}/role is ROLE_USER; an agent writes ROLE_AGENT.` },
  ];
}

function checkTaskId(params: Json, result: Json): Fault[] {
  return text(params, 'id') === text(result, 'id') ? [] : [otherTask('/id')];
}

function checkHistory(asked: unknown, task: Json, path: string): Fault[] {
  const wanted = member(asked, 'historyLength');
  const history = member(task, 'history');
  const most = typeof wanted === 'string' ? Number(wanted) : wanted;
  if (typeof most !== 'number' || !Array.isArray(history) || history.length <= most) return [];
  const message = `${path}/history has ${history.length} messages; at most ${most} were asked for.`;
  return [{ id: 'history-length', path: `${path}/history`, message }];
}

function checkList(params: Json, result: Json): Fault[] {
  const faults: Fault[] = [];
  const asked = text(params, 'pageToken');
  if (asked !== undefined && text(result, 'nextPageToken') === asked) {
    const message = 'nextPageToken is the token of this request; a reader of pages would never end.';
    faults.push({ id: 'page-token', path: '/nextPageToken', message });
  }
  const tasks = member(result, 'tasks');
  for (const [index, task] of Array.isArray(tasks) ? tasks.entries() : []) {
    const path = `/tasks/${index}`;
    if (member(params, 'includeArtifacts') !== true && (member(task, 'artifacts') ?? null) !== null) {
      const message = `${path.slice(1)} has artifacts, which were not asked for.`;
      faults.push({ id: 'artifacts-not-asked', path: `${path}/artifacts`, message });
    }
    if (isObject(task)) faults.push(...checkHistory(params, task, path));
  }
  return faults;
}

function checkSame(params: Json, result: Json, names: readonly string[]): Fault[] {
  return names
    .filter((name) => text(result, name) !== undefined && text(params, name) !== undefined)
    .filter((name) => text(result, name) !== text(params, name))
    .map((name) => ({
      id: 'task-continuity',
      path: `/${name}`,
      message: `${name} is another one than the request named.`,
    }));
}
