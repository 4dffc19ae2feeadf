import fc from 'fast-check';
import type { Json } from './cards.ts';

type Holder = Json | unknown[];

/** Every object and list in a value, itself first. */
export function holdersOf(value: unknown): Holder[] {
  const found: Holder[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.shift();
    if (typeof item !== 'object' || item === null) continue;
    found.push(item as Holder);
    open.push(...Object.values(item));
  }
  return found;
}

/** What is put where it does not belong. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  2 ** 31,
  '2147483648',
  'abc',
  true,
  [],
  {},
  [null],
  'TASK_STATE_UNSPECIFIED',
  'ROLE_UNSPECIFIED',
  'completed',
  'ROLE_USER',
  '2026-01-31T12:00:00+01:00',
  '2026-02-30T12:00:00Z',
  '2026-01-31',
  'A',
  '-_-_',
  'AA=',
  '\ud800',
  '__proto__',
  'https://a.example/%E0%A4%A',
  'http://[',
  ['text', ' '],
  'v1',
  '1.0',
  'text/plain',
  'jsonrpc',
  'http://10.0.0.1/a',
  'https://u:p@h.example.com/',
  'host.example.com:443',
  `ghp_${'a1'.repeat(20)}`,
  'https://h.example.com/?token=abcdefgh1234',
  'body',
  { list: ['a'] },
  { schemes: {} },
  [{ schemes: { nobody: {} } }],
  { $case: 'key' },
];

/** Names that the protocol had, that JavaScript has, and that break careless readers. */
export const ODD_KEYS: readonly string[] = [
  'kind',
  'message_id',
  'context_id',
  'text',
  'data',
  'task',
  'extra',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '',
  'a/b',
  'm~n',
  '0',
  '\ud800',
  '\u202e',
  'k'.repeat(1000),
  'url',
  'name',
  'security',
  'password',
  'parameters',
  'input_modes',
  'supported_interfaces',
  'protocolVersion',
  'signatures',
];

/** Members of a wide object, and levels of a deep one. Below the bounds after which lists of findings are cut. */
const WIDE = 40;
const DEEP = 90;

function put(holder: Holder, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
}

function deep(kind: number): unknown {
  let value: unknown = kind % 2 === 0 ? 'x' : null;
  for (let level = 0; level < DEEP; level += 1) value = kind % 3 === 0 ? [value] : { a: value };
  return value;
}

/** What is done to one object or list: `key` is one of its members, if it has any. */
type Act = (holder: Holder, key: string | undefined, odd: number) => void;

const oddValue = (odd: number): unknown => structuredClone(ODD_VALUES[odd % ODD_VALUES.length]);
const oddKey = (odd: number): string => ODD_KEYS[odd % ODD_KEYS.length] as string;

const addOdd: Act = (holder, _key, odd) => {
  if (Array.isArray(holder)) holder.push(oddValue(odd));
  else put(holder, oddKey(odd), oddValue(Math.trunc(odd / ODD_KEYS.length)));
};

const remove: Act = (holder, key) => {
  if (key === undefined) return;
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

const empty: Act = (holder) => {
  if (Array.isArray(holder)) holder.splice(0, holder.length);
  else for (const key of Object.keys(holder)) delete holder[key];
};

const retype: Act = (holder, key, odd) => {
  if (key !== undefined) put(holder, key, oddValue(odd));
};

/** Text becomes a list of it, a list its first item, and so on: the right value in the wrong place. */
const rewrap: Act = (holder, key, odd) => {
  if (key === undefined) return;
  const value = (holder as Json)[key];
  if (Array.isArray(value) && odd % 2 === 0) put(holder, key, value[0] ?? null);
  else put(holder, key, odd % 3 === 0 ? { [key]: value } : [value]);
};

const rename: Act = (holder, key, odd) => {
  if (key === undefined || Array.isArray(holder)) return;
  const value = holder[key];
  delete holder[key];
  const names = [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), key.toUpperCase(), oddKey(odd)];
  put(holder, names[odd % names.length] as string, value);
};

const double: Act = (holder, key, odd) => {
  if (key === undefined) return;
  const value = (holder as Json)[key];
  if (Array.isArray(holder)) holder.push(structuredClone(value));
  else put(holder, oddKey(odd), structuredClone(value));
};

const deepen: Act = (holder, key, odd) => put(holder, key ?? '0', deep(odd));

const widen: Act = (holder, _key, odd) => {
  for (let count = 0; count < WIDE; count += 1) {
    if (Array.isArray(holder)) holder.push(oddValue(odd));
    else put(holder, `wide${count}`, oddValue(odd));
  }
};

/** The small faults, which are the likely ones, stand more than once. */
const ACTS: readonly Act[] = [
  addOdd,
  addOdd,
  remove,
  remove,
  retype,
  retype,
  rename,
  rewrap,
  double,
  empty,
  deepen,
  widen,
];

/** One change, as numbers: which object or list, which member, what is done, and with what. */
type Step = readonly [holder: number, member: number, act: number, odd: number];

function mutateOnce(value: unknown, [pick, member, act, odd]: Step): unknown {
  const copy = structuredClone(value);
  const holders = holdersOf(copy);
  const holder = holders[pick % Math.max(holders.length, 1)];
  if (holder === undefined) return oddValue(odd);
  const keys = Object.keys(holder);
  (ACTS[act % ACTS.length] as Act)(holder, keys[member % Math.max(keys.length, 1)], odd);
  return copy;
}

/** A value with one to `most` changes: members taken away, added, doubled, renamed, of another type, deep or wide. */
export function changed<T>(source: fc.Arbitrary<T>, most = 3): fc.Arbitrary<T> {
  const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: most });
  return fc.tuple(source, steps).map(([value, list]) => list.reduce<unknown>(mutateOnce, value) as T);
}
