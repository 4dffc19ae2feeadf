import { EventEmitter } from 'node:events';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import type { ReachPolicy } from '../card/address.ts';
import {
  type Client,
  ExchangeError,
  type HttpAnswer,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  onAbort,
  readWhole,
} from '../exchange.ts';
import { createLookup, FORBIDDEN_CODE, type ResolveName } from './lookup.ts';

export interface UndiciClientOptions {
  /** Milliseconds to connect, TLS included. */
  readonly connectMs: number;
  /** Which addresses a name may lead to; a dispatcher of the caller's has its own lookup. */
  readonly network: ReachPolicy;
  /** How names are resolved. Default: as the system does. */
  readonly resolve?: ResolveName;
  /** A dispatcher of the caller's, which stays his to close. */
  readonly dispatcher?: Dispatcher;
}

/** Errors that undici and Node raise before a byte of the request has left. */
const NOT_SENT =
  /^(?:UND_ERR_(?:CONNECT_TIMEOUT|INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)|ERR_SSL_\w+|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT\w*)$/;

const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response headers in time',
  UND_ERR_BODY_TIMEOUT: 'the body stalled',
};

/** The reason with which a timer of this file aborts an exchange. */
const TOTAL = Symbol('total time');

/** The client that is shipped: undici, with a keep-alive pool per origin. */
export function createUndiciClient(options: UndiciClientOptions): Client {
  const owned = options.dispatcher === undefined;
  const dispatcher =
    options.dispatcher ??
    new Agent({
      connect: { timeout: options.connectMs, lookup: createLookup(options.network, options.resolve) },
      keepAliveTimeout: 10_000,
      pipelining: 1,
    });
  let closed = false;
  const whileOpen = async <T>(send: () => Promise<T>): Promise<T> => {
    if (closed) throw new ExchangeError('network', false, 'the guard is closed');
    return send();
  };
  return {
    request: (request) => whileOpen(() => exchange(dispatcher, request)),
    stream: (request) => whileOpen(() => open(dispatcher, request)),
    close: async () => {
      closed = owned;
      if (owned) await dispatcher.destroy();
    },
  };
}

async function exchange(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpAnswer> {
  const { signal, stop } = withTotal(request);
  try {
    const { statusCode, headers, body } = await send(dispatcher, request, signal);
    try {
      const whole = await readWhole(body, request.limits.responseBytes, statusCode < 200 || statusCode > 299);
      return { ...response(statusCode, headers), body: whole };
    } catch (error) {
      body.on('error', () => {}).destroy();
      // What an error page would have said is not worth the status that it came with.
      const isOver = statusCode >= 200 && statusCode <= 299;
      if (isOver || request.signal?.aborted) throw error;
      return { ...response(statusCode, headers), body: new Uint8Array() };
    }
  } catch (error) {
    throw toExchangeError(error, request);
  } finally {
    stop();
  }
}

async function open(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpStream> {
  const own = new AbortController();
  const leave = onAbort(request.signal, () => own.abort(request.signal?.reason));
  try {
    const { statusCode, headers, body } = await send(dispatcher, request, own.signal);
    const cancel = (): void => {
      leave();
      body.on('error', () => {}).destroy();
    };
    return { ...response(statusCode, headers), chunks: readChunks(body, request, leave), cancel };
  } catch (error) {
    leave();
    throw toExchangeError(error, request);
  }
}

function send(dispatcher: Dispatcher, request: HttpRequest, signal: AbortSignal | Stop | undefined) {
  return undiciRequest(request.url, {
    dispatcher,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    headersTimeout: request.limits.headersMs,
    bodyTimeout: request.limits.idleMs,
    signal: signal ?? null,
  });
}

async function* readChunks(
  body: AsyncIterable<Uint8Array>,
  request: HttpRequest,
  leave: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toExchangeError(error, request);
  } finally {
    leave();
  }
}

function response(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse {
  return {
    status,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}

/** Ends an exchange. undici takes an emitter in place of a signal, and one of these costs a fraction of an AbortSignal. */
class Stop extends EventEmitter {
  aborted = false;
  reason: unknown;

  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    this.emit('abort');
  }
}

/** The caller's signal, and the total time on top. */
function withTotal({ signal, limits }: HttpRequest): { signal: Stop; stop: () => void } {
  const own = new Stop();
  const leave = onAbort(signal, () => own.abort(signal?.reason));
  const timer = setTimeout(() => own.abort(TOTAL), limits.totalMs);
  const stop = (): void => {
    clearTimeout(timer);
    leave();
  };
  return { signal: own, stop };
}

function toExchangeError(error: unknown, { signal, limits }: HttpRequest): ExchangeError {
  if (error instanceof ExchangeError) return error;
  if (signal?.aborted && signal.reason?.name === 'TimeoutError') {
    return new ExchangeError('timeout', true, 'not finished in time', signal.reason);
  }
  if (signal?.aborted) return new ExchangeError('aborted', true, 'the caller stopped the call', signal.reason);
  if (error === TOTAL) return new ExchangeError('timeout', true, `not finished within ${limits.totalMs} ms`);
  const code = errorCode(error);
  if (code === FORBIDDEN_CODE) {
    return new ExchangeError(
      'forbidden',
      false,
      'the name leads to an address that the network option does not allow',
      error,
    );
  }
  const sent = !NOT_SENT.test(code);
  const timeout = Object.hasOwn(TIMEOUTS, code) ? TIMEOUTS[code] : undefined;
  if (timeout !== undefined) return new ExchangeError('timeout', sent, timeout, error);
  return new ExchangeError(
    'network',
    sent,
    code === '' ? 'the connection broke' : `the connection failed (${code})`,
    error,
  );
}

/** The code of an error, of its cause, or of the first one of several addresses that were tried. */
function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors) && errors.length > 0) return errorCode(errors[0]);
  return cause === undefined ? '' : errorCode(cause);
}
