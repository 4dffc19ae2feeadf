import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import type { Json } from './read.ts';

/** Members of a card that say whose agent it is, and whether and how it is called. */
const WATCHED = [
  ['name', 'its name'],
  ['provider', 'its provider'],
  ['supportedInterfaces', 'its interfaces'],
  ['capabilities', 'its capabilities'],
  ['securitySchemes', 'its security schemes'],
  ['securityRequirements', 'its security requirements'],
  ['skills', 'its skills'],
  ['defaultInputModes', 'the media types that it takes'],
  ['defaultOutputModes', 'the media types that it answers with'],
] as const;

/** JSON text with the members of every object in one order: two that say the same have the same text. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ''
  );
}

const isSigned = ({ signatures }: Json): boolean => Array.isArray(signatures) && signatures.length > 0;

/** What became different between two cards of one agent. Sound cards only; values are not shown. */
export function checkChanges(before: Json, after: Json): Fault[] {
  if (textOf(before) === textOf(after)) return [];
  const changed = WATCHED.filter(([name]) => textOf(before[name]) !== textOf(after[name]));
  const faults = changed.map(([name, what]): Fault => {
    return { id: 'card-changed', path: `/${name}`, message: `The card changed ${what} since it was last fetched.` };
  });
  if (isSigned(before) && !isSigned(after)) {
    faults.push({ id: 'card-changed', path: '/signatures', message: 'The card was signed, and no longer is.' });
  }
  if (textOf(before.version) !== textOf(after.version)) return faults;
  const message = 'The card changed, but its version did not.';
  return [...faults, { id: 'card-version', path: '/version', message }];
}
