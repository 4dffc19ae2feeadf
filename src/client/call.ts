import { type Placement, placeCredentials, placeNothing, secretsIn } from '../call/credentials.ts';
import { activeExtensions } from '../call/extensions.ts';
import type { Operation } from '../call/operations.ts';
import {
  type Client,
  cancelQuietly,
  ExchangeError,
  type HttpRequest,
  type HttpResponse,
  isHttpAnswer,
  isHttpStream,
  readable,
  withinTime,
} from '../exchange.ts';
import { GuardError, isError } from '../ticket.ts';
import { admit, admitFacts } from './admission.ts';
import { bindingOf } from './binding.ts';
import { type CallOptions, resolveCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import { FlatStream } from './flat-stream.ts';
import { readAnswer, readCardAnswer } from './read-answer.ts';
import { judgeEvents, nextEvents, openReading } from './read-stream.ts';
import { withRetries } from './retry.ts';
import { failExchange, failRequest, type Journey, mayRepeat, warnRequest } from './settle.ts';
import { snapshot } from './snapshot.ts';

/** A unary call from end to end. */
export async function callUnary(
  context: AgentContext,
  operation: Operation,
  params: unknown,
  options?: CallOptions,
): Promise<unknown> {
  const journey = begin(context, operation, params, options);
  admitOrRefuse(journey);
  const request = await frame(journey);
  const answer = await exchange(journey, request, (client, sent) => client.request(sent), isHttpAnswer);
  return readCardAnswer(journey, readAnswer(journey, answer));
}

/**
 * A streaming call from end to end: every event is judged before it is handed on. Options and params are taken at once,
 * so that what the caller changes later changes nothing.
 */
export function callStream(
  context: AgentContext,
  operation: Operation,
  params: unknown,
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  return new FlatStream(runStream(begin(context, operation, params, options)));
}

async function* runStream(journey: Journey): AsyncGenerator<Iterator<unknown, void>, void, undefined> {
  admitOrRefuse(journey);
  const request = await frame(journey);
  const stream = await exchange(journey, request, (client, sent) => client.stream(sent), isHttpStream);
  try {
    const reading = await openReading(journey, stream);
    for (let events = await nextEvents(reading); events !== undefined; events = await nextEvents(reading)) {
      yield judgeEvents(reading, events);
    }
  } finally {
    cancelQuietly(stream);
  }
}

function begin(context: AgentContext, operation: Operation, params: unknown, options?: CallOptions): Journey {
  const call = resolveCall(options);
  return {
    context,
    operation,
    params: snapshot(params),
    call,
    rpcId: context.nextId(),
    binding: bindingOf(context.interface),
    startedAt: performance.now(),
    attempts: 0,
    sent: false,
    secrets: secretsIn(call.headers),
  };
}

/** Throws the refusal, before anything is sent. In observe mode it is reported and the call goes on. */
function admitOrRefuse(journey: Journey): void {
  const { context, operation, params, call } = journey;
  const { ticket, findings } = admit(context, operation, params, call);
  const unreachable = context.standing.some(isError);
  if (ticket !== undefined && (context.options.mode === 'enforce' || unreachable)) {
    context.emit(ticket);
    throw new GuardError(ticket);
  }
  warnRequest(journey, findings, ticket);
}

/** Fetches credentials and frames the request. What goes wrong here goes wrong before anything is sent. */
async function frame(journey: Journey): Promise<HttpRequest> {
  const placement = await fetchCredentials(journey);
  journey.secrets.push(...placement.secrets);
  return toRequest(journey, placement);
}

/** A credential may have to be fetched from far away: it has the time of the call, and no more. */
async function fetchCredentials(journey: Journey): Promise<Placement> {
  const { context, call } = journey;
  const skill = call.skillId === undefined ? undefined : context.profile.skills.get(call.skillId);
  const nothing = placeNothing(context.profile, skill);
  if (nothing !== undefined) return nothing;
  const placing = placeCredentials(context.profile, skill, admitFacts(context, call).means);
  try {
    return await withinTime(placing, call.timeoutMs ?? context.options.limits.totalMs, call.signal);
  } catch (error) {
    if (error instanceof ExchangeError) return failExchange(journey, error);
    const message = 'A credential that the card requires could not be fetched, or cannot be sent.';
    return failRequest(journey, { id: 'capability-credentials', path: '', message }, error);
  }
}

function toRequest({ context, operation, params, call, rpcId, binding }: Journey, placement: Placement): HttpRequest {
  const { limits } = context.options;
  return binding.frame({
    operation,
    params,
    id: rpcId,
    interface: context.interface,
    extensions: activeExtensions(context.profile, context.options.extensions, call.extensions),
    headers: call.headers,
    placement,
    limits: call.timeoutMs === undefined ? limits : { ...limits, headersMs: call.timeoutMs, totalMs: call.timeoutMs },
    ...signalOf(operation, call.signal, call.timeoutMs),
  });
}

/** The caller's signal; a stream has no total time of its own, so its timeout rides on the signal. */
function signalOf(
  operation: Operation,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): { signal?: AbortSignal } {
  if (!operation.streams || timeoutMs === undefined) return signal === undefined ? {} : { signal };
  const timer = AbortSignal.timeout(timeoutMs);
  return { signal: signal === undefined ? timer : AbortSignal.any([signal, timer]) };
}

/** Sends, and sends again where that is safe. All attempts together have the time that the caller gave. */
async function exchange<T extends HttpResponse>(
  journey: Journey,
  request: HttpRequest,
  send: (client: Client, request: HttpRequest) => Promise<T>,
  isWhole: (answer: unknown) => boolean,
): Promise<T> {
  const { context, call } = journey;
  const { client } = context;
  if (client === undefined) {
    throw new TypeError('this guard has no client to send with; give createGuard the client option');
  }
  try {
    if (call.signal?.aborted) {
      throw new ExchangeError('aborted', false, 'the caller stopped the call', call.signal.reason);
    }
    const { retry } = context.options;
    const repeatable = mayRepeat(journey);
    const { timeoutMs, signal } = call;
    return await withRetries({ policy: retry, repeatable, signal, timeoutMs, discard }, async (attempt) => {
      journey.attempts = attempt;
      try {
        const answer = await send(client, attempt === 1 ? request : shortened(request, journey));
        journey.sent = true;
        return readable(answer, isWhole);
      } catch (error) {
        journey.sent ||= !(error instanceof ExchangeError) || error.sent;
        throw error;
      }
    });
  } catch (error) {
    return failExchange(journey, error);
  }
}

/** Ends what is left of an answer that nobody reads: a stream would stay open. */
function discard(answer: HttpResponse): void {
  if (isHttpStream(answer)) cancelQuietly(answer);
}

/** A later attempt has what is left of the time that the caller gave. */
function shortened(request: HttpRequest, { call, startedAt }: Journey): HttpRequest {
  if (call.timeoutMs === undefined) return request;
  const left = Math.max(1, Math.round(startedAt + call.timeoutMs - performance.now()));
  return { ...request, limits: { ...request.limits, headersMs: left, totalMs: left } };
}
