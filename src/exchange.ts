/** Limits of one exchange, in bytes and milliseconds. */
export interface ExchangeLimits {
  /** Largest body that is read whole, in bytes after decoding. */
  readonly responseBytes: number;
  /** From the start to the response headers, once connected. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** From the start to the end of the exchange; streams have no total. */
  readonly totalMs: number;
}

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limits: ExchangeLimits;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** A response header by its lower-case name; several are joined with ", ". */
  header(name: string): string | undefined;
}

/** A response whose body was read whole, within the limit. */
export interface HttpAnswer extends HttpResponse {
  readonly body: Uint8Array;
}

/** A response whose body is still coming. Leaving the loop early, or `cancel()`, closes the connection. */
export interface HttpStream extends HttpResponse {
  readonly chunks: AsyncIterable<Uint8Array>;
  cancel(): void;
}

/**
 * What carries the guard's requests: two functions, so that another HTTP or JSON-RPC client can be put in its place. It
 * sends exactly what it is given, follows no redirect, repeats nothing, and throws {@link ExchangeError}.
 */
export interface Client {
  request(request: HttpRequest): Promise<HttpAnswer>;
  stream(request: HttpRequest): Promise<HttpStream>;
  close?(): Promise<void>;
}

/** How an exchange broke. `forbidden`: the name led to an address that policy does not allow, and nothing was sent. */
export type ExchangeFailure = 'network' | 'timeout' | 'size' | 'aborted' | 'forbidden';

/** An exchange that broke. `sent` is false only when it is certain that no byte of the request left. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly failure: ExchangeFailure;
  readonly sent: boolean;

  constructor(failure: ExchangeFailure, sent: boolean, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.sent = sent;
  }
}

/** Whether what a client gave back is an answer at all; clients are not all ours. */
export function isHttpAnswer(value: unknown): value is HttpAnswer {
  return isResponse(value) && (value as Partial<HttpAnswer>).body instanceof Uint8Array;
}

export function isHttpStream(value: unknown): value is HttpStream {
  const { chunks, cancel } = (value ?? {}) as Partial<HttpStream>;
  return (
    isResponse(value) && typeof cancel === 'function' && typeof chunks === 'object' && Symbol.asyncIterator in chunks
  );
}

/**
 * An answer as it was given, whose header is a text or nothing whatever the client does.
 * @throws ExchangeError for what is no answer.
 */
export function readable<T extends HttpResponse>(answer: T, isWhole: (answer: unknown) => boolean): T {
  if (!isWhole(answer)) throw new ExchangeError('network', true, 'the client gave no HTTP answer');
  const header = (name: string): string | undefined => {
    const value: unknown = answer.header(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { ...answer, header };
}

function isResponse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { status, header } = value as Partial<HttpResponse>;
  return Number.isInteger(status) && typeof header === 'function';
}

/** Ends a stream that nobody wants any more; a client that fails at it changes no result. */
export function cancelQuietly(stream: HttpStream): void {
  try {
    stream.cancel();
  } catch {
    // The stream is left either way.
  }
}

interface Waiting {
  readonly listeners: Set<() => void>;
  readonly wake: () => void;
}

const WAITING = new WeakMap<AbortSignal, Waiting>();

function listen(signal: AbortSignal): Waiting {
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const waiting = { listeners, wake };
  signal.addEventListener('abort', wake, { once: true });
  WAITING.set(signal, waiting);
  return waiting;
}

/**
 * Calls `listener` when the signal is aborted, or at once if it was; returns what ends that. However many calls share a
 * signal, it has one listener, because platforms warn of more than a few.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const { listeners, wake } = WAITING.get(signal) ?? listen(signal);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || WAITING.get(signal)?.listeners !== listeners) return;
    signal.removeEventListener('abort', wake);
    WAITING.delete(signal);
  };
}

/**
 * Waits for a promise within a time; `sent` says whether the request has left by then.
 * @throws ExchangeError when the time is over or the signal stops the wait.
 */
export async function withinTime<T>(promise: Promise<T>, ms: number, signal?: AbortSignal, sent = false): Promise<T> {
  let stop = (): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ExchangeError('timeout', sent, `not finished within ${ms} ms`)), ms);
    stop = onAbort(signal, () =>
      reject(new ExchangeError('aborted', sent, 'the caller stopped the call', signal?.reason)),
    );
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/**
 * Reads a body whole. One that is too large is cut at the limit where `cut` says so: what is left of an error page is
 * enough.
 * @throws ExchangeError when it is larger than `limit` bytes.
 */
export async function readWhole(chunks: AsyncIterable<Uint8Array>, limit: number, cut = false): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit && cut) return parts[0]?.subarray(0, limit) ?? chunk.subarray(0, limit);
    if (size > limit) throw new ExchangeError('size', true, `the body is larger than ${limit} bytes`);
    parts.push(chunk);
  }
  return joinBytes(parts, size);
}

/** Pieces as one; `size` is how many bytes they have together. A single piece is not copied. */
export function joinBytes(parts: readonly Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
