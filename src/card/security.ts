import { type MessageShape, SHAPES } from '../schema/fields.ts';
import { joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { hasLegacySecurity } from './leftovers.ts';
import {
  type Item,
  isUnsetText,
  type Json,
  readField,
  readObject,
  readObjects,
  readTexts,
  writtenName,
} from './read.ts';

/** Where an API key may travel (§4.5.2). */
const LOCATIONS = ['query', 'header', 'cookie'];

/** The members of a oneof group that are set in a value. */
function chosen(message: string, value: Json): string[] {
  return membersOf(message).filter((name) => readField(message, value, name) !== undefined);
}

function membersOf(message: string): string[] {
  return [...(SHAPES.messages.get(message)?.oneofs.values() ?? [])].flat().map((field) => field.name);
}

/** What a security object lacks: a REQUIRED member, or the one choice of its oneof. */
function problemOf(message: string, value: Json): string | undefined {
  const shape = SHAPES.messages.get(message) as MessageShape;
  const missing = shape.required.find((field) => {
    const member = readField(message, value, field.name);
    return field.type === 'string' && !field.map ? isUnsetText(member) : member === undefined;
  });
  if (missing !== undefined) return `has no ${missing.name}`;
  const choices = membersOf(message);
  const set = chosen(message, value);
  if (choices.length > 0 && set.length !== 1) {
    const wanted = choices.join(', ');
    if (Object.values(value).some((member) => isObject(member) && Object.hasOwn(member, '$case'))) {
      return 'is in the in-memory form of an SDK; serve what its toJSON gives';
    }
    return set.length === 0 ? `has none of ${wanted}` : `has ${set.join(' and ')}; exactly one is allowed`;
  }
  return undefined;
}

function shapeFault(path: string, problem: string): Fault {
  const message = `${placeOf(path)} ${problem}. What cannot be read is never taken for "no authentication".`;
  return { id: 'security-scheme-shape', path, message };
}

/** Judges one security object and the one that it chooses, down to the OAuth flow. */
function checkSchemeObject(message: string, value: Json, path: string): Fault[] {
  const problem = problemOf(message, value);
  if (problem !== undefined) return [shapeFault(path, problem)];
  if (message === 'APIKeySecurityScheme' && !LOCATIONS.includes(String(readField(message, value, 'location')))) {
    return [shapeFault(`${path}/location`, `is not one of ${LOCATIONS.join(', ')}`)];
  }
  const shape = SHAPES.messages.get(message) as MessageShape;
  return [...shape.fields.values()].flatMap((field) => {
    const member = readField(message, value, field.name);
    if (!SHAPES.messages.has(field.type) || !isObject(member)) return [];
    return checkSchemeObject(field.type, member, joinPath(path, writtenName(message, value, field.name)));
  });
}

/** The requirements of the card and of its skills. */
function readRequirements({ card, skills }: CardFacts): Item[] {
  const ofSkills = skills.flatMap(({ item, path }) =>
    readObjects('AgentSkill', item, 'securityRequirements').map((entry) => ({ ...entry, path: path + entry.path })),
  );
  return [...readObjects('AgentCard', card, 'securityRequirements'), ...ofSkills];
}

function requirementProblem({ item }: Item): string | undefined {
  const schemes = readField('SecurityRequirement', item, 'schemes');
  if (schemes === undefined) {
    return Object.keys(item).length === 0 ? 'is an empty entry' : 'has no schemes; it looks like the flat 0.3 style';
  }
  if (!isObject(schemes)) return undefined;
  return Object.keys(schemes).length === 0 ? 'names no scheme' : undefined;
}

function checkRequirement(requirement: Item, declared: Json): Fault[] {
  const { item, path } = requirement;
  const problem = requirementProblem(requirement);
  if (problem !== undefined) {
    const message = `${placeOf(path)} ${problem}. What cannot be read is never taken for "no authentication".`;
    return [{ id: 'security-requirement-shape', path, message }];
  }
  const schemes = readObject('SecurityRequirement', item, 'schemes') ?? {};
  return Object.keys(schemes)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => {
      const place = joinPath(`${path}/schemes`, name);
      const message = `${placeOf(place)} names a scheme that securitySchemes does not declare.`;
      return { id: 'security-requirement-declared', path: place, message };
    });
}

/** Schemes and requirements can be read, fit together, and are not there for nothing. A 0.x card has other shapes. */
export function checkSecurity(facts: CardFacts): Fault[] {
  const { card, legacy, shaped, skills } = facts;
  if (legacy) return [];
  const schemes = readObject('AgentCard', card, 'securitySchemes') ?? {};
  const base = `/${writtenName('AgentCard', card, 'securitySchemes')}`;
  const requirements = readRequirements(facts);
  const faults = Object.entries(shaped ? {} : schemes).flatMap(([name, scheme]) =>
    isObject(scheme) ? checkSchemeObject('SecurityScheme', scheme, joinPath(base, name)) : [],
  );
  for (const requirement of requirements) faults.push(...checkRequirement(requirement, schemes));
  const isFree = requirements.length === 0 && ![card, ...skills.map(({ item }) => item)].some(hasLegacySecurity);
  if (isFree && Object.keys(schemes).length > 0) {
    const message = 'Schemes are declared but nothing requires one, so the card says that calls need no credentials.';
    faults.push({ id: 'security-required', path: base, message });
  }
  return faults;
}

/** One way to meet the card's requirements: every scheme in it is needed. */
export type RequirementSet = readonly { readonly name: string; readonly scopes: readonly string[] }[];

export interface Authentication {
  /** Any one of these suffices; empty when nothing is required. */
  readonly anyOf: readonly RequirementSet[];
  /** Something is required that cannot be read: no credentials are known to suffice. */
  readonly unreadable: boolean;
}

/** What one holder (the card, or a skill of it) requires. Unreadable requirements are never "public". */
export function readAuthentication(message: 'AgentCard' | 'AgentSkill', holder: Json): Authentication {
  const list = readField(message, holder, 'securityRequirements');
  const listed = Array.isArray(list) ? list.length : list === undefined ? 0 : 1;
  const readable = readObjects(message, holder, 'securityRequirements').filter(
    (entry) =>
      requirementProblem(entry) === undefined && isObject(readField('SecurityRequirement', entry.item, 'schemes')),
  );
  const anyOf = readable.map(({ item }) =>
    Object.entries(readObject('SecurityRequirement', item, 'schemes') ?? {}).map(([name, scopes]) => ({
      name,
      scopes: isObject(scopes) ? readTexts('StringList', scopes, 'list').map(({ text }) => text) : [],
    })),
  );
  const unreadable = anyOf.length === 0 && (listed > 0 || hasLegacySecurity(holder));
  return { anyOf, unreadable };
}
