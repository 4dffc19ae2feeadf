import fc from 'fast-check';

/** A number from 0 to `sides` - 1. */
export type Dice = (sides: number) => number;

/** Dice whose throws follow from the seed. */
export function createDice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const SPACES = ['', '', '', ' ', '\n', '\t', '\r\n', '  '];

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function writeText(text: string, dice: Dice): string {
  if (dice(4) > 0) return JSON.stringify(text);
  const units = text.split('').map((unit) => {
    const plain = dice(2) === 0 && /^[ !#-[\]-~]$/.test(unit);
    return plain ? unit : unit === '/' && dice(2) === 0 ? '\\/' : escapeOf(unit);
  });
  return `"${units.join('')}"`;
}

function writeNumber(value: number, dice: Dice): string {
  const plain = JSON.stringify(value);
  const other = [plain, `${plain}.0`, `${plain}e0`, `${plain}E+00`][dice(4)] as string;
  return /^-?\d+$/.test(plain) && Number(other) === value ? other : plain;
}

function shuffle<T>(items: readonly T[], dice: Dice): T[] {
  const left = [...items];
  const shuffled: T[] = [];
  while (left.length > 0) shuffled.push(...left.splice(dice(left.length), 1));
  return shuffled;
}

/** One of the texts that mean this value: members in another order, other white space, other escapes. */
export function writeJson(value: unknown, dice: Dice): string {
  const space = (): string => SPACES[dice(SPACES.length)] as string;
  const list = (open: string, items: readonly string[], close: string): string =>
    `${open}${space()}${items.join(`${space()},${space()}`)}${space()}${close}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => writeJson(item, dice));
    return list('[', items, ']');
  }
  if (typeof value === 'object' && value !== null) {
    const members = shuffle(Object.entries(value), dice).map(
      ([key, member]) => `${writeText(key, dice)}${space()}:${space()}${writeJson(member, dice)}`,
    );
    return list('{', members, '}');
  }
  if (typeof value === 'string') return writeText(value, dice);
  return typeof value === 'number' ? writeNumber(value, dice) : JSON.stringify(value);
}

/** What breaks a text, or the bytes of one. */
const BREAKS: readonly ((bytes: Uint8Array, at: number) => Uint8Array)[] = [
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => insert(bytes, at, [0xff]),
  (bytes, at) => insert(bytes, at, [0xc0, 0x80]),
  (bytes, at) => insert(bytes, at, [0xed, 0xa0, 0x80]),
  (bytes, at) => insert(bytes, at, [0]),
  (bytes, at) => insert(bytes, at, [0x7b, 0x22]),
  (bytes) => insert(bytes, 0, [0xef, 0xbb, 0xbf]),
  (bytes) => insert(bytes, 0, [0xff, 0xfe]),
  (bytes, at) => bytes.filter((_, index) => index !== at),
  (bytes) => insert(bytes, bytes.length, bytes),
];

function insert(bytes: Uint8Array, at: number, more: ArrayLike<number>): Uint8Array {
  const whole = new Uint8Array(bytes.length + more.length);
  whole.set(bytes.subarray(0, at));
  whole.set(more, at);
  whole.set(bytes.subarray(at), at + more.length);
  return whole;
}

const BYTES = new TextEncoder();

/** The bytes of values as JSON, broken in one place: cut, doubled, no UTF-8, with a mark in front. */
export function brokenBytes(source: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> {
  return fc.tuple(source, fc.nat(), fc.nat()).map(([value, kind, place]) => {
    const bytes = BYTES.encode(JSON.stringify(value) ?? '');
    const act = BREAKS[kind % BREAKS.length] as (bytes: Uint8Array, at: number) => Uint8Array;
    return act(bytes, place % (bytes.length + 1));
  });
}

/** The text of a value in which one member stands twice, with another value in front. */
export function doubledText(source: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(source, fc.nat()).map(([value, place]) => {
    const text = JSON.stringify(value);
    const keys = [...text.matchAll(/([{,])("(?:[^"\\]|\\.)*"):/g)];
    const key = keys[place % Math.max(keys.length, 1)];
    if (key === undefined) return text;
    const at = key.index + 1;
    return `${text.slice(0, at)}${key[2]}:null,${text.slice(at)}`;
  });
}
