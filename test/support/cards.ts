/** A JSON object on its way to being judged: right or wrong. */
export type Json = Record<string, unknown>;

/** Where the sound card comes from. */
export const CARD_URL = 'https://parcels.example.com/.well-known/agent-card.json';

/** Puts the overrides over the base; `undefined` takes a member away. */
function change(base: Json, overrides: Json): Json {
  return Object.fromEntries(Object.entries({ ...base, ...overrides }).filter(([, value]) => value !== undefined));
}

export function soundInterface(overrides: Json = {}): Json {
  const base = { url: 'https://parcels.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
  return change(base, overrides);
}

export function soundSkill(overrides: Json = {}): Json {
  const base = {
    id: 'track',
    name: 'Track a parcel',
    description: 'Tells where a parcel is right now.',
    tags: ['parcel'],
  };
  return change(base, overrides);
}

/** A card without a finding in either preset; `undefined` in the overrides takes a member away. */
export function soundCard(overrides: Json = {}): Json {
  const base = {
    name: 'Parcel Desk',
    description: 'Answers questions about parcels and books pick-ups for a small courier.',
    version: '2.3.0',
    supportedInterfaces: [soundInterface()],
    provider: { organization: 'Parcel Desk Ltd', url: 'https://parcels.example.com/about' },
    documentationUrl: 'https://parcels.example.com/docs/agent',
    iconUrl: 'https://parcels.example.com/icon.png',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [soundSkill()],
  };
  return change(base, overrides);
}

/** The sound card with this as its only interface. */
export function withInterface(overrides: Json): Json {
  return soundCard({ supportedInterfaces: [soundInterface(overrides)] });
}

/** The sound card with this interface in front of a sound one. */
export function withTwoInterfaces(overrides: Json): Json {
  return soundCard({ supportedInterfaces: [soundInterface(overrides), soundInterface()] });
}

export function withSkill(overrides: Json): Json {
  return soundCard({ skills: [soundSkill(overrides)] });
}

/** The sound card with one scheme called "key", which it requires. */
export function withScheme(scheme: unknown): Json {
  return soundCard({ securitySchemes: { key: scheme }, securityRequirements: [{ schemes: { key: { list: [] } } }] });
}

/** The sound card with an extension whose params are these. */
export function withParams(params: Json): Json {
  const extension = { uri: 'https://parcels.example.com/extensions/tracking', params };
  return soundCard({ capabilities: { streaming: true, extensions: [extension] } });
}

/** The sound card as JSON text, with one piece of it replaced. */
export function soundText(from: string, to: string): string {
  const text = JSON.stringify(soundCard());
  if (!text.includes(from)) throw new Error(`the sound card has no ${from}`);
  return text.replace(from, () => to);
}

/** An object that nests this many levels, itself included. */
export function nested(levels: number): Json {
  let value: Json = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}
