import type { Dispatcher } from 'undici';
import type { Credentials } from './call/credentials.ts';
import type { Spoken } from './card/select.ts';
import type { SignaturePolicy } from './card/signatures.ts';
import { findCheck, type Preset, type Severity } from './checks.ts';
import type { Client } from './exchange.ts';
import { checkNames, object } from './option-checks.ts';
import { DEFAULT_CACHE, DEFAULT_LIMITS, DEFAULT_RETRY, DEFAULT_SPEAKS } from './option-defaults.ts';
import { CHECK_OF_OPTION } from './option-rules.ts';
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
  /** Findings of one ticket, at most 20: a peer can be wrong in a thousand places, and logs are read by people. Default 20. */
  readonly findings: number;
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
  /** Redirects that are followed to a card, each judged like the first address; calls follow none. Default 3. */
  readonly redirects: number;
  /** Pages of one list that are read in a row. Default 10000. */
  readonly pages: number;
}

/** When and how often the same request is sent again. */
export interface RetryOptions {
  /** Attempts in all, the first among them. Default 3. */
  readonly attempts?: number;
  /** Before the second attempt, in milliseconds; doubled each time, with jitter. Default 200. */
  readonly delayMs?: number;
  /** The longest delay between two attempts. Default 5000. */
  readonly maxDelayMs?: number;
  /** From the first attempt to the start of the last; a `Retry-After` beyond it ends the attempts. Default 15000. */
  readonly totalMs?: number;
  /** The agents tell a repeated message by its messageId, so that sends may be repeated too. Default false. */
  readonly deduplicatesMessages?: boolean;
}

export type RetryPolicy = Required<RetryOptions>;

/** How cards are kept between discoveries (RFC 9111). */
export interface CacheOptions {
  /** How long a card holds whose answer says nothing of it, in milliseconds. Default 300000. */
  readonly ttlMs?: number;
  /** Cards that are kept at most. Default 1000. */
  readonly maxEntries?: number;
  /** How long a card that is no longer fresh serves on while its server fails, with a warning. Default 0: not at all. */
  readonly staleIfErrorMs?: number;
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

/** The members of a protected header that choose the key of a signature (RFC 7515 §4.1). */
export interface SignedHeader {
  readonly alg: string;
  readonly kid: string;
  readonly jku?: string;
}

/** How signatures are verified (§8.4), and where keys come from: tried in the order of the members here. */
export interface SignatureOptions {
  readonly policy: SignaturePolicy;
  /** Trusted keys, as a JSON Web Key Set (RFC 7517). */
  readonly jwks?: { readonly keys: readonly object[] };
  /** Finds a key (a JWK or CryptoKey); undefined when you have none. */
  readonly resolveKey?: (header: SignedHeader) => unknown;
  /** Origins whose `jku` is trusted, such as `https://keys.example.com`. It is fetched by https, without redirects. */
  readonly jkuOrigins?: readonly string[];
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
  /**
   * Repeats card GETs and operations that are safe to repeat, after failed connections and answers of 408, 429, 502, 503
   * and 504; anything else only when it certainly never left. `false`: nothing is repeated.
   */
  readonly retry?: RetryOptions | false;
  /** Keeps sound cards between discoveries; `false` fetches and judges each time. */
  readonly cache?: CacheOptions | false;
  /**
   * What is asked of the signatures of a card: `shape` (default) that they can be read, `verify-if-present` that one of
   * them is true, `require` that there is a true one. Keys come with the object form.
   */
  readonly signatures?: SignaturePolicy | SignatureOptions;
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
  readonly retry: RetryPolicy;
  readonly cache: Required<CacheOptions> | false;
  readonly signatures: SignatureOptions;
  readonly bundle: object | undefined;
  readonly onTicket: ((ticket: Ticket) => void) | undefined;
  readonly dispatcher: Dispatcher | undefined;
  readonly client: Client | undefined;
  /** Severities of what goes out and of cards, and of what comes in. */
  readonly grades: { readonly outgoing: Grade; readonly incoming: Grade };
}

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
    retry:
      options.retry === false ? { ...DEFAULT_RETRY, attempts: 1 } : { ...DEFAULT_RETRY, ...defined(options.retry) },
    cache: options.cache === false ? false : { ...DEFAULT_CACHE, ...defined(options.cache) },
    signatures: resolveSignatures(options.signatures ?? 'shape'),
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

function resolveSignatures(given: SignaturePolicy | SignatureOptions): SignatureOptions {
  if (typeof given === 'string') return { policy: given };
  const { jwks, jkuOrigins = [] } = given;
  return {
    ...given,
    ...(jwks !== undefined && { jwks: { keys: jwks.keys.map((key) => ({ ...key })) } }),
    jkuOrigins: jkuOrigins.map((origin) => new URL(origin).origin),
  };
}
