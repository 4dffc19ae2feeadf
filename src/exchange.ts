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

/** How an exchange broke. */
export type ExchangeFailure = 'network' | 'timeout' | 'size' | 'aborted';

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

/** Reads a body whole. @throws ExchangeError when it is larger than `limit` bytes. */
export async function readWhole(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new ExchangeError('size', true, `the body is larger than ${limit} bytes`);
    parts.push(chunk);
  }
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
