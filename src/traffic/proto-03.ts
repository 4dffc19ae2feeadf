import { joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { asIs, type Locate, type View, viewAsIs } from './view.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where a converter is on the wire, and what it found there. */
interface Spot {
  readonly path: string;
  readonly faults: Fault[];
}
type Convert = (member: unknown, spot: Spot) => unknown;

const same: Convert = (member) => member;
const below = ({ path, faults }: Spot, name: string | number): Spot => ({ path: joinPath(path, name), faults });
const list =
  (convert: Convert): Convert =>
  (member, spot) =>
    Array.isArray(member) ? member.map((item, index) => convert(item, below(spot, index))) : member;

/** Readers would disagree on the value, so no reading of it is judged alone. */
function ambiguous({ path, faults }: Spot, names: readonly string[]): void {
  const message = `${placeOf(path)} has ${names.join(' and ')}, which 0.3 readers take for one thing or the other.`;
  faults.push({ id: 'value-oneof', path, keyword: 'oneOf', message });
}

type Changes = Readonly<Record<string, readonly [string, Convert]>>;

/** Every member of an object, some under another name or converted; null stands for unset, as in ProtoJSON. */
function members(value: unknown, spot: Spot, changes: Changes, more: Json = {}): unknown {
  if (!isObject(value)) return value;
  const read = new Map<string, unknown>(Object.entries(more));
  const sources = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const [renamed, convert] = (Object.hasOwn(changes, name) ? changes[name] : undefined) ?? [name, same];
    const earlier = sources.get(renamed);
    if (earlier !== undefined) ambiguous(spot, [earlier, name]);
    sources.set(renamed, name);
    read.set(renamed, convert(member, below(spot, name)));
  }
  return Object.fromEntries(read);
}

const kindOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value.kind === 'string' ? value.kind : undefined;
const setAmong = (value: Json, names: readonly string[]): string[] =>
  names.filter((name) => (value[name] ?? null) !== null);

/** Enum names that are more than the lower-case ones of the text with a prefix. */
const STATES: Readonly<Record<string, string>> = {
  TASK_STATE_CANCELLED: 'canceled',
  TASK_STATE_UNSPECIFIED: 'unknown',
};
const STATE_NAME = /^TASK_STATE_([A-Z]+(?:_[A-Z]+)*)$/;
const ROLES: Readonly<Record<string, string>> = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

const toState: Convert = (state) => {
  if (typeof state !== 'string') return state;
  if (Object.hasOwn(STATES, state)) return STATES[state];
  return STATE_NAME.exec(state)?.[1]?.toLowerCase().replaceAll('_', '-') ?? state;
};
const toRole: Convert = (role) => (typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : role);

const toFile: Convert = (file, spot) =>
  members(file, spot, { fileWithUri: ['uri', same], fileWithBytes: ['bytes', same] });
const toData: Convert = (data) => (isObject(data) && isObject(data.data) ? data.data : data);

/** A part with exactly one content; any other keeps its members and has no kind, which is a fault. */
const toPart: Convert = (part, spot) => {
  if (!isObject(part)) return part;
  const contents = setAmong(part, ['text', 'file', 'data']);
  if (kindOf(part) !== undefined) {
    if (contents.length > 1) ambiguous(spot, contents);
    return part;
  }
  const changes: Changes = { file: ['file', toFile], data: ['data', toData] };
  return members(part, spot, changes, contents.length === 1 ? { kind: contents[0] } : {});
};

const toParts: readonly [string, Convert] = ['parts', list(toPart)];

const toMessage: Convert = (message, spot) => {
  if (kindOf(message) === undefined) {
    const changes: Changes = { content: toParts, parts: toParts, role: ['role', toRole] };
    return members(message, spot, changes, { kind: 'message' });
  }
  const { content = null } = message as Json;
  if (content !== null) ambiguous(spot, ['kind', 'content']);
  return members(message, spot, { parts: toParts });
};
const toStatus: Convert = (status, spot) =>
  members(status, spot, { state: ['state', toState], message: ['message', toMessage] });
const toArtifact: Convert = (artifact, spot) => members(artifact, spot, { parts: toParts });
const toTask: Convert = (task, spot) => {
  const changes: Changes = {
    status: ['status', toStatus],
    history: ['history', list(toMessage)],
    artifacts: ['artifacts', list(toArtifact)],
  };
  return members(task, spot, changes, kindOf(task) === undefined ? { kind: 'task' } : {});
};
const toStatusUpdate: Convert = (event, spot) =>
  members(
    event,
    spot,
    { status: ['status', toStatus] },
    kindOf(event) === undefined ? { kind: 'status-update', final: false } : {},
  );
