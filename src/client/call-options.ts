import { checkNames } from '../option-checks.ts';
import { isHeaderName, isHeaderText, isOwnedHeader } from '../schema/headers.ts';

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
const VERSION_HEADER = 'a2a-version';

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
  if (!Array.isArray(extensions) || !extensions.every(isUri)) {
    throw new TypeError('extensions: expected a list of URIs');
  }
  const { [VERSION_HEADER]: version, ...headers } = resolveHeaders(call.headers);
  return { signal, timeoutMs, headers, version, skillId, extensions: [...extensions] };
}

/** A comma would make two of one in the A2A-Extensions header. */
function isUri(uri: unknown): boolean {
  return isHeaderText(uri) && !uri.includes(',') && uri.trim() !== '';
}

function resolveHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers) || headers instanceof Headers) {
    throw new TypeError('headers: expected an object of names and texts');
  }
  const entries = Object.entries(headers).map(([key, value]) => {
    const name = key.toLowerCase();
    if (!isHeaderName(key)) throw new TypeError(`headers: "${key.slice(0, 40)}" is not a header name`);
    if (!isHeaderText(value)) throw new TypeError(`headers.${key}: expected a text without line ends`);
    const owner = name === VERSION_HEADER ? undefined : isOwnedHeader(name);
    if (owner !== undefined) throw new TypeError(`headers.${key}: leave this header to the guard; ${owner}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
