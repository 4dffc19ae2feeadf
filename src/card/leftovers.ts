import type { CheckId } from '../checks.ts';
import { joinPath, placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { type Json, readObject } from './read.ts';

interface Leftover {
  readonly id: CheckId;
  readonly place: 'card' | 'provider' | 'capabilities';
  readonly key: string;
  /** Where 1.0 has it, or what became of it. */
  readonly now: string;
}

/** Members of 0.x cards and their 1.0 places. */
const LEFTOVERS: readonly Leftover[] = [
  { id: 'no-top-level-url', place: 'card', key: 'url', now: 'is supportedInterfaces[0].url in 1.0' },
  {
    id: 'no-top-level-protocolVersion',
    place: 'card',
    key: 'protocolVersion',
    now: 'is supportedInterfaces[].protocolVersion in 1.0',
  },
  {
    id: 'no-preferredTransport',
    place: 'card',
    key: 'preferredTransport',
    now: 'is the order of supportedInterfaces in 1.0',
  },
  {
    id: 'no-additionalInterfaces',
    place: 'card',
    key: 'additionalInterfaces',
    now: 'is supportedInterfaces in 1.0 (transport is protocolBinding)',
  },
  ...['supportsAuthenticatedExtendedCard', 'supportsExtendedAgentCard'].map(
    (key): Leftover => ({
      id: 'no-supportsAuthenticatedExtendedCard',
      place: 'card',
      key,
      now: 'is capabilities.extendedAgentCard in 1.0',
    }),
  ),
  { id: 'no-provider-name', place: 'provider', key: 'name', now: 'is provider.organization in 1.0' },
  {
    id: 'no-stateTransitionHistory',
    place: 'capabilities',
    key: 'stateTransitionHistory',
    now: 'was removed in 1.0',
  },
  {
    id: 'no-legacy-authentication',
    place: 'card',
    key: 'authentication',
    now: 'is securitySchemes with securityRequirements in 1.0',
  },
];

/** 0.x members that are still there, whatever their value. */
export function checkLeftovers({ card, shaped, skills }: CardFacts): Fault[] {
  if (shaped) return [];
  const faults = LEFTOVERS.flatMap(({ id, place, key, now }): Fault[] => {
    const value = place === 'card' ? card : readObject('AgentCard', card, place);
    if (value === undefined || !Object.hasOwn(value, key)) return [];
    const path = joinPath(place === 'card' ? '' : `/${place}`, key);
    return [{ id, path, message: `${placeOf(path)} is left over from 0.x; it ${now}.` }];
  });
  for (const { item, path } of [{ item: card, path: '' }, ...skills]) {
    if (!Object.hasOwn(item, 'security')) continue;
    const place = `${path}/security`;
    const message = `${placeOf(place)} is the 0.3 name; it is read as "authentication required". 1.0 has securityRequirements.`;
    faults.push({ id: 'no-legacy-security', path: place, message });
  }
  return faults;
}

/** What became of a 0.x member in 1.0, by its path; undefined for a member that 0.x did not have either. */
export function leftoverMove(path: string): string | undefined {
  const found = LEFTOVERS.find(({ place, key }) => path === joinPath(place === 'card' ? '' : `/${place}`, key));
  return found === undefined ? undefined : `It ${found.now}.`;
}

/** Whether a card or skill asks for authentication in an older way: `security` or `authentication` that says something. */
export function hasLegacySecurity(holder: Json): boolean {
  return ['security', 'authentication'].some((name) => Object.hasOwn(holder, name) && saysSomething(holder[name]));
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
