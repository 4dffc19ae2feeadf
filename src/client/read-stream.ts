import { ExchangeError, type HttpAnswer, type HttpStream, readWhole, withinTime } from '../exchange.ts';
import type { ProtocolVersion } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import { broken, type Finding, type GuardError, isError, isGuardError, toFindings } from '../ticket.ts';
import {
  endStream,
  isSettled,
  namedIds,
  STREAM_START,
  type StreamFacts,
  type StreamState,
  stepStream,
} from '../traffic/stream.ts';
import { checkEncoding, checkJsonType, type Parsed, parseBody, parseText, readContentType } from '../traffic/wire.ts';
import { type Asked, askedOf, failStatus, judgeResult, viewOf } from './read-answer.ts';
import { failAnswer, failExchange, failRemote, type Journey, taskFailure, warn } from './settle.ts';
import { readEvents, type SseEnd, type SseEvent } from './sse.ts';

/** One stream on its way. */
export interface Reading {
  readonly journey: Journey;
  readonly response: HttpStream;
  readonly events: AsyncGenerator<readonly SseEvent[], SseEnd, undefined>;
  readonly asked: Asked;
  readonly facts: StreamFacts;
  /** Checks that were reported already: a stream may be odd in the same way a thousand times. */
  readonly warned: Set<string>;
  state: StreamState;
  /** When the state was first one after which nothing more has to come. */
  settledAt: number | undefined;
}

/** One event that is handed on. */
export interface JudgedEvent {
  /** The event as it stands in the stream. */
  readonly written: SseEvent;
  /** Set when the event is the agent's error, which ends the stream. */
  readonly failure: GuardError | undefined;
}

/**
 * Begins to read the answer to a streaming call: status and content type. Then each event is judged by its frame, JSON,
 * envelope, pointer and place in the stream. A good event is handed on as it came; the first broken one ends the stream.
 */
export async function openReading(journey: Journey, stream: HttpStream): Promise<Reading> {
  await expectEvents(journey, stream);
  const asked = askedOf(journey);
  const { interface: spoken, options } = journey.context;
  return {
    journey,
    response: stream,
    events: readEvents(stream.chunks, options.limits.eventBytes),
    asked,
    facts: { named: namedIds(journey.operation, asked.params), version: spoken.version as ProtocolVersion },
    warned: new Set(),
    state: STREAM_START,
    settledAt: undefined,
  };
}

/** The events of a streaming call as they stand in the stream, each checked. */
export async function* readItems(journey: Journey, stream: HttpStream): AsyncGenerator<JudgedEvent, void, undefined> {
  const reading = await openReading(journey, stream);
  for (let events = await nextEvents(reading); events !== undefined; events = await nextEvents(reading)) {
    for (const written of events) {
      const news = toJudged(reading, written);
      if (news === undefined) continue;
      yield news;
      if (news.failure !== undefined) return;
    }
  }
}

/** What waiting in vain after a settled state rejects with. */
const QUIET = Symbol('no more events');

/**
 * The next events, not judged yet, or undefined at the end, which is judged. After a settled state only `afterTerminalMs`
 * are left; a break where closing is right is an end.
 */
export async function nextEvents(reading: Reading): Promise<readonly SseEvent[] | undefined> {
  const { journey, events, state, settledAt } = reading;
  const { afterTerminalMs } = journey.context.options.limits;
  let end: SseEnd = 'whole';
  try {
    const next = events.next();
    const { done, value } = await (settledAt === undefined
      ? next
      : within(settledAt + afterTerminalMs - performance.now(), next));
    if (!done) return value;
    end = value;
  } catch (error) {
    if (!isQuietEnd(error) || endStream(state).length > 0) return failExchange(journey, error, idsOf(state));
  }
  finish(reading, end);
  return undefined;
}

/** A connection that breaks or goes silent; what is too large, or stopped by the caller, is never a good end. */
function isQuietEnd(error: unknown): boolean {
  return error === QUIET || (error instanceof ExchangeError && ['network', 'timeout'].includes(error.failure));
}

