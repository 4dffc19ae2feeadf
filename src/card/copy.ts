/** What a copy may have. */
export interface CopyLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Bytes of JSON text. */
  readonly bytes: number;
}

export const TOO_DEEP: unique symbol = Symbol('too deep');
export const TOO_LARGE: unique symbol = Symbol('too large');

export interface Copied {
  readonly value: unknown;
  /** No JSON text of the value has more bytes. */
  readonly mostBytes: number;
}

/** The JSON text of a copy has at least `least` bytes, and at most `most`. */
interface Size {
  least: number;
  most: number;
  readonly limit: number;
}

/** Bytes that a number, true, false or null has at most. */
const SCALAR_BYTES = 25;
/** Bytes that one UTF-16 unit of a string has at most: an escape such as \u001f. */
const UNIT_BYTES = 6;

/**
 * A copy of a JSON value with plain objects only. Members that JSON has no form for are left out. What is surely too
 * large is not copied to its end; what may be is for the caller to measure.
 * @throws TypeError for a bigint, and whatever a getter throws.
 */
export function copyJson(value: unknown, limits: CopyLimits): Copied {
  const size: Size = { least: 0, most: 0, limit: limits.bytes };
  return { value: copyValue(value, limits.depth, size), mostBytes: size.most };
}

function copyValue(value: unknown, depth: number, size: Size): unknown {
  if (typeof value === 'string') {
    size.least += value.length + 2;
    size.most += value.length * UNIT_BYTES + 3;
    return size.least > size.limit ? TOO_LARGE : value;
  }
  size.least += 1;
  size.most += SCALAR_BYTES + 1;
  if (size.least > size.limit) return TOO_LARGE;
  if (typeof value === 'bigint') throw new TypeError('JSON has no form for a bigint');
  if (typeof value !== 'object' || value === null) return value;
  if (depth < 1) return TOO_DEEP;
  return Array.isArray(value)
    ? copyList(value, depth, size)
    : copyMembers(value as Readonly<Record<string, unknown>>, depth, size);
}

const isUnwritten = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

function copyList(list: readonly unknown[], depth: number, size: Size): unknown {
  const copy: unknown[] = [];
  for (let i = 0; i < list.length; i += 1) {
    const item = copyValue(list[i], depth - 1, size);
    if (item === TOO_DEEP || item === TOO_LARGE) return item;
    if (!isUnwritten(item)) copy[i] = item;
  }
  return copy;
}

function copyMembers(object: Readonly<Record<string, unknown>>, depth: number, size: Size): unknown {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    size.least += key.length;
    size.most += key.length * UNIT_BYTES + 4;
    const member = copyValue(object[key], depth - 1, size);
    if (member === TOO_DEEP || member === TOO_LARGE) return member;
    if (isUnwritten(member)) continue;
    if (key === '__proto__') {
      Object.defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
    } else {
      copy[key] = member;
    }
  }
  return copy;
}
