import { readFlag } from './capability.ts';
import type { Json } from './read.ts';
import { readField, readObject, readObjects, readText, readTexts } from './read.ts';
import { type Authentication, readAuthentication } from './security.ts';

/** How credentials of one scheme travel (§4.5). */
export type SchemeKind =
  | { readonly kind: 'apiKey'; readonly location: string; readonly name: string }
  | { readonly kind: 'http'; readonly scheme: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'mtls' };

export interface SkillProfile {
  /** Undefined where the card's defaults hold. */
  readonly inputModes: readonly string[] | undefined;
  readonly outputModes: readonly string[] | undefined;
  readonly authentication: Authentication;
}

/** What a card asks for before it lets anybody in. */
export interface Access {
  readonly authentication: Authentication;
  readonly schemes: ReadonlyMap<string, SchemeKind>;
}

/** What the calls need to know of a card, read once. */
export interface AgentProfile extends Access {
  /** true, false, or undefined when absent. */
  readonly flags: {
    readonly streaming: boolean | undefined;
    readonly pushNotifications: boolean | undefined;
    readonly extendedAgentCard: boolean | undefined;
  };
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
  /** Undefined: nothing was declared, so nothing is refused. */
  readonly inputModes: readonly string[] | undefined;
  readonly outputModes: readonly string[] | undefined;
  readonly skills: ReadonlyMap<string, SkillProfile>;
}

/** Reads a card into what calls are judged by. */
export function readProfile(card: Json): AgentProfile {
  const capabilities = readObject('AgentCard', card, 'capabilities') ?? {};
  const skills = readObjects('AgentCard', card, 'skills').flatMap(({ item }): [string, SkillProfile][] => {
    const id = readText('AgentSkill', item, 'id');
    return id === undefined ? [] : [[id, readSkill(item)]];
  });
  return {
    flags: {
      streaming: readFlag(capabilities, 'streaming'),
      pushNotifications: readFlag(capabilities, 'pushNotifications'),
      extendedAgentCard: readFlag(capabilities, 'extendedAgentCard'),
    },
    extensions: readObjects('AgentCapabilities', capabilities, 'extensions').flatMap(({ item }) => {
      const uri = readText('AgentExtension', item, 'uri');
      return uri === undefined ? [] : [{ uri, required: readField('AgentExtension', item, 'required') === true }];
    }),
    inputModes: readModes('AgentCard', card, 'defaultInputModes'),
    outputModes: readModes('AgentCard', card, 'defaultOutputModes'),
    skills: new Map(skills),
    ...readAccess(card),
  };
}

/** The part of the profile that credentials are compared with. */
export function readAccess(card: Json): Access {
  return { authentication: readAuthentication('AgentCard', card), schemes: readSchemes(card) };
}

function readSkill(skill: Json): SkillProfile {
  return {
    inputModes: readModes('AgentSkill', skill, 'inputModes'),
    outputModes: readModes('AgentSkill', skill, 'outputModes'),
    authentication: readAuthentication('AgentSkill', skill),
  };
}

function readModes(message: string, holder: Json, name: string): readonly string[] | undefined {
  const modes = readTexts(message, holder, name).map(({ text }) => text);
  return modes.length === 0 ? undefined : modes;
}

/** The security schemes of a card that can be read, by name. */
export function readSchemes(card: Json): ReadonlyMap<string, SchemeKind> {
  const schemes = new Map<string, SchemeKind>();
  for (const [name, scheme] of Object.entries(readObject('AgentCard', card, 'securitySchemes') ?? {})) {
    const kind = typeof scheme === 'object' && scheme !== null ? readScheme(scheme as Json) : undefined;
    if (kind !== undefined) schemes.set(name, kind);
  }
  return schemes;
}

function readScheme(scheme: Json): SchemeKind | undefined {
  const apiKey = readObject('SecurityScheme', scheme, 'apiKeySecurityScheme');
  if (apiKey !== undefined) {
    const location = readText('APIKeySecurityScheme', apiKey, 'location') ?? '';
    return { kind: 'apiKey', location, name: readText('APIKeySecurityScheme', apiKey, 'name') ?? '' };
  }
  const http = readObject('SecurityScheme', scheme, 'httpAuthSecurityScheme');
  if (http !== undefined)
    return { kind: 'http', scheme: readText('HTTPAuthSecurityScheme', http, 'scheme') ?? 'Bearer' };
  const tokens = ['oauth2SecurityScheme', 'openIdConnectSecurityScheme'];
  if (tokens.some((name) => readObject('SecurityScheme', scheme, name) !== undefined)) return { kind: 'bearer' };
  return readObject('SecurityScheme', scheme, 'mtlsSecurityScheme') === undefined ? undefined : { kind: 'mtls' };
}
