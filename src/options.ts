import type { Dispatcher } from 'undici';
import type { Credentials } from './call/credentials.ts';
import { isEntryCheck } from './card/report.ts';
import type { Spoken } from './card/select.ts';
import { CHECKS, findCheck, type Preset, type Severity } from './checks.ts';
import type { Client } from './exchange.ts';
import {
  type Check,
  callable,
  checkNames,
  client,
  dispatcher,
  fail,
  flag,
  object,
  oneOf,
  texts,
} from './option-checks.ts';
import { nearest } from './schema/pointer.ts';
import { isObject } from './schema/scalars.ts';
import { parseUrl } from './schema/url.ts';
import type { Grade, Ticket } from './ticket.ts';

/** Bounds on what a peer can make the guard read, hold or wait for. Sizes in bytes, times in milliseconds. */
export interface Limits {
  /** Largest card. Default 262144 (256 KiB): real cards have a few KiB. */
  readonly cardBytes: number;
  /** Largest answer to a unary call. Default 10485760 (10 MiB). */
  readonly responseBytes: number;
  /** Largest event of a stream. Default 1048576 (1 MiB). */
  readonly eventBytes: number;
  /** Levels of objects and lists in any JSON. Default 64. */
  readonly jsonDepth: number;
  /** To connect, TLS included. Default 5000. */
  readonly connectMs: number;
  /** From the request to the response headers; a blocking send answers only when the task rests. Default 60000. */
  readonly headersMs: number;
  /** Between two pieces of a body or stream. Default 60000. */
  readonly idleMs: number;
  /** A unary exchange from end to end; streams have no total. Default 120000. */
  readonly totalMs: number;
  /** How long a stream is read on after a terminal state, until the agent closes it. Default 5000. */
  readonly afterTerminalMs: number;
}

/** What may be reached. All off by default. */
export interface NetworkOptions {
  /** Cards and interfaces on this machine, http included. */
  readonly allowLoopback?: boolean;
  /** Private, link-local and reserved addresses, and names that only a local network knows. */
  readonly allowPrivate?: boolean;
  /** http on hosts that are not loopback: what is sent can be read and changed on the way. */
  readonly allowInsecure?: boolean;
  /** Origins, such as `https://calls.example.com`, that interfaces may have beside the card's own. */
  readonly allowOrigins?: readonly string[];
}

export interface GuardOptions {
  /** Named severities. Default `strict`. */
  readonly preset?: Preset;
  /** Severity of single checks, by id. `entry` is for the interface checks that have it in a preset. */
  readonly rules?: Readonly<Record<string, Severity>>;
  /** `enforce` (default) refuses; `observe` reports everything and blocks nothing. */
  readonly mode?: 'enforce' | 'observe';
  /** Bindings and versions that the client speaks. Default JSONRPC 1.0. */
  readonly speaks?: readonly Spoken[];
  /** How `guard.fetch` refuses: `throw` (default) rejects with GuardError; `answer` answers in the agent's place. */
  readonly refuse?: 'throw' | 'answer';
  /**
   * What `guard.fetch` does with an A2A call to an origin whose card it does not know: `discover` (default) fetches and
   * checks the card first, `refuse` refuses, `pass` lets it through unguarded.
   */
  readonly unknownAgent?: 'discover' | 'refuse' | 'pass';
  /** Reads 0.x cards as 1.0 cards, with warnings; the report says so in `compat`. Default false. */
  readonly legacyCards?: boolean;
  /** URIs of extensions that the client implements. Those that the card declares are activated. */
  readonly extensions?: readonly string[];
  /** Credentials by the scheme name of the card: a text, or a function that fetches it. Sent only where the card asks. */
  readonly credentials?: Credentials;
  readonly limits?: Partial<Limits>;
  readonly network?: NetworkOptions;
  /** A JSON Schema bundle to use in place of the pinned one, in either published layout. Loads Ajv. */
  readonly bundle?: object;
  /** Is given every ticket, once. What it throws is ignored. */
  readonly onTicket?: (ticket: Ticket) => void;
  /** An undici dispatcher, for proxies, TLS and pools of your own. You close it. */
  readonly dispatcher?: Dispatcher;
  /** What carries the requests, in place of undici. */
  readonly client?: Client;
}

