/** Base64 or base64url in letters; padding is judged apart. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** ISO 8601 date and time to the nanosecond, then its zone; the day is judged against its month apart. */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const INT32_TEXT = /^-?\d{1,10}$/;
const INT32_MIN = -2147483648;
const INT32_MAX = 2147483647;

/** Bytes as readers of ProtoJSON accept them: both alphabets, padded or not (§5.6). */
export function isBase64(value: unknown): boolean {
  if (typeof value !== 'string' || !BASE64.test(value)) return false;
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return (value.length - padding) % 4 !== 1;
}

/** How a value reads as a timestamp: in UTC, with another offset, or not at all (§5.6.1). */
export function readTimestamp(value: unknown): 'utc' | 'offset' | 'invalid' {
  const match = typeof value === 'string' && value.length <= 64 ? DATE_TIME.exec(value) : null;
  if (match === null) return 'invalid';
  const [, year, month, day, zone] = match;
  if (Number(day) > 28 && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) {
    return 'invalid';
  }
  return zone === 'Z' ? 'utc' : 'offset';
}

/** An ISO 8601 time in UTC with "Z". */
export function isTimestamp(value: unknown): boolean {
  return readTimestamp(value) === 'utc';
}

/** A 32-bit whole number, or its decimal text. */
export function isInt32(value: unknown): boolean {
  const number = typeof value === 'string' && INT32_TEXT.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= INT32_MIN && number <= INT32_MAX;
}

/** Exactly one bit set: how a fused validator counts the members of a oneof. */
export function isOneBit(bits: number): boolean {
  return bits !== 0 && (bits & (bits - 1)) === 0;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Types that JSON has no form for. */
const UNWRITTEN = new Set(['function', 'symbol', 'bigint']);

/** A free value that nests at most `depth` levels of objects and lists. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return !UNWRITTEN.has(typeof value);
  if (depth < 1) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) if (!isShallow(value[i], depth - 1)) return false;
    return true;
  }
  for (const key in value) if (!isShallow((value as Record<string, unknown>)[key], depth - 1)) return false;
  return true;
}

/** A free object that nests at most `depth` levels. */
export function isStruct(value: unknown, depth: number): boolean {
  return isObject(value) && isShallow(value, depth);
}
