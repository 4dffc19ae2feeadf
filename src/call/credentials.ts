import type { Access, AgentProfile, SchemeKind, SkillProfile } from '../card/profile.ts';
import type { Authentication, RequirementSet } from '../card/security.ts';
import { isHeaderName, isHeaderText, isOwnedHeader } from '../schema/headers.ts';

/** A credential: its text, or a function that fetches it when a call needs it. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name that the card's `securitySchemes` gives the scheme. */
export type Credentials = Readonly<Record<string, Credential>>;

/** What a call can authenticate with: the guard's credentials, and headers that the caller set himself. */
export interface Means {
  readonly credentials: Credentials;
  /** The headers of this call, by their lower-case names. */
  readonly headers: Headers;
  /** Credentials are there, but are not for this origin. */
  readonly withheld: boolean;
}

/** What has to be added to a request. */
export interface Placement {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The texts that were placed, so that they can be kept out of tickets. */
  readonly secrets: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

const hasOwn = (credentials: Credentials, name: string): boolean => Object.hasOwn(credentials, name);

/** Whether a header that the caller set carries what a scheme asks for. */
function isPlaced(scheme: SchemeKind | undefined, headers: Headers): boolean {
  switch (scheme?.kind) {
    case 'http':
    case 'bearer':
      return Object.hasOwn(headers, 'authorization');
    case 'apiKey':
      return scheme.location === 'header'
        ? Object.hasOwn(headers, scheme.name.toLowerCase())
        : scheme.location === 'cookie' && Object.hasOwn(headers, 'cookie');
    default:
      return false;
  }
}

const isSecretText = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && isHeaderText(text);

/** Whether a card may decide where a scheme puts its text: in no header that the exchange owns, and in no other line. */
function isPlaceable(scheme: SchemeKind): boolean {
  if (scheme.kind === 'http') return isHeaderName(scheme.scheme);
  if (scheme.kind !== 'apiKey' || scheme.location === 'query') return true;
  return isHeaderName(scheme.name) && (scheme.location === 'cookie' || isOwnedHeader(scheme.name) === undefined);
}

/** Whether the client has a credential of this name that can be sent as its scheme asks. What a function fetches is seen later. */
function canSend(name: string, { schemes }: Access, { credentials }: Means): boolean {
  if (!hasOwn(credentials, name)) return false;
  const scheme = schemes.get(name);
  if (scheme === undefined || scheme.kind === 'mtls') return true;
  return isPlaceable(scheme) && (typeof credentials[name] === 'function' || isSecretText(credentials[name]));
}

function meets(set: RequirementSet, profile: Access, means: Means): boolean {
  return set.every(({ name }) => canSend(name, profile, means) || isPlaced(profile.schemes.get(name), means.headers));
}

/** The requirements of the card, and of the named skill on top. Each of them has to be met. */
function requirementsOf(profile: Access, skill: SkillProfile | undefined): readonly Authentication[] {
  return skill === undefined ? [profile.authentication] : [profile.authentication, skill.authentication];
}

function isMet(authentication: Authentication, profile: Access, means: Means): boolean {
  if (authentication.unreadable) {
    return (
      [...profile.schemes.keys()].some((name) => canSend(name, profile, means)) ||
      Object.hasOwn(means.headers, 'authorization')
    );
  }
  return authentication.anyOf.length === 0 || authentication.anyOf.some((set) => meets(set, profile, means));
}

/**
 * What the card asks for and the client lacks, as alternatives ("bearer, or key and mtls"); undefined when the client
 * can authenticate or nothing is required.
 */
export function missingCredentials(profile: Access, skill: SkillProfile | undefined, means: Means): string | undefined {
  const open = requirementsOf(profile, skill).find((authentication) => !isMet(authentication, profile, means));
  if (open === undefined) return undefined;
  if (open.unreadable) return 'something that this card does not say in a readable form';
  return open.anyOf.map((set) => set.map(({ name }) => name).join(' and ')).join(', or ');
}

/** Nothing is asked for, and nothing placed. */
const NOTHING: Placement = { headers: {}, query: {}, secrets: [] };

/** What is placed where nothing is asked for; undefined where something may have to be fetched. */
export function placeNothing(profile: Access, skill: SkillProfile | undefined): Placement | undefined {
  const isOpen = requirementsOf(profile, skill).every(({ unreadable, anyOf }) => !unreadable && anyOf.length === 0);
  return isOpen ? NOTHING : undefined;
}

/**
 * Fetches the credentials that the requirements ask for and puts each where its scheme says. Credentials that nothing
 * requires are not fetched and not sent.
 */
export async function placeCredentials(
  profile: AgentProfile,
  skill: SkillProfile | undefined,
  means: Means,
): Promise<Placement> {
  const headers = new Map<string, string>();
  const query = new Map<string, string>();
  const secrets: string[] = [];
  for (const authentication of requirementsOf(profile, skill)) {
    const set = authentication.unreadable
      ? [...profile.schemes.keys()].map((name) => ({ name, scopes: [] }))
      : (authentication.anyOf.find((candidate) => meets(candidate, profile, means)) ?? []);
    for (const { name } of set) {
      const scheme = profile.schemes.get(name);
      if (scheme === undefined || !canSend(name, profile, means) || isPlaced(scheme, means.headers)) continue;
      if (scheme.kind === 'mtls') continue;
      const text = await readCredential(means.credentials[name] as Credential, name);
      secrets.push(text);
      place(scheme, text, headers, query);
    }
  }
  return { headers: Object.fromEntries(headers), query: Object.fromEntries(query), secrets };
}

/** @throws TypeError for what is no credential; its text is not quoted. */
async function readCredential(credential: Credential, name: string): Promise<string> {
  const text: unknown = typeof credential === 'function' ? await credential() : credential;
  if (isSecretText(text)) return text;
  throw new TypeError(`credentials.${name.slice(0, 80)}: the function gave no text that can be sent`);
}

/** Whether a header, by its name, carries a secret. */
export function isSecretHeader(name: string): boolean {
  return /auth|cookie|key|token|secret/i.test(name);
}

/** The secrets among the headers that a caller set himself: without their scheme, as an agent would echo them. */
export function secretsIn(headers: Headers): string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecretHeader(name))
    .map(([, text]) => text.replace(/^[A-Za-z]+ +/, ''))
    .filter((text) => text !== '');
}

/** Spellings that servers compare by. */
const SCHEMES: Readonly<Record<string, string>> = { bearer: 'Bearer', basic: 'Basic', digest: 'Digest' };

const schemeName = (scheme: string): string =>
  Object.hasOwn(SCHEMES, scheme.toLowerCase()) ? (SCHEMES[scheme.toLowerCase()] as string) : scheme;

function place(
  scheme: Exclude<SchemeKind, { kind: 'mtls' }>,
  text: string,
  headers: Map<string, string>,
  query: Map<string, string>,
): void {
  switch (scheme.kind) {
    case 'bearer':
      headers.set('authorization', `Bearer ${text}`);
      return;
    case 'http':
      headers.set('authorization', `${schemeName(scheme.scheme)} ${text}`);
      return;
    case 'apiKey':
      placeKey(scheme.location, scheme.name, text, headers, query);
  }
}

function placeKey(
  location: string,
  name: string,
  text: string,
  headers: Map<string, string>,
  query: Map<string, string>,
): void {
  if (location === 'query') query.set(name, text);
  else if (location === 'cookie')
    headers.set('cookie', [headers.get('cookie'), `${name}=${text}`].filter(Boolean).join('; '));
  else headers.set(name.toLowerCase(), text);
}
