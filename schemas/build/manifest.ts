import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface ManifestEntry {
  readonly file: string;
  readonly version: string;
  /** Where the A2A project publishes its own bundle of this version. */
  readonly canonicalUrl: string;
  readonly normative: false;
  readonly sha256: string;
}

/** The committed schema files, and the publication that each one follows. */
export const PINNED = [
  { file: 'fields-1.0.json', version: '1.0', canonicalUrl: 'https://a2a-protocol.org/v1.0.0/spec/a2a.proto' },
  { file: 'a2a-1.0.json', version: '1.0', canonicalUrl: 'https://a2a-protocol.org/v1.0.0/spec/a2a.json' },
  { file: 'fields-0.3.json', version: '0.3', canonicalUrl: 'https://a2a-protocol.org/v0.3.0/spec/a2a.json' },
  { file: 'a2a-0.3.json', version: '0.3', canonicalUrl: 'https://a2a-protocol.org/v0.3.0/spec/a2a.json' },
] as const;

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export function makeManifest(folder: URL): ManifestEntry[] {
  return PINNED.map((pin) => ({
    ...pin,
    normative: false,
    sha256: sha256(readFileSync(new URL(pin.file, folder))),
  }));
}
