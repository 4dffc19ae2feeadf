import type { AgentProfile } from '../card/profile.ts';
import type { CheckId } from '../checks.ts';
import { isObject } from '../schema/scalars.ts';
import { withoutSecrets } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';
import { type Means, missingCredentials } from './credentials.ts';
import { compileMediaTypes, type MediaTypes, mediaTypeOf } from './media-type.ts';
import type { Flag, Operation } from './operations.ts';

/** What an operation is judged by, beside its params. */
export interface AdmitFacts {
  readonly profile: AgentProfile;
  /** The tenant of the interface, if it has one. */
  readonly tenant: string | undefined;
  /** Extensions that the client lists for this call. */
  readonly extensions: readonly string[];
  readonly means: Means;
  readonly skillId: string | undefined;
}

const CHECK_OF_FLAG: Readonly<Record<Flag, CheckId>> = {
  streaming: 'capability-streaming',
  pushNotifications: 'capability-push',
  extendedAgentCard: 'capability-extended-card',
};

/** Number params and the range that the operation allows (§3.1). */
const RANGES = [
  ['historyLength', 0, Number.MAX_SAFE_INTEGER],
  ['pageSize', 1, 100],
] as const;

/** Whether the card allows this operation: flags, then extensions, then credentials. Pure. */
export function checkCapability(operation: Operation, params: unknown, facts: AdmitFacts): Fault[] {
  return [...checkFlags(operation, params, facts.profile), ...checkExtensions(facts), ...checkCredentials(facts)];
}

/** A push configuration that rides inside a send. */
function inlinePush(operation: Operation, params: unknown): boolean {
  if (operation.params !== 'SendMessageRequest' || !isObject(params) || !isObject(params.configuration)) return false;
  return (params.configuration.taskPushNotificationConfig ?? null) !== null;
}

function checkFlags(operation: Operation, params: unknown, { flags }: AgentProfile): Fault[] {
  const needed: readonly { flag: Flag; path: string; what: string }[] = [
    ...(operation.flag === undefined ? [] : [{ flag: operation.flag, path: '', what: operation.name }]),
    ...(inlinePush(operation, params)
      ? [
          {
            flag: 'pushNotifications' as const,
            path: '/configuration/taskPushNotificationConfig',
            what: `A push configuration inside ${operation.name}`,
          },
        ]
      : []),
  ];
  return needed
    .filter(({ flag }) => flags[flag] !== true)
    .map(({ flag, path, what }) => {
      const state = flags[flag] === false ? 'false' : 'absent, which means false';
      const message = `${what} needs capabilities.${flag}; in this card it is ${state}.`;
      return { id: CHECK_OF_FLAG[flag], path, message };
    });
}

function checkExtensions({ profile, extensions }: AdmitFacts): Fault[] {
  return profile.extensions
    .filter(({ uri, required }) => required && !extensions.includes(uri))
    .map(({ uri }) => ({
      id: 'capability-extension',
      path: '',
      message: `The card requires the extension ${withoutSecrets(uri).slice(0, 200)}, which the client does not list.`,
    }));
}

function checkCredentials({ profile, means, skillId }: AdmitFacts): Fault[] {
  const skill = skillId === undefined ? undefined : profile.skills.get(skillId);
  const missing = missingCredentials(profile, skill, means);
  if (missing === undefined) return [];
  const why = means.withheld
    ? 'those of the client are not sent to another host than the card came from; network.allowOrigins may list it'
    : 'the client has none that fit';
  const message = `The card requires credentials for ${missing}, and ${why}.`;
  return [{ id: 'capability-credentials', path: '', message }];
}

export interface RequestFaults {
  readonly faults: readonly Fault[];
  /** What the caller may want to know although nothing is wrong. */
  readonly notes: readonly Fault[];
}

/** The rules of a request beyond its shape: skill, tenant, ranges, role and media types. Pure. */
export function checkRequest(operation: Operation, params: unknown, facts: AdmitFacts): RequestFaults {
  const { profile, skillId, tenant } = facts;
  const faults: Fault[] = [];
  if (skillId !== undefined && !profile.skills.has(skillId)) {
    const message = 'The card has no skill with the id that the caller names.';
    faults.push({ id: 'skill-id', path: '', message });
  }
  if (!isObject(params)) return { faults, notes: [] };
  const named = params.tenant;
  if (typeof named === 'string' && named !== '' && named !== tenant) {
    const rule = tenant === undefined ? 'the interface has no tenant' : 'the interface has another tenant';
    faults.push({ id: 'tenant', path: '/tenant', message: `The request names a tenant, but ${rule}.` });
  }
  faults.push(...checkRanges(params, ''));
  if (operation.params !== 'SendMessageRequest') return { faults, notes: [] };
  const configuration = params.configuration;
  if (isObject(configuration)) faults.push(...checkRanges(configuration, '/configuration'));
  if (isObject(params.message) && params.message.role === 'ROLE_AGENT') {
    const message = 'message/role is ROLE_AGENT; a client sends ROLE_USER.';
    faults.push({ id: 'role', path: '/message/role', keyword: 'enum', message });
  }
  const media = checkMedia(params, profile, skillId);
  return { faults: [...faults, ...media.faults], notes: media.notes };
}