/** The ids that the stream has shown, for its ticket. */
function idsOf(state: StreamState): object | undefined {
  return state.phase === 'task' ? { taskId: state.taskId, contextId: state.contextId } : undefined;
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const quiet = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(QUIET), Math.max(0, ms));
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, quiet]);
  } finally {
    clearTimeout(timer);
  }
}

function finish({ journey, state }: Reading, end: SseEnd): void {
  const truncated = end === 'whole' ? [] : [TRUNCATED];
  const faults = [...truncated, ...endStream(state)];
  const settled = isSettled(state);
  const findings = toFindings(faults, settled ? () => 'warn' : journey.context.options.grades.incoming);
  const result = idsOf(state);
  const enforced = journey.context.options.mode === 'enforce';
  if (enforced && findings.some(isError)) failAnswer(journey, findings, { outcome: 'unknown', result });
  warn(journey, findings, result);
}

/** Characters of an event that may be a closing word with white space around it. */
const MAX_CLOSING = 64;

const TRUNCATED = {
  id: 'stream-truncated',
  path: '',
  message: 'The stream ended in the middle of an event, which was not delivered.',
} as const;

/** Ends a streaming call that was not answered with an event stream: an error is that error, anything else is named. */
async function expectEvents(journey: Journey, stream: HttpStream): Promise<void> {
  const { status } = stream;
  const header = stream.header('content-type');
  const { kind, name } = readContentType(header);
  const packed = toFindings(checkEncoding(stream.header('content-encoding')), broken);
  if (packed.length > 0) failAnswer(journey, packed, { response: stream });
  if (status >= 200 && status <= 299 && kind === 'event-stream') return;
  const answer = await readBody(journey, stream);
  if (status < 200 || status > 299) failStatus(journey, answer);
  if (kind !== 'other') {
    const parsed = parseBody(answer.body);
    const envelope = 'value' in parsed ? journey.binding.read(parsed.value, journey.rpcId, status) : undefined;
    if (envelope?.kind === 'error') failRemote(journey, envelope.error, stream);
  }
  const type = name === 'none' ? 'no content type' : name;
  const message = `The streaming call was answered with ${type}, not text/event-stream.`;
  const faults = [
    { id: 'stream-none' as const, path: '', message },
    ...checkJsonType(header, journey.binding.mediaType),
  ];
  failAnswer(journey, toFindings(faults, broken), { response: stream });
}

/** The answer in place of a stream has a total time, like every answer that is read whole. */
async function readBody(journey: Journey, stream: HttpStream): Promise<HttpAnswer> {
  try {
    const { responseBytes, totalMs } = journey.context.options.limits;
    const reading = readWhole(stream.chunks, responseBytes, stream.status < 200 || stream.status > 299);
    const body = await withinTime(reading, totalMs, journey.call.signal, true);
    return { status: stream.status, header: stream.header, body };
  } catch (error) {
    return failExchange(journey, error);
  }
}

/**
 * The events of a streaming call, each judged when it is asked for. They are parsed together: parsing and judging in
 * turn would drive each other out of the processor's cache.
 */
export function* judgeEvents(reading: Reading, events: readonly SseEvent[]): Generator<unknown, void, undefined> {
  const bodies = events.map((written) => parseEvent(reading, written));
  for (const [index, written] of events.entries()) {
    const event = judgeEvent(reading, written, bodies[index] as Parsed);
    if (event !== undefined) yield event;
  }
}

const parseEvent = ({ journey }: Reading, { data }: SseEvent): Parsed => parseText(data, journey.secrets);

