import type { Dispatcher } from 'undici';
import { ExchangeError, type ExchangeFailure, type HttpRequest, type HttpResponse, onAbort } from '../exchange.ts';
import { remembered } from '../remembered.ts';
import { FORBIDDEN_CODE } from './lookup.ts';

/** Where a request goes, as undici wants it. */
const targetOf = remembered((url) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
});

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Controller = Dispatcher.DispatchController;

/**
 * One request on its way through undici, from `start` to `onEnd` or `onFail`, of which exactly one is called, once. It
 * takes what undici hands over without a stream in between, which costs more than all the rest of a small call.
 */
export abstract class Transfer implements Dispatcher.DispatchHandler {
  protected readonly request: HttpRequest;
  #controller: Controller | undefined;
  #isOver = false;
  #hasHead = false;
  #leave = (): void => {};

  constructor(request: HttpRequest) {
    this.request = request;
  }

  protected abstract onHead(response: HttpResponse): void;
  /** False asks for a pause until `resume`. */
  protected abstract onChunk(chunk: Uint8Array): boolean;
  protected abstract onEnd(): void;
  protected abstract onFail(error: ExchangeError): void;

  start(dispatcher: Dispatcher): void {
    const { url, method, headers, body, limits, signal } = this.request;
    this.#leave = onAbort(signal, () => this.#stopFor(signal));
    if (this.#isOver) return;
    try {
      const { origin, path } = targetOf(url);
      const { headersMs: headersTimeout, idleMs: bodyTimeout } = limits;
      dispatcher.dispatch({ origin, path, method, headers, body: body ?? null, headersTimeout, bodyTimeout }, this);
    } catch (error) {
      this.#fail(this.#toExchangeError(error));
    }
  }

  /** Ends it from this side; what has come so far is let go, and the connection is closed. */
  stop(failure: ExchangeFailure, message: string, cause?: unknown): void {
    if (this.#isOver) return;
    const error = new ExchangeError(failure, this.#isSent, message, cause);
    this.#fail(error);
    this.#controller?.abort(error);
  }

  resume(): void {
    if (!this.#isOver) this.#controller?.resume();
  }

  /** undici gives a controller just before it writes a request: what ends earlier never left. */
  get #isSent(): boolean {
    return this.#controller !== undefined;
  }

  #stopFor(signal: AbortSignal | undefined): void {
    const reason: unknown = signal?.reason;
    const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
    if (isTimeout) this.stop('timeout', 'not finished in time', reason);
    else this.stop('aborted', 'the caller stopped the call', reason);
  }

  #finish(): void {
    this.#isOver = true;
    this.#leave();
  }

  #fail(error: ExchangeError): void {
    this.#finish();
    this.onFail(error);
  }

  onRequestStart(controller: Controller): void {
    if (this.#isOver) controller.abort(new Error('the request was stopped before it was sent'));
    else this.#controller = controller;
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    this.#controller ??= controller;
    if (this.#isOver || status < 200) return;
    this.#hasHead = true;
    this.onHead({
      status,
      header(name) {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    });
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#controller ??= controller;
    if (!this.#isOver && !this.onChunk(chunk)) controller.pause();
  }

  /** Interceptors have been seen to end an exchange of which they passed on informational responses only. */
  onResponseEnd(): void {
    if (this.#isOver) return;
    if (!this.#hasHead) {
      this.#fail(new ExchangeError('network', true, 'the exchange ended without an answer'));
      return;
    }
    this.#finish();
    this.onEnd();
  }

  onResponseError(_: Controller, error: unknown): void {
    if (!this.#isOver) this.#fail(this.#toExchangeError(error));
  }

  #toExchangeError(error: unknown): ExchangeError {
    const [code, message] = describe(error);
    const [failure, what] = MEANINGS.get(code) ?? ['network', whatBroke(code, message)];
    return new ExchangeError(failure, this.#isSent || RESETS.has(code), what, error);
  }
}

type Meaning = readonly [ExchangeFailure, string];

const CLOSED: Meaning = ['aborted', 'the guard, or its dispatcher, was closed'];

/** Errors of undici, and of the lookup of names, that are more than a broken connection. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'no connection in time']],
  ['UND_ERR_HEADERS_TIMEOUT', ['timeout', 'no response headers in time']],
  ['UND_ERR_BODY_TIMEOUT', ['timeout', 'the body stalled']],
  ['UND_ERR_DESTROYED', CLOSED],
  ['UND_ERR_CLOSED', CLOSED],
  [FORBIDDEN_CODE, ['forbidden', 'the name leads to an address that the network option does not allow']],
]);

/** A connection that broke has most likely carried something, also where a dispatcher does not say that it began. */
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function whatBroke(code: string, message: string): string {
  if (code === '') return 'the connection broke';
  // A dispatcher of before undici 7 says so of every request.
  return code === 'UND_ERR_INVALID_ARG' ? `undici gave up: ${message}` : `the connection failed (${code})`;
}

/** The code and the message of an error, of its cause, or of the first one of several addresses that were tried. */
function describe(error: unknown): readonly [code: string, message: string] {
  if (typeof error !== 'object' || error === null) return ['', ''];
  const { code, message, cause, errors } = error as Partial<Record<'code' | 'message' | 'cause' | 'errors', unknown>>;
  if (typeof code === 'string') return [code, String(message)];
  if (Array.isArray(errors) && errors.length > 0) return describe(errors[0]);
  return describe(cause);
}
