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
  if (Number(day) > 28 && !isDay(Number(year), Number(month), Number(day))) return 'invalid';
  return zone === 'Z' ? 'utc' : 'offset';
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a month has this day, in the Gregorian calendar. */
function isDay(year: number, month: number, day: number): boolean {
  const leaps = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (DAYS[month - 1] ?? 0) + (leaps ? 1 : 0);
}

const [DASH, POINT, COLON, T, Z] = [45, 46, 58, 84, 90] as const;
const ZERO = 48;

/** The number that two decimal digits of a text are, or 100 where there are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100;
}

/** Whether the marks between the numbers stand where they do in `2026-01-31T12:00:00.000Z`, whose Z is at `end`. */
function isMarked(text: string, end: number): boolean {
  const isDate = text.charCodeAt(4) === DASH && text.charCodeAt(7) === DASH && text.charCodeAt(10) === T;
  return isDate && text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON && text.charCodeAt(end) === Z;
}

/** Where the zone stands in a UTC time of whole seconds. A point and one to nine digits may come before it. */
const ZONE_AT = 19;
const FRACTION = { least: 1, most: 9 };

function isFraction(text: string, end: number): boolean {
  if (end === ZONE_AT) return true;
  const digits = end - ZONE_AT - 1;
  if (text.charCodeAt(ZONE_AT) !== POINT || digits < FRACTION.least || digits > FRACTION.most) return false;
  for (let at = ZONE_AT + 1; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

/**
 * An ISO 8601 time in UTC with "Z": what {@link readTimestamp} calls 'utc'. It is read character by character, because
 * a regular expression would be half of what a small task costs.
 */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const end = value.length - 1;
  if (!isMarked(value, end) || !isFraction(value, end)) return false;
  const century = twoDigits(value, 0);
  const year = twoDigits(value, 2);
  const month = twoDigits(value, 5);
  const day = twoDigits(value, 8);
  if (century === 100 || year === 100 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  if (twoDigits(value, 11) > 23 || twoDigits(value, 14) > 59 || twoDigits(value, 17) > 59) return false;
  return day <= 28 || isDay(century * 100 + year, month, day);
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

/** A value of a type that JSON has no form for. */
function isUnwritten(value: unknown): boolean {
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint';
}

/** A free value that nests at most `depth` levels of objects and lists. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return !isUnwritten(value);
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
