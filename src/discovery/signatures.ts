import type { CryptoKey, JWK } from 'jose';
import { canonicalCard } from '../card/canonical.ts';
import type { SignatureState } from '../card/signatures.ts';
import type { SignedHeader } from '../options.ts';
import { isObject } from '../schema/scalars.ts';

/** The key of a signature; undefined when no trusted source has it. */
export type FindKey = (header: SignedHeader) => Promise<CryptoKey | JWK | undefined>;

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

/** Judges every signature of a card over its canonical form (§8.4). Never throws: what goes wrong is a state. */
export async function verifySignatures(card: object, findKey: FindKey): Promise<readonly SignatureState[]> {
  const { signatures } = card as { readonly signatures?: unknown };
  if (!Array.isArray(signatures) || signatures.length === 0) return [];
  const { flattenedVerify, base64url } = await import('jose');
  const payload = base64url.encode(canonicalCard(card));
  return Promise.all(
    signatures.slice(0, MAX_LISTED).map(async (signature: unknown, index): Promise<SignatureState> => {
      const header = readHeader(signature, base64url.decode);
      if (header === undefined) return { index, state: 'invalid', why: 'its protected header has no alg and kid' };
      const { alg, kid } = header;
      const shown = { index, alg: alg.slice(0, MAX_SHOWN), kid: kid.slice(0, MAX_SHOWN) };
      const state = (state: SignatureState['state'], why: string): SignatureState => ({ ...shown, state, why });
      if (index >= MAX_SIGNATURES) return state('unverifiable', `only ${MAX_SIGNATURES} signatures are judged`);
      if (!ALGORITHMS.includes(alg)) return state('unverifiable', 'its algorithm is not one that is judged here');
      const key = await findKey(header).catch(() => undefined);
      if (key === undefined) return state('unverifiable', 'no trusted source has its key');
      try {
        await flattenedVerify({ ...(signature as JsonSignature), payload }, key, { algorithms: ALGORITHMS });
        return state('verified', 'it is true for this card');
      } catch {
        return state('invalid', 'it is not that of this card by this key');
      }
    }),
  );
}

interface JsonSignature {
  readonly protected: string;
  readonly signature: string;
}

function readHeader(signature: unknown, decode: (text: string) => Uint8Array): SignedHeader | undefined {
  if (!isObject(signature) || typeof signature.protected !== 'string') return undefined;
  if (typeof signature.signature !== 'string') return undefined;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(decode(signature.protected)));
    if (!isObject(header) || typeof header.alg !== 'string' || typeof header.kid !== 'string') return undefined;
    const { alg, kid, jku } = header;
    return { alg, kid, ...(typeof jku === 'string' && { jku }) };
  } catch {
    return undefined;
  }
}
