import { readWhole } from '../exchange.ts';
import { type Fault, GuardError, isError, isGuardError, type Ticket, toFindings } from '../ticket.ts';
import { admit } from './admission.ts';
import { bindingOf } from './binding.ts';
import type { ResolvedCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import type { AgentFacts } from './establish.ts';
import { type FetchCall, type FoundCall, readHeaders } from './fetch-request.ts';
import { asHttp, asStream, httpError, rebuild, refusalResponse, rpcError } from './fetch-response.ts';
import type { KnownAgents } from './known-agents.ts';
import { readAnswer } from './read-answer.ts';
import { readItems } from './read-stream.ts';
import { type Journey, warnRequest } from './settle.ts';

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
  const response = await facts.fetch(call.input, unfollowed(call.init));
  return found.operation.streams && isStream(response)
    ? guardStream(journey, response, facts)
    : guardAnswer(journey, response, call, facts);
}

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
    secrets: [],
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

function answerOrThrow(
  ticket: Ticket,
  { rpcId, binding }: Journey,
  { url }: FetchCall,
  { agents }: FetchFacts,
): Response {
  if (agents.options.refuse === 'throw') throw new GuardError(ticket);
  return refusalResponse(ticket, binding.name, rpcId, url.href);
}

/** Judges a unary answer. The agent's own errors, and HTTP failures, are handed on: the client knows how to read them. */
async function guardAnswer(
  journey: Journey,
  response: Response,
  call: FetchCall,
  facts: FetchFacts,
): Promise<Response> {
  const stream = asStream(response);
  let body = new Uint8Array();
  try {
    body = (await readWhole(stream.chunks, journey.context.options.limits.responseBytes)) as Uint8Array<ArrayBuffer>;
    if (journey.operation.streams)
      await readItems(journey, { ...asHttp(response), chunks: once(body), cancel: () => {} }).next();
    else readAnswer(journey, { ...asHttp(response), body });
  } catch (error) {
    if (!isGuardError(error)) throw error;
    if (error.layer !== 'agent' && error.layer !== 'transport')
      return answerOrThrow(error.ticket, journey, call, facts);
  }
  return rebuild(response, body);
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/** Judges a stream event by event and hands each on as soon as it is judged; one event is held at most. */
function guardStream(journey: Journey, response: Response, { agents }: FetchFacts): Response {
  const items = readItems(journey, asStream(response));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await items.next();
          if (!done) controller.enqueue(encoder.encode(value.text));
          if (done || value.failure !== undefined) controller.close();
        } catch (error) {
          if (isGuardError(error) && agents.options.refuse === 'answer' && error.layer !== 'transport') {
            const data =
              journey.binding.name === 'JSONRPC' ? rpcError(error.ticket, journey.rpcId) : httpError(error.ticket);
            controller.enqueue(encoder.encode(`data: ${JSON.stringify(data)}\n\n`));
            controller.close();
          } else controller.error(error);
        }
      },
      async cancel() {
        await items.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return rebuild(response, body);
}