export interface ResolvedOptions {
  readonly preset: Preset;
  readonly mode: 'enforce' | 'observe';
  readonly legacyCards: boolean;
  readonly refuse: 'throw' | 'answer';
  readonly unknownAgent: 'discover' | 'refuse' | 'pass';
  readonly speaks: readonly Spoken[];
  readonly extensions: readonly string[];
  readonly credentials: Credentials;
  readonly limits: Limits;
  readonly network: Required<NetworkOptions>;
  readonly bundle: object | undefined;
  readonly onTicket: ((ticket: Ticket) => void) | undefined;
  readonly dispatcher: Dispatcher | undefined;
  readonly client: Client | undefined;
  /** Severities of what goes out and of cards, and of what comes in. */
  readonly grades: { readonly outgoing: Grade; readonly incoming: Grade };
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  cardBytes: 256 * 1024,
  responseBytes: 10 * 1024 * 1024,
  eventBytes: 1024 * 1024,
  jsonDepth: 64,
  connectMs: 5_000,
  headersMs: 60_000,
  idleMs: 60_000,
  totalMs: 120_000,
  afterTerminalMs: 5_000,
});

/** What this version of the guard can speak. */
const SPEAKABLE: readonly Spoken[] = [
  { binding: 'JSONRPC', versions: ['1.0', '0.3'] },
  { binding: 'HTTP+JSON', versions: ['1.0', '0.3'] },
];

/** What it speaks when nobody says otherwise. */
const DEFAULT_SPEAKS: readonly Spoken[] = [{ binding: 'JSONRPC', versions: ['1.0'] }];

const SEVERITIES: readonly Severity[] = ['error', 'warn', 'off', 'entry'];
const NETWORK_FLAGS = ['allowLoopback', 'allowPrivate', 'allowInsecure'] as const;

const CHECK_OF_OPTION: Readonly<Record<keyof GuardOptions, Check>> = {
  preset: oneOf(['strict', 'interop']),
  rules: checkRules,
  mode: oneOf(['enforce', 'observe']),
  refuse: oneOf(['throw', 'answer']),
  unknownAgent: oneOf(['discover', 'refuse', 'pass']),
  speaks: checkSpeaks,
  legacyCards: flag,
  extensions: texts,
  credentials: checkCredentials,
  limits: checkLimits,
  network: checkNetwork,
  bundle: object,
  onTicket: callable,
  dispatcher,
  client,
};

/**
 * Checks the options of a guard once, and copies them, so that a later change of the caller's objects changes nothing.
 * @throws TypeError that quotes the option.
 */
export function resolveOptions(options: GuardOptions = {}): ResolvedOptions {
  object(options, 'options');
  checkNames(options, Object.keys(CHECK_OF_OPTION), 'createGuard');
  for (const [name, check] of Object.entries(CHECK_OF_OPTION)) {
    const value = options[name as keyof GuardOptions];
    if (value !== undefined) check(value, name);
  }
  const preset = options.preset ?? 'strict';
  const rules = new Map(Object.entries(options.rules ?? {}));
  return Object.freeze({
    preset,
    mode: options.mode ?? 'enforce',
    legacyCards: options.legacyCards ?? false,
    refuse: options.refuse ?? 'throw',
    unknownAgent: options.unknownAgent ?? 'discover',
    speaks: (options.speaks ?? DEFAULT_SPEAKS).map(({ binding, versions }) => ({ binding, versions: [...versions] })),
    extensions: [...(options.extensions ?? [])],
    credentials: { ...options.credentials },
    limits: { ...DEFAULT_LIMITS, ...defined(options.limits) },
    network: {
      allowLoopback: false,
      allowPrivate: false,
      allowInsecure: false,
      ...defined(options.network),
      allowOrigins: (options.network?.allowOrigins ?? []).map((origin) => new URL(origin).origin),
    },
    bundle: options.bundle,
    onTicket: options.onTicket,
    dispatcher: options.dispatcher,
    client: options.client,
    grades: { outgoing: createGrade(preset, rules, false), incoming: createGrade(preset, rules, true) },
  });
}

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, member]) => member !== undefined)) as Partial<T>;
}

