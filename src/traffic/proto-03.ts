import { isObject } from '../schema/scalars.ts';
import { asIs, type Locate, type View } from './view.ts';

type Json = Readonly<Record<string, unknown>>;
type Convert = (member: unknown) => unknown;

const same: Convert = (member) => member;
const list =
  (convert: Convert): Convert =>
  (member) =>
    Array.isArray(member) ? member.map(convert) : member;

/** Every member of an object, some under another name or converted; null stands for unset, as in ProtoJSON. */
function members(
  value: unknown,
  changes: Readonly<Record<string, readonly [string, Convert]>>,
  more: Json = {},
): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => {
      const [renamed, convert] = (Object.hasOwn(changes, name) ? changes[name] : undefined) ?? [name, same];
      return [renamed, convert(member)];
    });
  return { ...more, ...Object.fromEntries(kept) };
}

const hasKind = (value: unknown): boolean => isObject(value) && typeof value.kind === 'string';

/** Enum names that are more than the lower-case ones of the text with a prefix. */
const STATES: Readonly<Record<string, string>> = {
  TASK_STATE_CANCELLED: 'canceled',
  TASK_STATE_UNSPECIFIED: 'unknown',
};
const ROLES: Readonly<Record<string, string>> = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

const toState: Convert = (state) => {
  if (typeof state !== 'string') return state;
  if (Object.hasOwn(STATES, state)) return STATES[state];
  return state.startsWith('TASK_STATE_') ? state.slice('TASK_STATE_'.length).toLowerCase().replaceAll('_', '-') : state;
};
const toRole: Convert = (role) => (typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : role);

const toFile: Convert = (file) => members(file, { fileWithUri: ['uri', same], fileWithBytes: ['bytes', same] });
const toData: Convert = (data) => (isObject(data) && isObject(data.data) ? data.data : data);

/** A part with exactly one content; any other keeps its members and has no kind, which is a fault. */
const toPart: Convert = (part) => {
  if (!isObject(part) || hasKind(part)) return part;
  const kinds = ['text', 'file', 'data'].filter((kind) => (part[kind] ?? null) !== null);
  return members(
    part,
    { file: ['file', toFile], data: ['data', toData] },
    kinds.length === 1 ? { kind: kinds[0] } : {},
  );
};

const toMessage: Convert = (message) => {
  if (hasKind(message)) return message;
  const parts = ['parts', list(toPart)] as const;
  return members(message, { content: parts, parts, role: ['role', toRole] }, { kind: 'message' });
};
const toStatus: Convert = (status) => members(status, { state: ['state', toState], message: ['message', toMessage] });
const toArtifact: Convert = (artifact) => members(artifact, { parts: ['parts', list(toPart)] });
const toTask: Convert = (task) => {
  if (hasKind(task)) return task;
  const changes = { status: ['status', toStatus], history: ['history', list(toMessage)] } as const;
  return members(task, { ...changes, artifacts: ['artifacts', list(toArtifact)] }, { kind: 'task' });
};

/** Members of the wrapper of an answer or event. */
const WRAPPED: Readonly<Record<string, Convert>> = {
  task: toTask,
  message: toMessage,
  statusUpdate: (event) =>
    hasKind(event) ? event : members(event, { status: ['status', toStatus] }, { kind: 'status-update', final: false }),
  artifactUpdate: (event) =>
    hasKind(event) ? event : members(event, { artifact: ['artifact', toArtifact] }, { kind: 'artifact-update' }),
};

const CONFIG_NAME = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/[^/]+)?$/;

/** ProtoJSON names a configuration by the path of its resource. */
const toConfig: Convert = (config) => {
  const [, taskId] = isObject(config) && typeof config.name === 'string' ? (CONFIG_NAME.exec(config.name) ?? []) : [];
  return taskId === undefined || !isObject(config) ? config : { taskId, ...config };
};

const toNumber: Convert = (text) => (typeof text === 'string' && /^-?\d{1,10}$/.test(text) ? Number(text) : text);
const historyLength = ['historyLength', toNumber] as const;

/** Definitions of 0.3 whose ProtoJSON differs, but for answers and events, which may be wrapped. */
const DEFINITIONS: Readonly<Record<string, Convert>> = {
  MessageSendParams: (params) =>
    members(params, {
      message: ['message', toMessage],
      configuration: [
        'configuration',
        (configuration) =>
          members(configuration, { pushNotification: ['pushNotificationConfig', same], historyLength }),
      ],
    }),
  TaskQueryParams: (params) => members(params, { historyLength }),
  Task: toTask,
  TaskPushNotificationConfig: toConfig,
  'TaskPushNotificationConfig[]': (answer) => {
    const configs = isObject(answer) ? (answer.configs ?? []) : answer;
    return list(toConfig)(configs);
  },
};

/** Places that have another name in ProtoJSON. */
const PROTO_NAMES: readonly (readonly [RegExp, string])[] = [
  [/((?:^|\/)message|\/history\/\d+)\/parts(?=\/|$)/, '$1/content'],
  [/\/file\/uri$/, '/file/fileWithUri'],
  [/\/file\/bytes$/, '/file/fileWithBytes'],
  [/^\/configuration\/pushNotificationConfig/, '/configuration/pushNotification'],
];
const inProto = (path: string): string => PROTO_NAMES.reduce((text, [from, to]) => text.replace(from, to), path);

/**
 * Reads params, an answer or an event of HTTP+JSON 0.3, which is written in two ways that both occur. The text of 0.3 has
 * the objects of JSON-RPC, told apart by `kind`, in a wrapper; its proto has ProtoJSON: no `kind`, `content` for `parts`,
 * enum names, files and data in messages of their own. The second is read as the first, so that the same rules judge
 * both. What is neither is left as it came.
 */
export function readProto03(definition: string | undefined, value: unknown): View {
  if (definition === 'SendMessageResult' || definition === 'StreamEvent') return readWrapped(value);
  const convert =
    definition !== undefined && Object.hasOwn(DEFINITIONS, definition) ? DEFINITIONS[definition] : undefined;
  const isText = hasKind(value) || (isObject(value) && hasKind(value.message));
  return { value: convert?.(value) ?? value, locate: isText ? asIs : at('') };
}

function readWrapped(value: unknown): View {
  const [wrapper, ...others] = isObject(value) ? Object.keys(WRAPPED).filter((name) => isObject(value[name])) : [];
  if (!isObject(value) || hasKind(value) || wrapper === undefined || others.length > 0) return { value, locate: asIs };
  const inner = value[wrapper];
  const locate = at(`/${wrapper}`, hasKind(inner) ? (path) => path : inProto);
  return { value: WRAPPED[wrapper]?.(inner), locate };
}

const at =
  (prefix: string, rename = inProto): Locate =>
  (found) => ({ ...found, path: rename(`${prefix}${found.path}`) });