/** Judges one event; undefined for what is no response and is dropped. */
function judgeEvent(reading: Reading, written: SseEvent, body: Parsed): unknown {
  const stray = strayEvent(written);
  if (stray === undefined || holdsError(reading, body)) return readEvent(reading, body);
  const message = `The stream carries ${stray}, which is no response; it was dropped.`;
  const { grades, mode } = reading.journey.context.options;
  const findings = toFindings([{ id: 'stream-frame', path: '', message }], grades.incoming);
  if (mode === 'enforce' && findings.some(isError)) failAnswer(reading.journey, findings);
  warnOnce(reading, findings);
  return undefined;
}

/** Judges one event. The agent's own error is handed on as it is written; all else that fails is thrown. */
function toJudged(reading: Reading, written: SseEvent): JudgedEvent | undefined {
  try {
    const event = judgeEvent(reading, written, parseEvent(reading, written));
    return event === undefined ? undefined : { written, failure: undefined };
  } catch (error) {
    if (!isGuardError(error) || error.layer !== 'agent') throw error;
    return { written, failure: error };
  }
}

/** Some agents name the event that holds their error; the error counts, not the name. */
function holdsError({ journey, response }: Reading, body: Parsed): boolean {
  return 'value' in body && journey.binding.read(body.value, journey.rpcId, response.status).kind === 'error';
}

function strayEvent({ name, data }: SseEvent): string | undefined {
  if (name !== undefined && name !== 'message') return 'a named event';
  return data.length < MAX_CLOSING && data.trim() === '[DONE]' ? 'the closing word [DONE]' : undefined;
}

/** Judges one event: JSON, envelope, pointer, place in the stream. */
function readEvent(reading: Reading, body: Parsed): unknown {
  const { journey, response } = reading;
  const { grades, mode } = journey.context.options;
  if ('fault' in body) return failAnswer(journey, toFindings([body.fault], broken));
  const envelope = journey.binding.read(body.value, journey.rpcId, response.status);
  if (envelope.kind === 'error') return failRemote(journey, envelope.error, response);
  if (envelope.kind === 'broken') return failAnswer(journey, toFindings(envelope.faults, broken));
  const { result } = envelope;
  const view = viewOf(journey, result);
  const judged = judgeResult(journey, result, reading.asked, view);
  const step = stepStream(reading.state, view.value, reading.facts, isLast(reading, result));
  if (envelope.faults.length + judged.length + step.faults.length > 0) {
    const value = [...toFindings(envelope.faults, grades.incoming), ...judged];
    const rules = toFindings(step.faults.map(view.locate), grades.incoming);
    const findings = value.some(isError) ? value : [...value, ...rules];
    if (findings.some(isError) && mode === 'enforce') failAnswer(journey, findings, { result: view.value });
    accept(reading, step.state, view.value);
    warnOnce(reading, findings, view.value);
  } else {
    accept(reading, step.state, view.value);
  }
  const state = eventState(view.value);
  if (state !== undefined) warnOnce(reading, taskFailure(journey, state, view.value), view.value);
  return result;
}

/** Remembers an event that is handed on. */
function accept(reading: Reading, state: StreamState, event: unknown): void {
  if (state !== reading.state && isSettled(state)) reading.settledAt ??= performance.now();
  reading.state = state;
  reading.journey.context.ledger.record(event);
}

/** 0.3 marks the event that ends a stream, in whichever of its writings. */
function isLast({ facts }: Reading, event: unknown): boolean {
  if (facts.version !== '0.3') return false;
  const update = isObject(event) && isObject(event.statusUpdate) ? event.statusUpdate : event;
  return isObject(update) && update.final === true;
}

/** Reports each check once per stream. */
function warnOnce({ journey, warned }: Reading, findings: readonly Finding[], result?: unknown): void {
  const news = findings.filter((finding) => !warned.has(finding.id));
  for (const { id } of news) warned.add(id);
  warn(journey, news, result);
}

function eventState(event: unknown): unknown {
  if (!isObject(event)) return undefined;
  const holder = isObject(event.task) ? event.task : event.statusUpdate;
  return isObject(holder) && isObject(holder.status) ? holder.status.state : undefined;
}
