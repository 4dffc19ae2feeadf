import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { recognizeText } from './document.ts';

export interface ParseLimits {
  readonly cardBytes: number;
  readonly jsonDepth: number;
}

export interface ParsedCard {
  /** The card as an object of its own, so that what was checked is what is used; absent when nothing could be read. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** SHA-256 of what came, in hex: of the bytes, or of the JSON text of an object. */
  readonly sha256?: string;
  readonly faults: readonly Fault[];
}

/** Duplicate keys that are listed at most. */
const MAX_DUPLICATES = 20;

const fail = (fault: Fault): ParsedCard => ({ faults: [fault] });

/** Reads a card from bytes, text or an object. Pure; every refusal is a fault of layer parse. */
export function parseCard(input: string | Uint8Array | object, limits: ParseLimits): ParsedCard {
  if (typeof input === 'string') return parseText(input, limits, undefined);
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
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail({ id: 'parse-json', path: '', message: 'The card is not UTF-8 text.' });
  }
  return parseText(text, limits, bytes);
}

function tooLarge(bytes: number | undefined, limits: ParseLimits): Fault {
  const size = bytes === undefined ? 'is too large' : `has ${bytes} bytes`;
  const message = `The card ${size}; limits.cardBytes is ${limits.cardBytes}.`;
  return { id: 'parse-limits', path: '', message };
}

function parseText(source: string, limits: ParseLimits, given: Uint8Array | undefined): ParsedCard {
  if (source.length > limits.cardBytes) return fail(tooLarge(source.length, limits));
  const bytes = given ?? utf8ToBytes(source);
  if (bytes.length > limits.cardBytes) return fail(tooLarge(bytes.length, limits));
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
  for (const path of scan.duplicates) faults.push(duplicateKey(path));
  const hash = bytesToHex(sha256(bytes));
  if (!isObject(value)) return { sha256: hash, faults: [...faults, notAnObject(value)] };
  return { card: value, sha256: hash, faults };
}

function parseObject(input: object, limits: ParseLimits): ParsedCard {
  let copied: unknown;
  try {
    copied = copyJson(input, limits.jsonDepth, { left: limits.cardBytes });
  } catch {
    return fail({ id: 'parse-object', path: '', message: 'The card object cannot be read as JSON.' });
  }
  if (copied === TOO_DEEP) return fail(tooDeep(limits));
  if (copied === TOO_LARGE) return fail(tooLarge(undefined, limits));
  if (!isObject(copied)) return fail(notAnObject(copied));
  const bytes = utf8ToBytes(JSON.stringify(copied));
  if (bytes.length > limits.cardBytes) return fail(tooLarge(bytes.length, limits));
  return { card: copied, sha256: bytesToHex(sha256(bytes)), faults: [] };
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

interface Frame {
  readonly path: string;
  /** Keys seen, of an object; undefined for a list. */
  readonly keys: Set<string> | undefined;
  member: string | number;
  expectsKey: boolean;
}

/**
 * Walks JSON text once for what JSON.parse hides: depth, and keys that stand twice. It never fails; whether the text
 * is JSON at all is for JSON.parse to say.
 */
export function scanJson(text: string, maxDepth: number): { tooDeep: boolean; duplicates: readonly string[] } {
  const duplicates: string[] = [];
  const frames: Frame[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const top = frames[frames.length - 1];
    if (code === 0x22 /* " */) {
      const end = endOfString(text, i);
      if (top?.keys !== undefined && top.expectsKey) {
        const key = readKey(text.slice(i, end));
        if (top.keys.has(key) && duplicates.length < MAX_DUPLICATES) duplicates.push(joinPath(top.path, key));
        top.keys.add(key);
        top.member = key;
        top.expectsKey = false;
      }
      i = end - 1;
    } else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      if (frames.length >= maxDepth) return { tooDeep: true, duplicates };
      const path = top === undefined ? '' : joinPath(top.path, top.member);
      const isMap = code === 0x7b;
      frames.push({ path, keys: isMap ? new Set() : undefined, member: isMap ? '' : 0, expectsKey: isMap });
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) {
      frames.pop();
    } else if (code === 0x2c /* , */ && top !== undefined) {
      if (top.keys !== undefined) top.expectsKey = true;
      else top.member = (top.member as number) + 1;
    }
  }
  return { tooDeep: false, duplicates };
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let i = text.indexOf('"', start + 1);
  while (i !== -1) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return i + 1;
    i = text.indexOf('"', i + 1);
  }
  return text.length;
}

function readKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

const TOO_DEEP = Symbol('too deep');
const TOO_LARGE = Symbol('too large');

/** A copy of a JSON value with plain objects only. Members that JSON has no form for are left out. */
function copyJson(value: unknown, depth: number, budget: { left: number }): unknown {
  budget.left -= typeof value === 'string' ? value.length + 2 : 1;
  if (budget.left < 0) return TOO_LARGE;
  if (typeof value === 'bigint') throw new TypeError('JSON has no form for a bigint');
  if (typeof value !== 'object' || value === null) return value;
  if (depth < 1) return TOO_DEEP;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) {
    budget.left -= key.length;
    const member = copyJson((value as Record<string, unknown>)[key], depth - 1, budget);
    if (member === TOO_DEEP || member === TOO_LARGE) return member;
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    Object.defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
