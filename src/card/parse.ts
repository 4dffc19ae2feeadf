import { byteLength, sha256Hex } from '../schema/bytes.ts';
import { placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { copyJson, TOO_DEEP, TOO_LARGE } from './copy.ts';
import { recognizeText } from './document.ts';
import { countMembers, findDuplicates, scanJson } from './scan.ts';

export interface ParseLimits {
  readonly cardBytes: number;
  readonly jsonDepth: number;
}

export interface ParsedCard {
  /** The card as an object of its own, so that what was checked is what is used; absent when nothing could be read. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** SHA-256 of what came, in hex: of the bytes, or of the JSON text of an object. Worked out when first asked for. */
  readonly sha256?: () => string;
  readonly faults: readonly Fault[];
}

const fail = (fault: Fault): ParsedCard => ({ faults: [fault] });

/** Nothing is lost between UTF-8 and text: what is not UTF-8 is refused, and a byte order mark stays. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Most cards are judged by clients that never ask for the hash. */
function hashLater(textOf: () => string): () => string {
  let hash: string | undefined;
  return () => {
    hash ??= sha256Hex(textOf());
    return hash;
  };
}

/** Reads a card from bytes, text or an object. Pure; every refusal is a fault of layer parse. */
export function parseCard(input: string | Uint8Array | object, limits: ParseLimits): ParsedCard {
  if (typeof input === 'string') return parseText(input, limits);
  if (input instanceof Uint8Array) return parseBytes(input, limits);
  return parseObject(input, limits);
}

function parseBytes(bytes: Uint8Array, limits: ParseLimits): ParsedCard {
  if (bytes.length > limits.cardBytes) return fail(tooLarge(bytes.length, limits));
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[1] === 0;
  if (utf16) {
    return fail({ id: 'parse-json', path: '', message: 'The card is encoded as UTF-16; JSON on the wire is UTF-8.' });
  }
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return fail({ id: 'parse-json', path: '', message: 'The card is not UTF-8 text.' });
  }
  return parseText(text, limits);
}

function tooLarge(bytes: number | undefined, limits: ParseLimits): Fault {
  const size = bytes === undefined ? 'is too large' : `has ${bytes} bytes`;
  const message = `The card ${size}; limits.cardBytes is ${limits.cardBytes}.`;
  return { id: 'parse-limits', path: '', message };
}

function parseText(source: string, limits: ParseLimits): ParsedCard {
  const bytes = byteLength(source, limits.cardBytes);
  if (bytes > limits.cardBytes) return fail(tooLarge(bytes, limits));
  const faults: Fault[] = [];
  const hasBom = source.startsWith('\ufeff');
  const text = hasBom ? source.slice(1) : source;
  if (hasBom) faults.push({ id: 'parse-bom', path: '', message: 'The text starts with a UTF-8 byte order mark.' });

  const foreign = recognizeText(text);
  if (foreign !== undefined) return { faults: [...faults, foreign] };
  const scan = scanJson(text, limits.jsonDepth);
  if (scan.tooDeep) return { faults: [...faults, tooDeep(limits)] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [...faults, notJson(error)] };
  }
  if (scan.members !== countMembers(value)) faults.push(...findDuplicates(text).map(duplicateKey));
  if (!isObject(value)) return { faults: [...faults, notAnObject(value)] };
  return { card: value, sha256: hashLater(() => source), faults };
}

function parseObject(input: object, limits: ParseLimits): ParsedCard {
  let copied: ReturnType<typeof copyJson>;
  try {
    copied = copyJson(input, { depth: limits.jsonDepth, bytes: limits.cardBytes });
  } catch {
    return fail({ id: 'parse-object', path: '', message: 'The card object cannot be read as JSON.' });
  }
  const { value: card, mostBytes } = copied;
  if (card === TOO_DEEP) return fail(tooDeep(limits));
  if (card === TOO_LARGE) return fail(tooLarge(undefined, limits));
  if (!isObject(card)) return fail(notAnObject(card));
  if (mostBytes > limits.cardBytes) {
    const length = byteLength(JSON.stringify(card), limits.cardBytes);
    if (length > limits.cardBytes) return fail(tooLarge(length, limits));
  }
  return { card, sha256: hashLater(() => JSON.stringify(card)), faults: [] };
}

function tooDeep(limits: ParseLimits): Fault {
  const message = `The card is nested deeper than ${limits.jsonDepth} levels (limits.jsonDepth).`;
  return { id: 'parse-limits', path: '', message };
}

function notJson(error: unknown): Fault {
  const position = /at position (\d+)/.exec(String((error as Error).message))?.[1];
  const where = position === undefined ? '' : ` Reading stopped at character ${position}.`;
  return { id: 'parse-json', path: '', message: `The card is not JSON.${where}` };
}

function notAnObject(value: unknown): Fault {
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { id: 'parse-object', path: '', message: `The card is ${kind}; an Agent Card is one JSON object.` };
}

function duplicateKey(path: string): Fault {
  return {
    id: 'parse-duplicate-key',
    path,
    message: `${placeOf(path)} stands twice in one object; readers keep one or the other. Keep one.`,
  };
}
