import type { CryptoKey, JWK } from 'jose';
import { canonicalCard } from '../card/canonical.ts';
import { decodeHeader, listSignatures, type SignatureState } from '../card/signatures.ts';
import type { SignedHeader } from '../options.ts';
import { isObject } from '../schema/scalars.ts';

/** A public key. */
export type Key = CryptoKey | JWK;

/** The keys that trusted sources have under the name of a signature's; one after the other, so that none is fetched for nothing. */
export type FindKeys = (header: SignedHeader) => AsyncIterable<Key>;

/** Algorithms with a public key that WebCrypto has everywhere; never `none`, and nothing with a shared secret. */
const ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
];

/** Signatures of one card that are judged, and listed, at most; and characters of what is shown of their headers. */
const MAX_SIGNATURES = 10;
const MAX_LISTED = 100;
const MAX_SHOWN = 128;

let jose: Promise<typeof import('jose')> | undefined;

/** Loads the library of signatures, once: only who verifies some waits for it. */
export function loadJose(): Promise<typeof import('jose')> {
  jose ??= import('jose');
  return jose;
}

/** Judges every signature of a card over its canonical form (§8.4). Never throws: what goes wrong is a state. */
export async function verifySignatures(card: object, findKeys: FindKeys): Promise<readonly SignatureState[]> {
  const signatures = listSignatures(card as Readonly<Record<string, unknown>>);
  if (signatures.length === 0) return [];
  const text = canonicalText(card);
  return Promise.all(
    signatures.slice(0, MAX_LISTED).map(async (signature, index): Promise<SignatureState> => {
      if (text === undefined) return { index, state: 'invalid', why: 'the card has no canonical form' };
      const header = readHeader(signature);
      if (header === undefined)
        return { index, state: 'invalid', why: 'its protected header has no alg and kid, or a crit' };
      const { alg, kid } = header;
      const shown = { index, alg: alg.slice(0, MAX_SHOWN), kid: kid.slice(0, MAX_SHOWN) };
      if (index >= MAX_SIGNATURES)
        return { ...shown, state: 'unverifiable', why: `only ${MAX_SIGNATURES} signatures are judged` };
      return { ...shown, ...(await verifyOne(signature as JsonSignature, header, text, findKeys)) };
    }),
  );
}

/** The text that signatures are made over; undefined for a number that JSON cannot hold. */
function canonicalText(card: object): string | undefined {
  try {
    return canonicalCard(card);
  } catch {
    return undefined;
  }
}

/** Tries each key of the name: one that fits suffices. */
async function verifyOne(
  { protected: header, signature }: JsonSignature,
  wanted: SignedHeader,
  text: string,
  findKeys: FindKeys,
): Promise<Pick<SignatureState, 'state' | 'why'>> {
  if (!ALGORITHMS.includes(wanted.alg))
    return { state: 'unverifiable', why: 'its algorithm is not one that is judged here' };
  const { base64url, flattenedVerify } = await loadJose();
  const jws = { protected: header, signature, payload: base64url.encode(text) };
  let tried = false;
  try {
    for await (const key of findKeys(wanted)) {
      tried = true;
      const fits = await flattenedVerify(jws, key, { algorithms: ALGORITHMS }).catch(() => undefined);
      if (fits !== undefined) return { state: 'verified', why: 'it is true for this card' };
    }
  } catch {
    // A source that fails has no key.
  }
  return tried
    ? { state: 'invalid', why: 'it is not that of this card by this key' }
    : { state: 'unverifiable', why: 'no trusted source has its key' };
}

interface JsonSignature {
  readonly protected: string;
  readonly signature: string;
}

/** The header that chooses the key; extensions that must be understood (`crit`) are not. */
function readHeader(signature: unknown): SignedHeader | undefined {
  if (!isObject(signature) || typeof signature.signature !== 'string') return undefined;
  const header = decodeHeader(signature.protected);
  if (header === undefined || header.crit !== undefined) return undefined;
  const { alg, kid, jku } = header;
  if (typeof alg !== 'string' || typeof kid !== 'string' || kid.trim() === '') return undefined;
  return { alg, kid, ...(typeof jku === 'string' && { jku }) };
}
