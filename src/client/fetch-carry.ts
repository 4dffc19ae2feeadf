import { secretsIn } from '../call/credentials.ts';
import { ExchangeError, type HttpAnswer, type HttpStream, readWhole, withinTime } from '../exchange.ts';
import { type Fault, GuardError, isError, isGuardError, type Ticket, toFindings } from '../ticket.ts';
import { type Parsed, parseBody } from '../traffic/wire.ts';
import { admit } from './admission.ts';
import { bindingOf } from './binding.ts';
import type { ResolvedCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import type { AgentFacts } from './establish.ts';
import { type FetchCall, type FoundCall, readHeaders } from './fetch-request.ts';
import { asHttp, asStream, errorBody, readPieces, rebuild, refusalResponse, withJson } from './fetch-response.ts';
import type { KnownAgents } from './known-agents.ts';
import { readAnswer, readCardAnswer } from './read-answer.ts';
import { readItems } from './read-stream.ts';
import { failExchange, type Journey, warnRequest } from './settle.ts';
import { writeEvent } from './sse.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What the guarded fetch is made of. */
export interface FetchFacts {
  /** The fetch that carries the requests. */
  readonly fetch: Fetch;
  readonly known: KnownAgents;
  readonly agents: AgentFacts;
  /** Discoveries on their way, by origin: one is enough for all that wait. */
  readonly flights: Map<string, Promise<void>>;
}

/** An A2A call that was found in a request. */
export interface Recognized {
  readonly call: FetchCall;
  readonly context: AgentContext;
  readonly found: FoundCall;
}

/** Carries a recognised call: may we, send, judge the answer. */
export async function carry({ call, context, found }: Recognized, facts: FetchFacts): Promise<Response> {
  const journey = toJourney(call, context, found);
  const refusal = admitCall(journey, found);
  if (refusal !== undefined) return answerOrThrow(refusal, journey, call, facts);
  try {
    const response = await send(journey, call, facts);
    if (!found.operation.streams || !isStream(response)) return await guardAnswer(journey, response, call, facts);
    return context.options.mode === 'observe'
      ? watchStream(journey, response)
      : guardStream(journey, response, facts.agents.options.refuse);
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return answerOrThrow(error.ticket, journey, call, facts, error);
  }
}

/** Sends, and waits for the headers as long as for those of our own calls. */
async function send(journey: Journey, call: FetchCall, { fetch }: FetchFacts): Promise<Response> {
  const own = new AbortController();
  journey.attempts = 1;
  const stop = signalOf(call);
  const signal = stop === undefined ? own.signal : AbortSignal.any([stop, own.signal]);
  try {
    const sent = fetch(call.input, { ...unfollowed(call.init), signal });
    return await withinTime(sent, journey.context.options.limits.headersMs, undefined, true);
  } catch (error) {
    if (error instanceof ExchangeError) own.abort(error);
    return failCarried(journey, call, error);
  }
}

/** The signal of a call, wherever its client put it. */
export const signalOf = ({ input, init }: FetchCall): AbortSignal | undefined =>
  init?.signal ?? (typeof Request === 'function' && input instanceof Request ? input.signal : undefined);

/** An exchange that broke has its ticket; but a client that stopped its own call gets its own reason. */
function failCarried(journey: Journey, call: FetchCall, error: unknown): never {
  const stop = signalOf(call);
  if (!stop?.aborted) return failExchange(journey, error);
  try {
    failExchange(journey, new ExchangeError('aborted', true, 'the caller stopped the call', stop.reason));
  } catch {
    throw stop.reason;
  }
}

/** What the client wants done with redirects. */
export const redirectOf = ({ input, init }: FetchCall): RequestRedirect =>
  init?.redirect ?? (typeof Request === 'function' && input instanceof Request ? input.redirect : 'follow');

/** The init as it was given, but for redirects: the next place may be one that no card declares. */
export function unfollowed(init: RequestInit | undefined): RequestInit {
  return { ...init, redirect: init?.redirect === 'error' ? 'error' : 'manual' };
}

const isStream = (response: Response): boolean =>
  response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');

function toJourney(call: FetchCall, context: AgentContext, found: FoundCall): Journey {
  const { 'a2a-version': version, ...headers } = readHeaders(call);
  const extensions = headers['a2a-extensions'] ?? headers['x-a2a-extensions'] ?? '';
  const resolved: ResolvedCall = {
    signal: undefined,
    timeoutMs: undefined,
    headers,
    version,
    skillId: undefined,
    extensions: extensions
      .split(',')
      .map((uri) => uri.trim())
      .filter((uri) => uri !== ''),
  };
  return {
    context,
    operation: found.operation,
    params: found.params,
    call: resolved,
    binding: bindingOf(context.interface),
    rpcId: found.id,
    startedAt: performance.now(),
    attempts: 0,
    sent: false,
    secrets: secretsIn(headers),
  };
}

function admitCall(journey: Journey, found: FoundCall): Ticket | undefined {
  const { context, operation, params, call } = journey;
  const { grades, mode } = context.options;
  const version: Fault[] =
    call.version === undefined && context.interface.version === '1.0'
      ? [
          {
            id: 'version-header',
            path: '',
            message: 'The request has no A2A-Version header, so the agent may read it as 0.3.',
            severity: 'warn',
          },
        ]
      : [];
  const frame = toFindings([...found.faults, ...version], grades.outgoing);
  const { ticket, findings } = admit(context, operation, params, call, frame);
  const unreachable = context.standing.some(isError);
  if (ticket !== undefined && (mode === 'enforce' || unreachable)) {
    context.emit(ticket);
    return ticket;
  }
  warnRequest(journey, findings, ticket);
  return undefined;
}

/** In answer mode the agent's place is taken; but a network that broke is for the client to see as such. */
function answerOrThrow(
  ticket: Ticket,
  { rpcId, context }: Journey,
  { url }: FetchCall,
  { agents }: FetchFacts,
  error: GuardError = new GuardError(ticket),
): Response {
  if (agents.options.refuse === 'throw') throw error;
  if (ticket.layer === 'transport') throw error.cause;
  return refusalResponse(ticket, context.interface, rpcId, url.href);
}

/**
 * Judges an answer that is no stream. The agent's own errors, and HTTP failures, are handed on: the client knows how to
 * read them. In observe mode everything is.
 */
async function guardAnswer(
  journey: Journey,
  response: Response,
  call: FetchCall,
  facts: FetchFacts,
): Promise<Response> {
  const body = await readBody(journey, response, call);
  const parsed = journey.operation.streams ? undefined : parseBody(body, journey.secrets);
  try {
    await judgeBody(journey, { ...asHttp(response), body }, parsed);
  } catch (error) {
    if (!isGuardError(error)) throw error;
    const own = error.layer === 'agent' || error.layer === 'transport';
    if (!own && journey.context.options.mode === 'enforce') {
      return answerOrThrow(error.ticket, journey, call, facts, error);
    }
  }
  return parsed === undefined || 'fault' in parsed
    ? rebuild(response, body)
    : withJson(rebuild(response, body), parsed.value);
}

async function readBody(journey: Journey, response: Response, call: FetchCall): Promise<Uint8Array<ArrayBuffer>> {
  const { responseBytes, totalMs } = journey.context.options.limits;
  const stream = asStream(response);
  try {
    const reading = readWhole(stream.chunks, responseBytes);
    return (await withinTime(reading, totalMs, undefined, true)) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    stream.cancel();
    return failCarried(journey, call, error);
  }
}

/** Judges a body that was read whole; `parsed` is what it says as JSON, unless a stream was asked for. */
async function judgeBody(journey: Journey, answer: HttpAnswer, parsed: Parsed | undefined): Promise<void> {
  if (parsed !== undefined) await readCardAnswer(journey, readAnswer(journey, answer, parsed));
  else await readItems(journey, { ...answer, chunks: once(answer.body), cancel: () => {} }).next();
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/** Judges a stream event by event and hands each on as soon as it is judged; one event is held at most. */
function guardStream(journey: Journey, response: Response, refuse: 'throw' | 'answer'): Response {
  const stream = asStream(response);
  const items = readItems(journey, stream);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await items.next();
          if (!done) controller.enqueue(encoder.encode(writeEvent(value.written)));
          if (!done && value.failure === undefined) return;
          stream.cancel();
          controller.close();
        } catch (error) {
          stream.cancel();
          if (!isGuardError(error) || refuse === 'throw' || error.layer === 'transport') return controller.error(error);
          controller.enqueue(encoder.encode(errorEvent(error.ticket, journey)));
          controller.close();
        }
      },
      cancel: () => stream.cancel(),
    },
    { highWaterMark: 0 },
  );
  return rebuild(response, body);
}

/** The error as the last event. Clients of HTTP+JSON tell it from a payload by its name. */
function errorEvent(ticket: Ticket, { binding, rpcId, context }: Journey): string {
  const name = binding.name === 'JSONRPC' ? '' : 'event: error\n';
  return `${name}data: ${JSON.stringify(errorBody(ticket, context.interface, rpcId))}\n\n`;
}

/** A stream in observe mode: the bytes pass as they come, and what is judged is a copy that goes along with them. */
function watchStream(journey: Journey, response: Response): Response {
  const copy = new TransformStream<Uint8Array, Uint8Array>();
  const watcher = copy.writable.getWriter();
  const chunks = readPieces(copy.readable);
  void judgeAll(journey, { ...asHttp(response), chunks, cancel: () => {} });
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      watcher.write(chunk).catch(() => {});
    },
    flush: () => void watcher.close().catch(() => {}),
  });
  return rebuild(response, response.body?.pipeThrough(tap) ?? null);
}

/** Judges to the first event that does not hold; its ticket is all that comes of it. */
async function judgeAll(journey: Journey, stream: HttpStream): Promise<void> {
  try {
    for await (const _ of readItems(journey, stream));
  } catch (error) {
    if (!isGuardError(error)) throw error;
  }
}