const toArtifactUpdate: Convert = (event, spot) =>
  members(
    event,
    spot,
    { artifact: ['artifact', toArtifact] },
    kindOf(event) === undefined ? { kind: 'artifact-update' } : {},
  );

/** Members of the wrapper of an answer or event: the kind of what each holds, and how that is read. */
const WRAPPED: Readonly<Record<string, { readonly kind: string; readonly convert: Convert }>> = {
  task: { kind: 'task', convert: toTask },
  message: { kind: 'message', convert: toMessage },
  statusUpdate: { kind: 'status-update', convert: toStatusUpdate },
  artifactUpdate: { kind: 'artifact-update', convert: toArtifactUpdate },
};

const CONFIG_NAME = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/[^/]+)?$/;

/** ProtoJSON names a configuration by the path of its resource. */
const toConfig: Convert = (config, spot) => {
  const [, taskId] = isObject(config) && typeof config.name === 'string' ? (CONFIG_NAME.exec(config.name) ?? []) : [];
  if (taskId === undefined || !isObject(config)) return config;
  if (config.taskId !== undefined && config.taskId !== taskId) ambiguous(spot, ['name', 'taskId']);
  return { taskId, ...config };
};

const toNumber: Convert = (text) => (typeof text === 'string' && /^-?\d{1,10}$/.test(text) ? Number(text) : text);
const historyLength: readonly [string, Convert] = ['historyLength', toNumber];

const toConfiguration: Convert = (configuration, spot) =>
  members(configuration, spot, {
    pushNotification: ['pushNotificationConfig', same],
    pushNotificationConfig: ['pushNotificationConfig', same],
    historyLength,
  });

/** Definitions of 0.3 whose ProtoJSON differs, but for answers and events, which may be wrapped. */
const DEFINITIONS: Readonly<Record<string, Convert>> = {
  MessageSendParams: (params, spot) =>
    members(params, spot, {
      message: ['message', toMessage],
      configuration: ['configuration', toConfiguration],
    }),
  TaskQueryParams: (params, spot) => members(params, spot, { historyLength }),
  Task: toTask,
  TaskPushNotificationConfig: toConfig,
  'TaskPushNotificationConfig[]': (answer, spot) =>
    list(toConfig)(isObject(answer) ? (answer.configs ?? []) : answer, spot),
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
 * both. What is neither is left as it came; what is both is a fault.
 */
export function readProto03(definition: string | undefined, value: unknown): View {
  if (definition === 'SendMessageResult' || definition === 'StreamEvent') return readWrapped(value);
  const convert = definition !== undefined && Object.hasOwn(DEFINITIONS, definition) ? DEFINITIONS[definition] : same;
  const isText = kindOf(value) !== undefined || (isObject(value) && kindOf(value.message) !== undefined);
  return readAs(convert ?? same, value, '', isText ? asIs : at(''));
}

function readAs(convert: Convert, value: unknown, path: string, locate: Locate): View {
  const faults: Fault[] = [];
  return { value: convert(value, { path, faults }), locate, faults };
}

function readWrapped(value: unknown): View {
  if (!isObject(value)) return viewAsIs(value);
  const kind = kindOf(value);
  const bare = Object.values(WRAPPED).find((row) => row.kind === kind);
  if (bare !== undefined) return readAs(bare.convert, value, '', asIs);
  const [name = '', ...others] = Object.keys(WRAPPED).filter((each) => isObject(value[each]));
  const row = Object.hasOwn(WRAPPED, name) ? WRAPPED[name] : undefined;
  if (kind !== undefined || row === undefined || others.length > 0) return viewAsIs(value);
  const inner = value[name];
  const its = kindOf(inner);
  const view = readAs(row.convert, inner, `/${name}`, at(`/${name}`, its === undefined ? inProto : (path) => path));
  return its === undefined || its === row.kind
    ? view
    : { ...view, faults: [wrongKind(name, row.kind), ...view.faults] };
}

function wrongKind(name: string, kind: string): Fault {
  const message = `${name} has another kind than "${kind}".`;
  return { id: 'value-enum', path: `/${name}/kind`, keyword: 'const', message };
}

const at =
  (prefix: string, rename = inProto): Locate =>
  (found) => ({ ...found, path: rename(`${prefix}${found.path}`) });
