import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import type { ReachPolicy } from '../card/address.ts';
import {
  type Client,
  type ExchangeError,
  type HttpAnswer,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  joinBytes,
} from '../exchange.ts';
import { createLookup, type ResolveName } from './lookup.ts';
import { Transfer } from './transfer.ts';

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
  return {
    request: (request) => new Promise((resolve, reject) => new WholeAnswer(request, resolve, reject).start(dispatcher)),
    stream: (request) =>
      new Promise((resolve, reject) => new StreamedAnswer(request, resolve, reject).start(dispatcher)),
    close: async () => {
      if (owned) await dispatcher.destroy();
    },
  };
}

/** An answer that is read whole, within its size and its time. */
class WholeAnswer extends Transfer {
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: ExchangeError) => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #parts: Uint8Array[] = [];
  #size = 0;
  #head: HttpResponse | undefined;

  constructor(request: HttpRequest, resolve: (answer: HttpAnswer) => void, reject: (error: ExchangeError) => void) {
    super(request);
    this.#resolve = resolve;
    this.#reject = reject;
    const { totalMs } = request.limits;
    this.#timer = setTimeout(() => this.stop('timeout', `not finished within ${totalMs} ms`), totalMs);
  }

  protected onHead(response: HttpResponse): void {
    this.#head = response;
  }

  protected onChunk(chunk: Uint8Array): boolean {
    const limit = this.request.limits.responseBytes;
    const left = limit - this.#size;
    const isOver = chunk.length > left;
    this.#parts.push(isOver ? chunk.subarray(0, left) : chunk);
    this.#size += Math.min(chunk.length, left);
    if (isOver) this.stop('size', `the body is larger than ${limit} bytes`);
    return true;
  }

  protected onEnd(): void {
    clearTimeout(this.#timer);
    const { status, header } = this.#head as HttpResponse;
    this.#resolve({ status, header, body: joinBytes(this.#parts, this.#size) });
  }

  /** What is missing of an error page is not worth the status that it came with. */
  protected onFail(error: ExchangeError): void {
    clearTimeout(this.#timer);
    const status = this.#head?.status ?? 200;
    const isErrorPage = status < 200 || status > 299;
    if (isErrorPage && !this.request.signal?.aborted) this.onEnd();
    else this.#reject(error);
  }
}

/** Bytes of a stream that are taken before somebody reads them: as many as undici's own streams take. */
const BUFFERED = 64 * 1024;

/** An answer that is read as it comes; undici waits while nobody reads. */
class StreamedAnswer extends Transfer {
  readonly #resolve: (stream: HttpStream) => void;
  readonly #reject: (error: ExchangeError) => void;
  #body: Readable | undefined;

  constructor(request: HttpRequest, resolve: (stream: HttpStream) => void, reject: (error: ExchangeError) => void) {
    super(request);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected onHead({ status, header }: HttpResponse): void {
    const body = new Readable({
      highWaterMark: BUFFERED,
      read: () => this.resume(),
      destroy: (error, done) => {
        this.stop('aborted', 'the stream was left');
        done(error);
      },
    });
    // Whoever reads is told; when nobody does, nobody has to be.
    body.on('error', () => {});
    this.#body = body;
    const cancel = (): void => {
      this.stop('aborted', 'the stream was left');
      body.destroy();
    };
    this.#resolve({ status, header, chunks: body, cancel });
  }

  protected onChunk(chunk: Uint8Array): boolean {
    return this.#body?.push(chunk) ?? true;
  }

  protected onEnd(): void {
    this.#body?.push(null);
  }

  protected onFail(error: ExchangeError): void {
    if (this.#body === undefined) this.#reject(error);
    else this.#body.destroy(error);
  }
}
