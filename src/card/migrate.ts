import { type MessageShape, SHAPES } from '../schema/fields.ts';
import { joinPath } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import { majorMinor } from './interfaces.ts';
import { migrateRequirements, migrateScheme } from './migrate-security.ts';
import type { Json } from './read.ts';

/** One thing that was done to a card, or that could not be done. */
export interface Move {
  readonly what: 'moved' | 'renamed' | 'dropped' | 'unknown';
  /** JSON Pointer into the card that was given. */
  readonly from: string;
  /** JSON Pointer into the card that was made. */
  readonly to?: string;
  readonly note: string;
}

export interface Migration {
  readonly card: Json;
  readonly moves: readonly Move[];
}

/** What is collected while a card is rewritten. */
export type Draft = Record<string, unknown>;
export type Note = (what: Move['what'], from: string, note: string, to?: string) => void;

/** 0.x names at the top that cards also write in snake_case. */
const OLD_NAMES = [
  'protocolVersion',
  'preferredTransport',
  'additionalInterfaces',
  'supportsAuthenticatedExtendedCard',
];

/**
 * Rewrites a 0.x card as a 1.0 card, by the table of what became of each member. It moves what is there and invents
 * nothing: what 1.0 requires and the card does not say is named in a note, and stays missing. Pure.
 */
export function migrateCard(source: Json): Migration {
  const moves: Move[] = [];
  const note: Note = (what, from, text, to) => moves.push({ what, from, note: text, ...(to !== undefined && { to }) });
  const draft: Draft = { ...source };
  renameOld(draft, note);
  migrateInterfaces(draft, note);
  migrateFlags(draft, note);
  migrateProvider(draft, note);
  migrateSecurity(draft, note);
  const card = conform(SHAPES.messages.get('AgentCard') as MessageShape, draft, '', note) as Draft;
  return { card, moves };
}

function renameOld(draft: Draft, note: Note): void {
  for (const name of OLD_NAMES) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (!Object.hasOwn(draft, snake) || Object.hasOwn(draft, name)) continue;
    draft[name] = draft[snake];
    delete draft[snake];
    note('renamed', `/${snake}`, `is ${name}`);
  }
}

/** Takes a member out of the draft. */
function take(draft: Draft, name: string): unknown {
  const value = Object.hasOwn(draft, name) ? draft[name] : undefined;
  delete draft[name];
  return value;
}

function migrateInterfaces(draft: Draft, note: Note): void {
  const url = take(draft, 'url');
  const version = take(draft, 'protocolVersion');
  const transport = take(draft, 'preferredTransport');
  const additional = take(draft, 'additionalInterfaces');
  const present = draft.supportedInterfaces ?? draft.supported_interfaces;
  if (Array.isArray(present) && present.length > 0) {
    for (const [name, value] of Object.entries({
      url,
      protocolVersion: version,
      preferredTransport: transport,
      additionalInterfaces: additional,
    })) {
      if (value !== undefined) note('dropped', `/${name}`, 'supportedInterfaces says it already');
    }
    return;
  }
  delete draft.supported_interfaces;
  const spoken = typeof version === 'string' ? (majorMinor(version) ?? version) : undefined;
  const interfaces: Draft[] = [];
  const add = (address: unknown, binding: unknown, from: string): void => {
    if (
      typeof address !== 'string' ||
      interfaces.some((known) => known.url === address && known.protocolBinding === binding)
    )
      return;
    note('moved', from, 'is an interface', `/supportedInterfaces/${interfaces.length}`);
    interfaces.push({
      url: address,
      protocolBinding: binding,
      ...(spoken !== undefined && { protocolVersion: spoken }),
    });
  };
  add(url, transport ?? 'JSONRPC', '/url');
  if (url !== undefined && transport === undefined)
    note('unknown', '/preferredTransport', 'is not said; 0.3 takes JSONRPC then');
  for (const [index, entry] of Array.isArray(additional) ? additional.entries() : []) {
    if (isObject(entry)) add(entry.url, entry.transport, `/additionalInterfaces/${index}`);
  }
  if (interfaces.length > 0) draft.supportedInterfaces = interfaces;
  if (spoken !== undefined)
    note('moved', '/protocolVersion', 'is that of each interface', '/supportedInterfaces/0/protocolVersion');
  else note('unknown', '/protocolVersion', 'is not said, so the interfaces have none');
}

function migrateFlags(draft: Draft, note: Note): void {
  const capabilities: Draft = isObject(draft.capabilities) ? { ...draft.capabilities } : {};
  for (const name of ['supportsAuthenticatedExtendedCard', 'supportsExtendedAgentCard']) {
    const flag = take(draft, name);
    if (flag === undefined) continue;
    if (typeof flag === 'boolean') capabilities.extendedAgentCard ??= flag;
    note('moved', `/${name}`, 'is a capability', '/capabilities/extendedAgentCard');
  }
  if (take(capabilities, 'stateTransitionHistory') !== undefined) {
    note('dropped', '/capabilities/stateTransitionHistory', 'was removed in 1.0');
  }
  if (isObject(draft.capabilities) || Object.keys(capabilities).length > 0) draft.capabilities = capabilities;
}

function migrateProvider(draft: Draft, note: Note): void {
  if (!isObject(draft.provider)) return;
  const provider = { ...draft.provider };
  const name = take(provider, 'name');
  if (name !== undefined && provider.organization === undefined) {
    provider.organization = name;
    note('renamed', '/provider/name', 'is organization', '/provider/organization');
  }
  draft.provider = provider;
}

function migrateSecurity(draft: Draft, note: Note): void {
  if (isObject(draft.securitySchemes)) {
    draft.securitySchemes = Object.fromEntries(
      Object.entries(draft.securitySchemes).map(([name, scheme]) => [
        name,
        migrateScheme(scheme, joinPath('/securitySchemes', name), note),
      ]),
    );
  }
  migrateRequirements(draft, '', note);
  if (!Array.isArray(draft.skills)) return;
  draft.skills = draft.skills.map((skill, index) => {
    const copy = isObject(skill) ? { ...skill } : skill;
    if (isObject(copy)) migrateRequirements(copy as Draft, `/skills/${index}`, note);
    return copy;
  });
}

/** What 1.0 has a place for, by the field table; proto names get their JSON names. */
function conform(shape: MessageShape, value: Json, path: string, note: Note): unknown {
  const kept: Draft = {};
  for (const [key, member] of Object.entries(value)) {
    const place = joinPath(path, key);
    const field = shape.fields.get(key) ?? shape.aliases.get(key);
    if (field === undefined) {
      // What may mean that authentication is needed stays, so that it is never read as public.
      if (key === 'security' || key === 'authentication') kept[key] = member;
      else note('dropped', place, '1.0 has no place for it');
      continue;
    }
    if (member === null) continue;
    if (key !== field.name) note('renamed', place, `is ${field.name}`, joinPath(path, field.name));
    const inner = SHAPES.messages.get(field.type);
    kept[field.name] = inner === undefined ? member : conformAll(inner, member, place, note, field.map === true);
  }
  return kept;
}

function conformAll(shape: MessageShape, value: unknown, path: string, note: Note, isMap: boolean): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (isObject(item) ? conform(shape, item, joinPath(path, index), note) : item));
  if (!isObject(value)) return value;
  if (!isMap) return conform(shape, value, path, note);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isObject(item) ? conform(shape, item, joinPath(path, key), note) : item,
    ]),
  );
}
