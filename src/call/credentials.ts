import type { AgentProfile, SchemeKind, SkillProfile } from '../card/profile.ts';
import type { Authentication, RequirementSet } from '../card/security.ts';
import { isHeaderName, isHeaderText, isOwnedHeader } from '../schema/headers.ts';

/** A credential: its text, or a function that fetches it when a call needs it. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name that the card's `securitySchemes` gives the scheme. */
export type Credentials = Readonly<Record<string, Credential>>;

/** What a call can authenticate with: the guard's credentials, and headers that the caller set himself. */
export interface Means {
  readonly credentials: Credentials;
  /** Lower-case names of the headers of this call. */
  readonly headers: ReadonlySet<string>;
  /** Credentials are there, but are not for this origin. */
  readonly withheld?: boolean;
}

/** What has to be added to a request. */
export interface Placement {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The texts that were placed, so that they can be kept out of tickets. */
  readonly secrets: readonly string[];
}

const hasOwn = (credentials: Credentials, name: string): boolean => Object.hasOwn(credentials, name);

/** Whether a header that the caller set carries what a scheme asks for. */
function isPlaced(scheme: SchemeKind | undefined, headers: ReadonlySet<string>): boolean {
  switch (scheme?.kind) {
    case 'http':
    case 'bearer':
      return headers.has('authorization');
    case 'apiKey':
      return scheme.location === 'header'
        ? headers.has(scheme.name.toLowerCase())
        : scheme.location === 'cookie' && headers.has('cookie');
    default:
      return false;
  }
}

function meets(set: RequirementSet, profile: AgentProfile, means: Means): boolean {
  return set.every(({ name }) => hasOwn(means.credentials, name) || isPlaced(profile.schemes.get(name), means.headers));
}

/** The requirements of the card, and of the named skill on top. Each of them has to be met. */
function requirementsOf(profile: AgentProfile, skill: SkillProfile | undefined): readonly Authentication[] {
  return skill === undefined ? [profile.authentication] : [profile.authentication, skill.authentication];
}

function isMet(authentication: Authentication, profile: AgentProfile, means: Means): boolean {
  if (authentication.unreadable) {
    return (
      [...profile.schemes.keys()].some((name) => hasOwn(means.credentials, name)) || means.headers.has('authorization')
    );
  }
  return authentication.anyOf.length === 0 || authentication.anyOf.some((set) => meets(set, profile, means));
}

/**
 * What the card asks for and the client lacks, as alternatives ("bearer, or key and mtls"); undefined when the client
 * can authenticate or nothing is required.
 */
export function missingCredentials(
  profile: AgentProfile,
  skill: SkillProfile | undefined,
  means: Means,
): string | undefined {
  const open = requirementsOf(profile, skill).find((authentication) => !isMet(authentication, profile, means));
  if (open === undefined) return undefined;
  if (open.unreadable) return 'something that this card does not say in a readable form';
  return open.anyOf.map((set) => set.map(({ name }) => name).join(' and ')).join(', or ');
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
      if (scheme === undefined || !hasOwn(means.credentials, name) || isPlaced(scheme, means.headers)) continue;
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
  if (typeof text === 'string' && text.trim() !== '' && isHeaderText(text)) return text;
  throw new TypeError(`credentials.${name.slice(0, 80)}: the function gave no text that can be sent`);
}

/** Whether a header, by its name, carries a secret. */
export function isSecretHeader(name: string): boolean {
  return /auth|cookie|key|token|secret/i.test(name);
}

/** The secrets among the headers that a caller set himself: without their scheme, as an agent would echo them. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecretHeader(name))
    .map(([, text]) => text.replace(/^[A-Za-z]+ +/, ''))
    .filter((text) => text !== '');
}

/** Spellings that servers compare by. */
const SCHEMES: Readonly<Record<string, string>> = { bearer: 'Bearer', basic: 'Basic', digest: 'Digest' };

const schemeName = (scheme: string): string =>
  Object.hasOwn(SCHEMES, scheme.toLowerCase()) ? (SCHEMES[scheme.toLowerCase()] as string) : scheme;

function place(scheme: SchemeKind, text: string, headers: Map<string, string>, query: Map<string, string>): void {
  switch (scheme.kind) {
    case 'mtls':
      return;
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

/** @throws TypeError for a header that the exchange itself owns: a card does not decide it. */
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
  else if (isOwnedHeader(name) || !isHeaderName(name))
    throw new TypeError('the card puts its key into a header that is not free');
  else headers.set(name.toLowerCase(), text);
}