/** A rule decides first, then the judge, then the table of checks. */
function createGrade(preset: Preset, rules: ReadonlyMap<string, Severity>, incoming: boolean): Grade {
  return (fault) => {
    const check = findCheck(fault.id);
    const byTable = (incoming ? check?.incoming : undefined) ?? check?.severity[preset] ?? 'error';
    return rules.get(fault.id) ?? fault.severity ?? byTable;
  };
}

function checkRules(value: unknown, name: string): void {
  object(value, name);
  for (const [id, severity] of Object.entries(value as object)) {
    if (findCheck(id) === undefined) {
      const near = nearest(
        id,
        CHECKS.map((check) => check.id),
      ).join('", "');
      throw new TypeError(`${name}: there is no check "${id.slice(0, 80)}". Near: "${near}".`);
    }
    oneOf(SEVERITIES)(severity, `${name}.${id}`);
    if (severity === 'entry' && !isEntryCheck(id)) {
      throw new TypeError(`${name}.${id}: "entry" is for checks of one interface; use "error", "warn" or "off"`);
    }
  }
}

function checkSpeaks(value: unknown, name: string): void {
  if (!Array.isArray(value) || value.length === 0) fail(name, 'a list with at least one binding', value);
  for (const [index, spoken] of value.entries()) {
    const where = `${name}[${index}]`;
    object(spoken, where);
    checkNames(spoken as object, ['binding', 'versions'], where);
    const { binding, versions } = spoken as Spoken;
    const ours = SPEAKABLE.find((candidate) => candidate.binding === binding);
    if (ours === undefined)
      fail(`${where}.binding`, SPEAKABLE.map((candidate) => `"${candidate.binding}"`).join(' or '), binding);
    texts(versions, `${where}.versions`);
    if (versions.length === 0) fail(`${where}.versions`, 'at least one version', versions);
    for (const version of versions) oneOf(ours.versions)(version, `${where}.versions`);
  }
}

/** What may be a secret is not quoted. */
function checkCredentials(value: unknown, name: string): void {
  if (!isObject(value)) throw new TypeError(`${name}: expected an object of scheme names and credentials`);
  for (const [scheme, credential] of Object.entries(value)) {
    if (typeof credential === 'function' || (typeof credential === 'string' && credential !== '')) continue;
    throw new TypeError(`${name}.${scheme.slice(0, 80)}: expected a text or a function that fetches one`);
  }
}

function checkLimits(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, Object.keys(DEFAULT_LIMITS), name);
  for (const [key, limit] of Object.entries(value as Partial<Limits>)) {
    if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0 && limit <= MAX_LIMIT)) continue;
    fail(`${name}.${key}`, `a whole number from 1 to ${MAX_LIMIT}`, limit);
  }
}

/** The longest time that a timer takes, which is also more bytes than a text can have. */
const MAX_LIMIT = 2_147_483_647;

function checkNetwork(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, [...NETWORK_FLAGS, 'allowOrigins'], name);
  for (const flag of NETWORK_FLAGS) {
    const set = (value as NetworkOptions)[flag];
    if (set !== undefined && typeof set !== 'boolean') fail(`${name}.${flag}`, 'true or false', set);
  }
  const { allowOrigins } = value as NetworkOptions;
  if (allowOrigins === undefined) return;
  texts(allowOrigins, `${name}.allowOrigins`);
  for (const origin of allowOrigins) {
    if (!/^https?:$/.test(parseUrl(origin)?.protocol ?? ''))
      fail(`${name}.allowOrigins`, 'origins such as "https://calls.example.com"', origin);
  }
}