function checkRanges(holder: Readonly<Record<string, unknown>>, path: string): Fault[] {
  const faults: Fault[] = [];
  for (const [name, min, max] of RANGES) {
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number !== 'number' || (number >= min && number <= max)) continue;
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`;
    const message = `${name} is out of range; allowed is ${range}.`;
    faults.push({ id: 'value-range', path: `${path}/${name}`, keyword: 'minimum', message });
  }
  return faults;
}

const COMPILED = new WeakMap<AgentProfile, Map<string, MediaTypes>>();

/** The media types of a card or a skill, in one direction, compiled once per card. */
export function mediaTypesOf(profile: AgentProfile, way: 'inputModes' | 'outputModes', skillId?: string): MediaTypes {
  const cache = COMPILED.get(profile) ?? new Map<string, MediaTypes>();
  COMPILED.set(profile, cache);
  const key = `${way} ${skillId ?? ''}`;
  const compiled = cache.get(key) ?? compileMediaTypes(listModes(profile, way, skillId));
  if (cache.size <= profile.skills.size * 2 + 2) cache.set(key, compiled);
  return compiled;
}

/** A named skill's own modes, else the defaults; without a skill, the defaults and all that any skill takes. */
function listModes(
  profile: AgentProfile,
  way: 'inputModes' | 'outputModes',
  skillId?: string,
): readonly string[] | undefined {
  if (skillId !== undefined) return profile.skills.get(skillId)?.[way] ?? profile[way];
  const defaults = profile[way];
  if (defaults === undefined) return undefined;
  return [...defaults, ...[...profile.skills.values()].flatMap((skill) => skill[way] ?? [])];
}

function checkMedia(params: Readonly<Record<string, unknown>>, profile: AgentProfile, skillId?: string): RequestFaults {
  const faults: Fault[] = [];
  const notes: Fault[] = [];
  const allowed = mediaTypesOf(profile, 'inputModes', skillId);
  const message = params.message;
  const parts = isObject(message) && Array.isArray(message.parts) ? message.parts : [];
  for (const [index, part] of parts.entries()) {
    if (isObject(part)) judgePart(part, `/message/parts/${index}`, allowed, faults, notes);
  }
  const configuration = params.configuration;
  const accepted = isObject(configuration) ? configuration.acceptedOutputModes : undefined;
  if (Array.isArray(accepted)) {
    const wanted = compileMediaTypes(accepted.filter((mode) => typeof mode === 'string'));
    if (!wanted.meets(mediaTypesOf(profile, 'outputModes', skillId))) {
      const text = 'None of the accepted output media types is one that the card declares.';
      faults.push({ id: 'accepted-output-modes', path: '/configuration/acceptedOutputModes', message: text });
    }
  }
  return { faults, notes };
}

function judgePart(
  part: Readonly<Record<string, unknown>>,
  path: string,
  allowed: MediaTypes,
  faults: Fault[],
  notes: Fault[],
): void {
  const type = mediaTypeOf(part);
  const place = path.slice(1);
  if (type === 'undeclared') {
    const message = `${place} has no mediaType, so it cannot be compared with the card.`;
    notes.push({ id: 'media-type-undeclared', path, message });
    return;
  }
  const essence = type === 'unreadable' ? undefined : type.essence;
  const verdict = allowed.judge(essence);
  if (verdict === 'refused') {
    const what = essence === undefined ? 'a mediaType that is not one' : essence;
    const offered = allowed.modes.map((mode) => mode.essence).join(', ');
    const message = `${place} is ${what.slice(0, 100)}; the card takes ${offered.slice(0, 300)}.`;
    faults.push({
      id: 'media-type',
      path: typeof part.mediaType === 'string' ? `${path}/mediaType` : path,
      message,
    });
  } else if (verdict === 'allowed-as-range') {
    const message = `${place} is allowed by a bare word in the card, which was read as a media range.`;
    notes.push({ id: 'media-type-undeclared', path, message });
  }
}
