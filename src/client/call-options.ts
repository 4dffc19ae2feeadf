import { checkNames } from '../option-checks.ts';

export interface CallOptions {
  /** Stops the call; the connection is closed. */
  readonly signal?: AbortSignal;
  /** The whole call in milliseconds, in place of limits.headersMs and totalMs; for a stream, from its start to its end. */
  readonly timeoutMs?: number;
  /** Further request headers. Those that the protocol owns are the guard's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The skill that is meant: its media types and security requirements count. */
  readonly skillId?: string;
  /** URIs of extensions to activate for this call, beside those of the guard. */
  readonly extensions?: readonly string[];
}

export interface ResolvedCall {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** Lower-case names, without `a2a-version`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `A2A-Version` that the caller set, to be compared with the interface. */
  readonly version: string | undefined;
  readonly skillId: string | undefined;
  readonly extensions: readonly string[];
}

const NAMES = ['signal', 'timeoutMs', 'headers', 'skillId', 'extensions'];
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Headers that frame the exchange; setting them would contradict what the guard sends. */
const OWNED: Readonly<Record<string, string>> = {
  'a2a-extensions': 'use the extensions option',
  'content-type': 'the binding decides it',
  'content-length': 'the body decides it',
  'transfer-encoding': 'the body decides it',
  accept: 'the operation decides it',
  'accept-encoding': 'answers are read as they are',
  host: 'the interface decides it',
  connection: 'the pool decides it',
};

const NOTHING: ResolvedCall = Object.freeze({
  signal: undefined,
  timeoutMs: undefined,
  headers: Object.freeze({}),
  version: undefined,
  skillId: undefined,
  extensions: Object.freeze([]),
});

/**
 * Checks the options of one call and copies them.
 * @throws TypeError that quotes the option.
 */
export function resolveCall(call: CallOptions | undefined): ResolvedCall {
  if (call === undefined) return NOTHING;
  if (typeof call !== 'object' || call === null) throw new TypeError('call options: expected an object');
  checkNames(call, NAMES, 'call options');
  const { signal, timeoutMs, skillId, extensions = [] } = call;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('signal: expected an AbortSignal');
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= 2_147_483_647)) {
    throw new TypeError('timeoutMs: expected a whole number of milliseconds above 0');
  }
  if (skillId !== undefined && typeof skillId !== 'string') throw new TypeError('skillId: expected a text');
  if (!Array.isArray(extensions) || extensions.some((uri) => typeof uri !== 'string' || CONTROL.test(uri))) {
    throw new TypeError('extensions: expected a list of URIs');
  }
  const { 'a2a-version': version, ...headers } = resolveHeaders(call.headers);
  return { signal, timeoutMs, headers, version, skillId, extensions: [...extensions] };
}

function resolveHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers) || headers instanceof Headers) {
    throw new TypeError('headers: expected an object of names and texts');
  }
  const entries = Object.entries(headers).map(([key, value]) => {
    const name = key.toLowerCase();
    if (!TOKEN.test(key)) throw new TypeError(`headers: "${key.slice(0, 40)}" is not a header name`);
    if (typeof value !== 'string' || CONTROL.test(value))
      throw new TypeError(`headers.${key}: expected a text without line ends`);
    if (Object.hasOwn(OWNED, name))
      throw new TypeError(`headers.${key}: leave this header to the guard; ${OWNED[name]}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
