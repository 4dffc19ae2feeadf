import { placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetText, readField } from './read.ts';

/** Signature algorithms with a public key; a shared secret cannot sign a public card (§8.4.2). */
const ASYMMETRIC = /^(?:(?:RS|PS)(?:256|384|512)|ES(?:256|384|512|256K)|EdDSA|Ed25519|Ed448|ML-DSA-(?:44|65|87))$/;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

const isBase64Url = (text: string): boolean => BASE64URL.test(text) && text.length % 4 !== 1;

/** The JSON object in a protected header; undefined when there is none. */
export function decodeHeader(text: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== 'string' || !isBase64Url(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(item: unknown): string | undefined {
  if (!isObject(item)) return 'is not an object';
  const encoded = readField('AgentCardSignature', item, 'protected');
  const signature = readField('AgentCardSignature', item, 'signature');
  if (isUnsetText(encoded)) return 'has no protected header';
  if (isUnsetText(signature)) return 'has no signature';
  if (typeof encoded !== 'string' || typeof signature !== 'string') return 'has a member that is not a text';
  if (!isBase64Url(signature)) return 'has a signature that is not base64url';
  const header = decodeHeader(encoded);
  if (header === undefined) return 'has a protected header that does not decode to a JSON object';
  if (typeof header.kid !== 'string' || header.kid.trim() === '') return 'has no kid in its protected header';
  if (typeof header.alg !== 'string' || header.alg === '') return 'has no alg in its protected header';
  return ASYMMETRIC.test(header.alg) ? undefined : 'uses an algorithm that is not an asymmetric signature';
}

/** Every signature can be read. Whether it is true is for the trust layer. */
export function checkSignatures({ card }: CardFacts): Fault[] {
  const list = readField('AgentCard', card, 'signatures');
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => {
    const path = `/signatures/${index}`;
    const problem = problemOf(item);
    return problem === undefined
      ? []
      : [{ id: 'signatures-shape' as const, path, message: `${placeOf(path)} ${problem}.` }];
  });
}

/** One signature of a card, and whether it is true. */
export interface SignatureState {
  /** Position in `signatures`. */
  readonly index: number;
  readonly alg?: string;
  readonly kid?: string;
  /** `unverifiable`: there is no key to judge it by; `invalid`: it was judged, and is not true. */
  readonly state: 'verified' | 'unverifiable' | 'invalid';
  readonly why: string;
}

/** The signatures of a card; what stands there and is no list counts as one that cannot be read. */
export function listSignatures({ signatures }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(signatures) ? signatures : (signatures ?? null) === null ? [] : [signatures];
}

/** What is asked of signatures: a readable form, truth where there are any, or that there is a true one. */
export type SignaturePolicy = 'shape' | 'verify-if-present' | 'require';

/** What the policy makes of the states: one good signature suffices; any other failure is never "unsigned and fine". */
export function checkSignatureStates(states: readonly SignatureState[], policy: SignaturePolicy): Fault[] {
  if (policy === 'shape') return [];
  if (states.length === 0) {
    const message = 'The card is not signed, and the signatures option requires it.';
    return policy === 'require' ? [{ id: 'signature-verified', path: '', message, severity: 'error' }] : [];
  }
  const isTrue = states.some(({ state }) => state === 'verified');
  return states
    .filter(({ state }) => state !== 'verified')
    .filter(({ state }) => !isTrue || state === 'invalid')
    .map(({ index, state, why }) => {
      const message = `signatures/${index} is ${state}: ${why}.`;
      return { id: 'signature-verified', path: `/signatures/${index}`, message, severity: isTrue ? 'warn' : 'error' };
    });
}
