import { SHAPES } from '../schema/fields.ts';
import { joinPath, placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import type { Json } from './read.ts';

/**
 * Forms of credentials that their issuers document: what comes before a mark, the mark, and what follows. Marks are rare
 * in prose, so that most texts are passed over after one look for them. Each form starts where a run of its letters
 * starts, so that none is tried twice.
 */
const TOKENS: readonly (readonly [before: string, mark: string, after: string])[] = [
  ['\\b', 'AKIA', '[0-9A-Z]{16}\\b'],
  ['\\bgh[pousr]', '_', '[A-Za-z0-9]{36,255}\\b'],
  ['\\bgithub_pat', '_', '[A-Za-z0-9_]{22,255}\\b'],
  ['\\bglpat', '-', '[A-Za-z0-9_-]{20,255}'],
  ['\\bsk', '-', '(?:ant-|proj-|svcacct-)[A-Za-z0-9_-]{20,255}'],
  ['\\bsk', '-', '(?=[A-Za-z]*\\d)[A-Za-z0-9]{20,255}\\b'],
  ['\\b[sr]k_live', '_', '[A-Za-z0-9]{16,255}'],
  ['\\bxox[abeprs]', '-', '[A-Za-z0-9-]{10,255}'],
  ['\\b', 'AIza', '[A-Za-z0-9_-]{35}'],
  ['\\bya29', '\\.', '[A-Za-z0-9_-]{20,255}'],
  ['-----', 'BEGIN', ' (?:[A-Z]+ ){0,3}PRIVATE KEY-----'],
  ['(?<![A-Za-z0-9_-])ey', 'J', '[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,4096}\\.[A-Za-z0-9_-]{16,4096}'],
  ['\\b', 'B(?:earer|asic) ', '(?=\\S{0,255}\\d\\S{0,255}\\d)(?=\\S{0,255}[A-Za-z])[A-Za-z0-9+/_.=-]{20,255}'],
  ['://[^/\\s:@]{1,255}:[^/\\s:@]{1,255}', '@', ''],
];
const TOKEN = new RegExp(TOKENS.map((parts) => parts.join('')).join('|'));

const NAME =
  '(?:x-)?(?:pass(?:word|wd|phrase)|(?:client_?|api_?)?secret(?:_?key)?|api[_-]?(?:key|token)|(?:(?:access|refresh|auth|bearer|id|session)_?)?token|private_?key|credentials?)';
const SECRET_NAME = new RegExp(`^${NAME}$`, 'i');
/** The same names as members of a URL's query. */
const SECRET_IN_QUERY = new RegExp(`[?&]${NAME}=([^&#\\s]{1,255})`, 'i');

/** The mark of a token, or of a URL's query. */
const MARKS = [...TOKENS.map(([before, mark]) => `${mark}(?<=${before}${mark})`), '[?&](?=\\S*=)'];
const MARK = new RegExp([...new Set(MARKS)].join('|'));

/** A value that is no word, placeholder or sentence: letters and digits, twelve or more. */
const SECRET_VALUE = /^(?!https?:)(?![<{$*]|your|example)(?=\S*\d)(?=\S*[A-Za-z])[^\s<>{}]{12,4096}$/i;
/** Phrases of several words with a digit somewhere are secrets only under a name that says so outright. */
const PASSWORD_NAME = /^pass(?:word|wd|phrase)$/i;

/** Names of fields that say nothing of secrets; most members of a card have one. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(
  [...SHAPES.messages.values()]
    .flatMap(({ fields, aliases }) => [...fields.keys(), ...aliases.keys()])
    .filter((name) => !SECRET_NAME.test(name)),
);

function isSecretMember(key: string, text: string): boolean {
  if (PLAIN_NAMES.has(key)) return false;
  if (PASSWORD_NAME.test(key)) return /^(?![<{$*]|your|example|required|optional|none)[^\s<>{}]{8,4096}$/i.test(text);
  return SECRET_NAME.test(key) && SECRET_VALUE.test(text);
}

function holdsSecret(text: string): boolean {
  if (!MARK.test(text)) return false;
  if (TOKEN.test(text)) return true;
  const value = SECRET_IN_QUERY.exec(text)?.[1];
  return value !== undefined && SECRET_VALUE.test(value);
}

/** Members whose own members are named by the card's owner: names of schemes and scopes, not of what they hold. */
const NAMED_BY_OWNER = new Set(['scopes', 'schemes', 'security', 'securityRequirements', 'security_requirements']);

/** The steps to a place, from the place up. */
type Climb = (string | number)[];

/** Credentials in a card, by path; the value is never shown. Signatures are public and are left out. */
export function checkSecrets(card: Json): Fault[] {
  const found: Climb[] = [];
  for (const name of Object.keys(card)) {
    if (name !== 'signatures') visitMember(name, card[name], name, found);
  }
  return found.map(secretAt);
}

/** Most cards have no credential, so the way to one is put together only when it was found. */
function visitMember(step: string | number, member: unknown, key: string | undefined, found: Climb[]): void {
  const before = found.length;
  visit(member, key, found);
  for (let index = before; index < found.length; index += 1) found[index]?.push(step);
}

function visit(value: unknown, key: string | undefined, found: Climb[]): void {
  if (typeof value === 'string') {
    if (holdsSecret(value) || (key !== undefined && isSecretMember(key, value))) found.push([]);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) visitMember(index, value[index], key, found);
  } else if (typeof value === 'object' && value !== null) {
    const isNamed = key !== undefined && !NAMED_BY_OWNER.has(key);
    for (const name in value) visitMember(name, (value as Json)[name], isNamed ? name : undefined, found);
  }
}

function secretAt(climb: Climb): Fault {
  const path = climb.reduceRight<string>(joinPath, '');
  const message = `${placeOf(path)} looks like a credential. A card is public: remove it, and revoke it.`;
  return { id: 'no-secret', path, message };
}
