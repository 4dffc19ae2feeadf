import type { AgentProfile, SchemeKind, SkillProfile } from '../card/profile.ts';
import type { Authentication, RequirementSet } from '../card/security.ts';

/** A credential: its text, or a function that fetches it when a call needs it. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials by the name that the card's `securitySchemes` gives the scheme. */
export type Credentials = Readonly<Record<string, Credential>>;

/** What a call can authenticate with: the guard's credentials, and headers that the caller set himself. */
export interface Means {
  readonly credentials: Credentials;
  /** Lower-case names of the headers of this call. */
  readonly headers: ReadonlySet<string>;
}

/** What has to be added to a request. */
export interface Placement {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
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
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const authentication of requirementsOf(profile, skill)) {
    const set = authentication.unreadable
      ? [...profile.schemes.keys()].map((name) => ({ name, scopes: [] }))
      : (authentication.anyOf.find((candidate) => meets(candidate, profile, means)) ?? []);
    for (const { name } of set) {
      const scheme = profile.schemes.get(name);
      if (scheme === undefined || !hasOwn(means.credentials, name) || isPlaced(scheme, means.headers)) continue;
      const credential = means.credentials[name] as Credential;
      const text = typeof credential === 'function' ? await credential() : credential;
      place(scheme, text, headers, query);
    }
  }
  return { headers, query };
}

function place(scheme: SchemeKind, text: string, headers: Record<string, string>, query: Record<string, string>): void {
  switch (scheme.kind) {
    case 'mtls':
      return;
    case 'bearer':
      headers.authorization = `Bearer ${text}`;
      return;
    case 'http':
      headers.authorization = `${scheme.scheme} ${text}`;
      return;
    case 'apiKey':
      if (scheme.location === 'query') query[scheme.name] = text;
      else if (scheme.location === 'header') headers[scheme.name.toLowerCase()] = text;
      else headers.cookie = [headers.cookie, `${scheme.name}=${text}`].filter(Boolean).join('; ');
  }
}
