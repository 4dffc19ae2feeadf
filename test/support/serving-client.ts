import type { Client, HttpRequest } from '../../src/index.ts';

/** A response of HTTP, before it is one of any client. */
export interface Served {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in the pieces in which it comes. */
  readonly pieces: readonly Uint8Array[];
  /** What the body breaks off with. */
  readonly breaks?: unknown;
}

export interface ServingClient extends Client {
  /** Every request that the guard made of it, in order. */
  readonly asked: readonly HttpRequest[];
}

const header =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    Object.hasOwn(headers, name) ? headers[name] : undefined;

async function* chunksOf({ pieces, breaks }: Served): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (breaks !== undefined) throw breaks;
}

/** A client of the `client` option, without a network: it gives what it is told, and keeps what it was asked. */
export function serve(reply: (request: HttpRequest) => Served): ServingClient {
  const asked: HttpRequest[] = [];
  const answer = (request: HttpRequest): Served => {
    asked.push(request);
    return reply(request);
  };
  return {
    asked,
    async request(request) {
      const { status, headers, pieces, breaks } = answer(request);
      if (breaks !== undefined) throw breaks;
      return { status, header: header(headers), body: new Uint8Array(Buffer.concat(pieces)) };
    },
    async stream(request) {
      const served = answer(request);
      return { status: served.status, header: header(served.headers), chunks: chunksOf(served), cancel: () => {} };
    },
  };
}

/** The same response for a caller of `fetch`. */
export function toResponse(served: Served): Response {
  const bodiless = [101, 204, 205, 304].includes(served.status);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of served.pieces) controller.enqueue(piece);
      if (served.breaks === undefined) controller.close();
      else controller.error(served.breaks);
    },
  });
  return new Response(bodiless ? null : body, { status: served.status, headers: served.headers });
}
