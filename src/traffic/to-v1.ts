import { isObject } from '../schema/scalars.ts';
import { readProto03 } from './proto-03.ts';

type Json = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

/** Members of a value under their 1.0 names; what is missing stays missing. */
function pick(value: Json, names: Readonly<Record<string, (member: unknown) => unknown>>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, convert] of Object.entries(names)) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) picked[name] = convert(value[name]);
  }
  return picked;
}

const same = (member: unknown): unknown => member;
const list =
  (convert: (item: unknown) => unknown) =>
  (member: unknown): unknown =>
    Array.isArray(member) ? member.map(convert) : member;

function stateToV1(state: unknown): unknown {
  if (typeof state !== 'string') return state;
  if (state === 'unknown') return 'TASK_STATE_UNSPECIFIED';
  return `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`;
}

function partToV1(part: unknown): unknown {
  if (!isObject(part)) return part;
  const metadata = pick(part, { metadata: same });
  if (part.kind === 'text') return { text: part.text, ...metadata };
  if (part.kind === 'data') return { data: part.data, ...metadata };
  if (part.kind !== 'file' || !isObject(part.file)) return part;
  const { bytes, uri, name, mimeType } = part.file;
  return {
    ...(bytes === undefined ? { url: uri } : { raw: bytes }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...metadata,
  };
}

function messageToV1(message: unknown): unknown {
  if (!isObject(message)) return message;
  return pick(message, {
    messageId: same,
    contextId: same,
    taskId: same,
    role: (role) => (typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : role),
    parts: list(partToV1),
    metadata: same,
    extensions: same,
    referenceTaskIds: same,
  });
}

function statusToV1(status: unknown): unknown {
  return isObject(status) ? pick(status, { state: stateToV1, message: messageToV1, timestamp: same }) : status;
}

function artifactToV1(artifact: unknown): unknown {
  if (!isObject(artifact)) return artifact;
  const plain = { artifactId: same, name: same, description: same, metadata: same, extensions: same };
  return pick(artifact, { ...plain, parts: list(partToV1) });
}

const EVENT = { taskId: same, contextId: same, metadata: same };

/** How each kind of 0.3 value is read, and the member of a 1.0 wrapper that holds it. */
const KINDS: Readonly<Record<string, { readonly wrapper: string; readonly convert: (value: Json) => unknown }>> = {
  task: {
    wrapper: 'task',
    convert: (task) =>
      pick(task, {
        id: same,
        contextId: same,
        status: statusToV1,
        artifacts: list(artifactToV1),
        history: list(messageToV1),
        metadata: same,
      }),
  },
  message: { wrapper: 'message', convert: messageToV1 },
  'status-update': { wrapper: 'statusUpdate', convert: (event) => pick(event, { ...EVENT, status: statusToV1 }) },
  'artifact-update': {
    wrapper: 'artifactUpdate',
    convert: (event) => pick(event, { ...EVENT, artifact: artifactToV1, append: same, lastChunk: same }),
  },
};

function kindOf(value: unknown): (typeof KINDS)[string] | undefined {
  const kind = isObject(value) ? value.kind : undefined;
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
}

/**
 * The 1.0 shape of a 0.3 Task, Message, TaskStatusUpdateEvent or TaskArtifactUpdateEvent, recognised by its `kind`. The
 * state `unknown` becomes TASK_STATE_UNSPECIFIED; times stay as they are, which may be any text. What has no such `kind`
 * is returned as it is, so a 1.0 value passes unchanged.
 *
 * Over HTTP+JSON 0.3 values may come without `kind` and in a wrapper; they are read when `over` says so: give it
 * `agent.interface`.
 */
export function toV1(value: unknown, over?: { readonly binding: string; readonly version: string }): unknown {
  const isProto = over?.binding === 'HTTP+JSON' && over.version === '0.3';
  const read = isProto ? readProto03(isBareTask(value) ? 'Task' : 'StreamEvent', value).value : value;
  const known = kindOf(read);
  return known === undefined ? value : known.convert(read as Json);
}

const isBareTask = (value: unknown): boolean =>
  isObject(value) && isObject(value.status) && !Object.hasOwn(value, 'taskId');

/** A 0.3 answer or event in the wrapper that 1.0 has for it. */
export function wrapV1(value: unknown): { readonly view: unknown; readonly wrapper: string | undefined } {
  const known = kindOf(value);
  if (known === undefined) return { view: value, wrapper: undefined };
  return { view: { [known.wrapper]: known.convert(value as Json) }, wrapper: known.wrapper };
}

/** 0.3 params as 1.0 would have them, for the rules that both share. */
export function paramsToV1(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { configuration } = params;
  if (!isObject(params.message) && !isObject(configuration)) return params;
  return {
    ...params,
    message: messageToV1(params.message),
    ...(isObject(configuration) && { configuration: configurationToV1(configuration) }),
  };
}

function configurationToV1(configuration: Json): Json {
  const push = configuration.pushNotificationConfig ?? null;
  return {
    ...pick(configuration, { acceptedOutputModes: same, historyLength: same }),
    ...(push !== null && { taskPushNotificationConfig: push }),
    returnImmediately: true,
  };
}
