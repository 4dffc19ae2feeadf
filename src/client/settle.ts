import type { Operation } from '../call/operations.ts';
import { ExchangeError, type ExchangeFailure, type HttpResponse } from '../exchange.ts';
import {
  broken,
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  GuardError,
  isError,
  type Outcome,
  type Ticket,
  type TicketFacts,
  type TicketNext,
  toFindings,
} from '../ticket.ts';
import { checkRemoteCode, RemoteError, type RemoteErrorFacts } from '../traffic/remote-error.ts';
import { readChallenges, readRetryAfter } from '../traffic/response-headers.ts';
import type { Binding } from './binding.ts';
import type { ResolvedCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import { isRetryableStatus } from './retry.ts';
import { agentFacts, answerFacts, requestFacts, traceIdOf } from './ticket-facts.ts';

/** One call on its way: what its tickets say whatever happens. */
export interface Journey {
  readonly context: AgentContext;
  readonly operation: Operation;
  readonly params: unknown;
  readonly call: ResolvedCall;
  readonly binding: Binding;
  /** The id of the request; bindings without one ignore it. */
  readonly rpcId: string | number;
  readonly startedAt: number;
  /** How often the request was sent so far. */
  attempts: number;
  /** Whether any of the attempts may have reached the agent. */
  sent: boolean;
  /** Credentials that were placed in the request; they must not come back in a ticket. */
  readonly secrets: string[];
}

function journeyFacts(journey: Journey): Pick<TicketFacts, 'agent' | 'rpcId' | 'durationMs' | 'attempts'> {
  const traceId = traceIdOf(journey.call.headers);
  return {
    ...agentFacts(journey.context),
    ...requestFacts(journey.operation, journey.params),
    ...(journey.binding.name === 'JSONRPC' && journey.rpcId !== '' && { rpcId: journey.rpcId }),
    ...(journey.attempts > 0 && { attempts: journey.attempts }),
    durationMs: Math.round(performance.now() - journey.startedAt),
    ...(traceId !== undefined && { traceId }),
  };
}

function raise(journey: Journey, ticket: Ticket, cause?: unknown): never {
  const { session } = journey.context;
  if (session !== undefined && ticket.httpStatus === 401) session.ended = true;
  journey.context.emit(ticket);
  throw new GuardError(ticket, cause);
}

/** Ends a call that cannot be sent. */
export function failRequest(journey: Journey, fault: Fault, cause: unknown): never {
  const findings = toFindings([fault], broken);
  const lead = findings[0] as Finding;
  const ticket = createTicket(
    {
      ...journeyFacts(journey),
      layer: lead.layer,
      ...(lead.layer === 'traffic' && { direction: 'outgoing' as const }),
      code: codeOf(lead, 'outgoing'),
      blocked: true,
      outcome: 'not-sent',
      findings,
      next: lead.layer === 'capability' ? 'authenticate' : 'fix-request',
    },
    journey.context.options.limits.findings,
  );
  raise(journey, ticket, cause);
}

/** What is known of an answer that is reported. */
export interface AnswerFacts {
  readonly response?: HttpResponse;
  readonly result?: unknown;
  readonly outcome?: Outcome;
}

/** Ends a call whose answer does not hold: nothing of it is handed on. */
export function failAnswer(journey: Journey, findings: readonly Finding[], facts: AnswerFacts = {}): never {
  raise(journey, answerTicket(journey, findings, facts));
}

/** The ticket of an answer that has findings, whether it is refused or delivered. */
export function answerTicket(journey: Journey, findings: readonly Finding[], facts: AnswerFacts = {}): Ticket {
  const lead = findings.find(isError) ?? (findings[0] as Finding);
  const { response, result, outcome = 'answered' } = facts;
  return createTicket(
    {
      ...answerFacts(result),
      ...journeyFacts(journey),
      layer: lead.layer,
      ...(lead.layer === 'traffic' && { direction: 'incoming' as const }),
      code: codeOf(lead, 'incoming'),
      severity: lead.severity,
      message: lead.message,
      findings,
      outcome,
      ...(response !== undefined && responseFacts(response)),
      ...statusAdvice(lead, response?.status, journey),
    },
    journey.context.options.limits.findings,
  );
}

/** Whether the request may arrive twice: by what it does, or because the agents tell a repeated message. */
export function mayRepeat({ operation, context }: Journey): boolean {
  const isMessage = operation.params === 'SendMessageRequest';
  return operation.repeatable || (isMessage && context.options.retry.deduplicatesMessages);
}

/** Whose move an HTTP status is, where it says so. */
const NEXT_OF_STATUS: ReadonlyMap<number, TicketNext> = new Map([
  ...[401, 403].map((status) => [status, 'authenticate'] as const),
  ...[400, 411, 413, 414, 415, 422, 431].map((status) => [status, 'fix-request'] as const),
  ...[404, 405, 410].map((status) => [status, 'fix-card'] as const),
]);

function statusAdvice(lead: Finding, status: number | undefined, journey: Journey): Partial<TicketFacts> {
  if (lead.id !== 'wire-status' || status === undefined) return {};
  if (isRetryableStatus(status) && mayRepeat(journey)) return { next: 'retry', retryable: true };
  const next = NEXT_OF_STATUS.get(status);
  return next === undefined ? {} : { next };
}

/** Reports what is odd about something that is delivered all the same. */
export function warn(journey: Journey, findings: readonly Finding[], result?: unknown): void {
  if (findings.length > 0) journey.context.emit(answerTicket(journey, findings, { result }));
}

/** What went out with a warning: reported, and sent all the same. */
export function warnRequest(journey: Journey, findings: readonly Finding[], blocked: Ticket | undefined): void {
  const [lead] = findings;
  if (lead === undefined) return;
  const ticket = createTicket(
    {
      ...journeyFacts(journey),
      layer: lead.layer,
      ...(lead.layer === 'traffic' && { direction: 'outgoing' as const }),
      code: blocked?.code ?? codeOf(lead, 'outgoing'),
      severity: blocked?.severity ?? 'warn',
      message: blocked?.message ?? lead.message,
      findings,
    },
    journey.context.options.limits.findings,
  );
  journey.context.emit(ticket);
}

/** What the headers of an answer say about the next try. */
export function responseFacts(response: HttpResponse): Pick<TicketFacts, 'httpStatus' | 'retryAfterMs' | 'challenges'> {
  const retryAfterMs = readRetryAfter(response.header('retry-after'), Date.now());
  const challenges = readChallenges(response.header('www-authenticate'));
  return {
    httpStatus: response.status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(challenges.length > 0 && { challenges }),
  };
}

/** Ends a call that the agent answered with a well-formed error. */
export function failRemote(journey: Journey, error: RemoteErrorFacts, response: HttpResponse): never {
  const { context, operation } = journey;
  const code = error.jsonRpcCode === undefined ? '' : ` (${error.jsonRpcCode})`;
  const name = error.code === 'JsonRpcError' ? 'an error of its own' : error.code;
  const fault: Fault = { id: 'remote-error', path: '', message: `The agent answered ${name}${code}.` };
  const declared = operation.flag === undefined ? undefined : context.profile.flags[operation.flag] === true;
  const wrong = checkRemoteCode(operation.flag, declared, error.code);
  const findings = [...toFindings([fault], broken), ...toFindings(wrong, context.options.grades.incoming)];
  const { status } = response;
  const ticket = createTicket(
    {
      ...journeyFacts(journey),
      layer: 'agent',
      code: error.code,
      ...(error.jsonRpcCode !== undefined && { jsonRpcCode: error.jsonRpcCode }),
      ...responseFacts(response),
      message: fault.message,
      findings,
      outcome: 'answered',
      next: status === 401 || status === 403 ? 'authenticate' : 'none',
    },
    journey.context.options.limits.findings,
  );
  raise(journey, ticket, new RemoteError(error));
}

const CHECK_OF_FAILURE = {
  network: 'wire-network',
  timeout: 'wire-timeout',
  aborted: 'wire-aborted',
  size: 'wire-size',
  forbidden: 'network-address',
} as const satisfies Record<ExchangeFailure, string>;

const NEXT_OF_FAILURE: Readonly<Record<ExchangeFailure, TicketNext>> = {
  network: 'check-network',
  timeout: 'check-network',
  aborted: 'none',
  size: 'fix-response',
  forbidden: 'choose-agent',
};

/** Ends a call whose exchange broke. Unless nothing was sent, what the agent did is not known. */
export function failExchange(journey: Journey, error: unknown, result?: unknown): never {
  const failure =
    error instanceof ExchangeError ? error : new ExchangeError('network', true, 'the client failed', error);
  const sent = journey.sent || failure.sent;
  const fault = {
    id: CHECK_OF_FAILURE[failure.failure],
    path: '',
    message: sentenceOf(failure, sent, mayRepeat(journey)),
  };
  const findings = toFindings([fault], broken);
  const { layer } = findings[0] as Finding;
  const retryable = failure.failure !== 'aborted' && layer === 'transport' && (!sent || mayRepeat(journey));
  const ticket = createTicket(
    {
      ...answerFacts(result),
      ...journeyFacts(journey),
      layer,
      ...(layer === 'traffic' && { direction: 'incoming' as const }),
      code: codeOf(findings[0] as Finding, 'incoming'),
      blocked: failure.failure === 'forbidden',
      message: fault.message,
      findings,
      outcome: sent ? 'unknown' : 'not-sent',
      retryable,
      next: retryable && failure.failure === 'timeout' ? 'retry' : NEXT_OF_FAILURE[failure.failure],
    },
    journey.context.options.limits.findings,
  );
  raise(journey, ticket, failure.cause ?? failure);
}

function sentenceOf(error: ExchangeError, sent: boolean, repeatable: boolean): string {
  const what = `The exchange failed: ${error.message}.`;
  if (!sent) return `${what} Nothing was sent.`;
  return repeatable ? what : `${what} Whether the agent acted is unknown; it is not sent again.`;
}

const FAILED_STATES: Readonly<Record<string, { id: 'task-failed' | 'task-rejected'; what: string }>> = {
  TASK_STATE_FAILED: { id: 'task-failed', what: 'The task ended FAILED.' },
  TASK_STATE_REJECTED: { id: 'task-rejected', what: 'The agent REJECTED the task.' },
};

/** A task that ended FAILED or REJECTED: delivered, never thrown, and reported as the agent's when it is first seen. */
export function taskFailure(journey: Journey, state: unknown, result: unknown): Finding[] {
  const failure = typeof state === 'string' && Object.hasOwn(FAILED_STATES, state) ? FAILED_STATES[state] : undefined;
  if (failure === undefined) return [];
  if (!journey.context.ledger.isNews(answerFacts(result).taskId)) return [];
  const fault = { id: failure.id, path: '', message: `${failure.what} Its status says why.` };
  return toFindings([fault], journey.context.options.grades.incoming);
}
