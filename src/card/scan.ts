import { joinPath } from '../schema/pointer.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

/** Duplicate keys that are listed at most. */
const MAX_DUPLICATES = 20;

/**
 * Walks JSON text once for what JSON.parse hides: its depth, and how many members it writes. More than the parsed value
 * has means that a key stands twice. It never fails; whether the text is JSON at all is for JSON.parse to say.
 */
export function scanJson(text: string, maxDepth: number): { readonly tooDeep: boolean; readonly members: number } {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i) - 1;
    else if (code === COLON) members += 1;
    else if (code === OPEN_MAP || code === OPEN_LIST) {
      if (depth >= maxDepth) return { tooDeep: true, members };
      depth += 1;
    } else if ((code === CLOSE_MAP || code === CLOSE_LIST) && depth > 0) depth -= 1;
  }
  return { tooDeep: false, members };
}

/** How many members all objects in a parsed value have. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) members += countMembers(value[i]);
    return members;
  }
  for (const key in value) members += 1 + countMembers((value as Record<string, unknown>)[key]);
  return members;
}

interface Frame {
  readonly path: string;
  /** Keys seen, of an object; undefined for a list. */
  readonly keys: Set<string> | undefined;
  member: string | number;
  expectsKey: boolean;
}

/** The paths of keys that stand twice in one object of a JSON text. */
export function findDuplicates(text: string): readonly string[] {
  const duplicates: string[] = [];
  const frames: Frame[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const top = frames[frames.length - 1];
    if (code === QUOTE) {
      const end = endOfString(text, i);
      if (top?.keys !== undefined && top.expectsKey) {
        const key = readKey(text.slice(i, end));
        if (top.keys.has(key) && duplicates.length < MAX_DUPLICATES) duplicates.push(joinPath(top.path, key));
        top.keys.add(key);
        top.member = key;
        top.expectsKey = false;
      }
      i = end - 1;
    } else if (code === OPEN_MAP || code === OPEN_LIST) {
      const path = top === undefined ? '' : joinPath(top.path, top.member);
      const isMap = code === OPEN_MAP;
      frames.push({ path, keys: isMap ? new Set() : undefined, member: isMap ? '' : 0, expectsKey: isMap });
    } else if (code === CLOSE_MAP || code === CLOSE_LIST) {
      frames.pop();
    } else if (code === COMMA && top !== undefined) {
      if (top.keys !== undefined) top.expectsKey = true;
      else top.member = (top.member as number) + 1;
    }
  }
  return duplicates;
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
