import type { AgentProfile } from '../card/profile.ts';

/** The extensions that a call activates: of the client's own those that the card declares, and all that the caller names. */
export function activeExtensions(
  profile: AgentProfile,
  ofClient: readonly string[],
  ofCall: readonly string[],
): readonly string[] {
  if (ofClient.length === 0 && ofCall.length === 0) return ofCall;
  const declared = new Set(profile.extensions.map(({ uri }) => uri));
  return [...new Set([...ofClient.filter((uri) => declared.has(uri)), ...ofCall])];
}
