import { A2A_ERROR_ROWS } from '../errors.ts';
import { ExchangeError, type HttpAnswer, type HttpStream } from '../exchange.ts';
import type { Ticket } from '../ticket.ts';
import type { Writing } from '../traffic/dialect.ts';

/** Headers that no longer hold once a body was read and is given on. */
const STALE = ['content-length', 'content-encoding', 'transfer-encoding'];
/** Statuses whose responses have no body. */
const BODILESS = new Set([101, 204, 205, 304]);

/** A response with another body: status, headers, url, ok and redirected as they were. */
export function rebuild(response: Response, body: Uint8Array | ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers } = response;
  const rebuilt = new Response(BODILESS.has(status) ? null : (body as BodyInit | null), {
    status,
    statusText,
    headers,
  });
  for (const name of STALE) rebuilt.headers.delete(name);
  Object.defineProperty(rebuilt, 'url', { value: response.url });
  Object.defineProperty(rebuilt, 'redirected', { value: response.redirected });
  return rebuilt;
}

/**
 * A response whose body is known as JSON: `json()` gives the value that was judged, without parsing it a second time,
 * and the body counts as read, as it does for any other.
 */
export function withJson(response: Response, value: unknown): Response {
  const json = async (): Promise<unknown> => {
    const { body, bodyUsed } = response;
    if (body === null || body.locked || bodyUsed) return Response.prototype.json.call(response);
    // Not waited for: of a body that was cloned, the other half may be read much later.
    body
      .getReader()
      .cancel()
      .catch(() => {});
    return value;
  };
  return Object.defineProperty(response, 'json', { value: json, writable: true, configurable: true });
}

/** A response as the readers of answers take it. What fetch has decoded already is not packed any more. */
export function asHttp(response: Response): Pick<HttpAnswer, 'status' | 'header'> {
  return {
    status: response.status,
    header: (name) => (STALE.includes(name) ? undefined : (response.headers.get(name) ?? undefined)),
  };
}

/** A response whose body is read piece by piece; `cancel` ends it at once, also while a piece is waited for. */
export function asStream(response: Response): HttpStream {
  const reader = response.body?.getReader();
  return {
    ...asHttp(response),
    chunks: readFrom(reader),
    cancel: () => void reader?.cancel().catch(() => {}),
  };
}

/** The pieces of a stream, with its breaks as those of an exchange. */
export function readPieces(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return readFrom(stream.getReader());
}

async function* readFrom(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  if (reader === undefined) return;
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } catch (error) {
    ended = true;
    throw error instanceof ExchangeError ? error : new ExchangeError('network', true, 'the connection broke', error);
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}

const INTERNAL_ERROR = -32603;

/** google.rpc codes by HTTP status, for the errors that are made here. */
const RPC_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  500: 'INTERNAL',
};

interface ErrorBody {
  readonly code: number;
  readonly httpStatus: number;
  readonly message: string;
  readonly details: readonly object[];
}

/** What the specification says that an agent must answer where this ticket was made (§5.4). */
function errorOf(ticket: Ticket): ErrorBody {
  const row = A2A_ERROR_ROWS.find(({ name }) => name === ticket.code);
  const reason = row?.reason ?? (ticket.code === 'InvalidParamsError' ? 'INVALID_PARAMS' : undefined);
  const missing = ticket.code === 'CredentialsMissingError';
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: reason ?? ticket.code,
      domain: reason === undefined ? 'a2a-guard' : 'a2a-protocol.org',
      metadata: { ticketId: ticket.id, layer: ticket.layer },
    },
  ];
  return {
    code: ticket.jsonRpcCode ?? INTERNAL_ERROR,
    httpStatus: missing ? 401 : (row?.httpStatus[0] ?? 500),
    message: `[${ticket.layer}/${ticket.code}] ${ticket.message}`,
    details,
  };
}

/**
 * The error as the agent would write it, with the ticket's id in its details: a JSON-RPC error, google.rpc.Status over
 * HTTP+JSON (§11.6), or in 0.3 its bare code and message.
 */
export function errorBody(ticket: Ticket, { binding, version }: Writing, id: string | number): object {
  const { code, httpStatus, message, details } = errorOf(ticket);
  const error = { code, message, data: details };
  if (binding === 'JSONRPC') return { jsonrpc: '2.0', id: id === '' ? null : id, error };
  if (version !== '1.0') return error;
  return { error: { code: httpStatus, status: RPC_STATUS[httpStatus] ?? 'UNKNOWN', message, details } };
}

/** The answer in the agent's place. */
export function refusalResponse(ticket: Ticket, writing: Writing, id: string | number, url: string): Response {
  const response = new Response(JSON.stringify(errorBody(ticket, writing, id)), {
    status: writing.binding === 'JSONRPC' ? 200 : errorOf(ticket).httpStatus,
    headers: { 'content-type': 'application/json', 'x-a2a-guard-ticket': ticket.id },
  });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
