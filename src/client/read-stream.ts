import { shapesOfOperation } from '../call/operations.ts';
import { ExchangeError, type HttpAnswer, type HttpStream, readWhole, withinTime } from '../exchange.ts';
import type { ProtocolVersion } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import { broken, type Finding, type GuardError, isError, isGuardError, toFindings } from '../ticket.ts';
import { viewParams } from '../traffic/dialect.ts';
import {
  endStream,
  isSettled,
  STREAM_START,
  type StreamFacts,
  type StreamState,
  stepStream,
} from '../traffic/stream.ts';
import { checkEncoding, checkJsonType, parseBody, parseText, readContentType } from '../traffic/wire.ts';
import { failStatus, judgeResult, viewOf } from './read-answer.ts';
import { failAnswer, failExchange, failRemote, type Journey, taskFailure, warn } from './settle.ts';
import { readEvents, type SseItem, writeEvent } from './sse.ts';

/** One stream on its way. */
interface Reading {
  readonly journey: Journey;
  readonly response: HttpStream;
  /** Checks that were reported already: a stream may be odd in the same way a thousand times. */
  readonly warned: Set<string>;
  state: StreamState;
}

/** One event that is handed on. */
export interface JudgedEvent {
  readonly event: unknown;
  /** The event as it stands in the stream. */
  readonly text: () => string;
  /** Set when the event is the agent's error, which ends the stream. */
  readonly failure?: GuardError;
}

/**
 * Reads the answer to a streaming call: status, content type, then each event by its frame, JSON, envelope, pointer and
 * place in the stream. A good event is handed on as it came; the first broken one ends the stream.
 */
export async function* readItems(journey: Journey, stream: HttpStream): AsyncGenerator<JudgedEvent, void, undefined> {
  await expectEvents(journey, stream);
  const reading: Reading = { journey, response: stream, warned: new Set(), state: STREAM_START };
  const { eventBytes, afterTerminalMs } = journey.context.options.limits;
  const events = readEvents(stream.chunks, eventBytes);
  let settledAt: number | undefined;
  for (;;) {
    const patience = settledAt === undefined ? undefined : settledAt + afterTerminalMs - performance.now();
    const item = await nextItem(reading, events, patience);
    if (item === undefined || item.kind === 'truncated') return finish(reading, item);
    const news = readItem(reading, item);
    if (news === undefined) continue;
    if (isSettled(reading.state)) settledAt ??= performance.now();
    yield news;
    if (news.failure !== undefined) return;
  }
}

/** The events of a streaming call, each checked. */
export async function* readStream(journey: Journey, stream: HttpStream): AsyncGenerator<unknown, void, undefined> {
  for await (const { event, failure } of readItems(journey, stream)) {
    if (failure !== undefined) throw failure;
    yield event;
  }
}

/** What waiting in vain after a settled state rejects with. */
const QUIET = Symbol('no more events');

/** The next item, or undefined at the end. After a settled state only `patience` is left; a break where closing is right is an end. */
async function nextItem(
  reading: Reading,
  events: AsyncGenerator<SseItem>,
  patience: number | undefined,
): Promise<SseItem | undefined> {
  try {
    const { done, value } = patience === undefined ? await events.next() : await within(patience, events.next());
    return done ? undefined : value;
  } catch (error) {
    if (isQuietEnd(error) && endStream(reading.state).length === 0) return undefined;
    return failExchange(reading.journey, error, idsOf(reading.state));
  }
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

function finish({ journey, state }: Reading, item: SseItem | undefined): void {
  const truncated = item === undefined ? [] : [TRUNCATED];
  const faults = [...truncated, ...endStream(state)];
  const settled = isSettled(state);
  const findings = toFindings(faults, settled ? () => 'warn' : journey.context.options.grades.incoming);
  const result = idsOf(state);
  const enforced = journey.context.options.mode === 'enforce';
  if (enforced && findings.some(isError)) failAnswer(journey, findings, { outcome: 'unknown', result });
  warn(journey, findings, result);
}

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

/** Judges one item; undefined for what is no response and is dropped. */
function readItem(reading: Reading, item: Extract<SseItem, { kind: 'event' }>): JudgedEvent | undefined {
  const stray = strayItem(item);
  if (stray === undefined || holdsError(reading, item.data)) return toJudged(reading, item);
  const message = `The stream carries ${stray}, which is no response; it was dropped.`;
  const { grades, mode } = reading.journey.context.options;
  const findings = toFindings([{ id: 'stream-frame', path: '', message }], grades.incoming);
  if (mode === 'enforce' && findings.some(isError)) failAnswer(reading.journey, findings);
  warnOnce(reading, findings);
  return undefined;
}

/** Judges one event. The agent's own error is handed on with its text; all else that fails is thrown. */
function toJudged(reading: Reading, item: Extract<SseItem, { kind: 'event' }>): JudgedEvent {
  const text = (): string => writeEvent(item);
  try {
    return { event: readEvent(reading, item.data), text };
  } catch (error) {
    if (!isGuardError(error) || error.layer !== 'agent') throw error;
    return { event: undefined, text, failure: error };
  }
}

/** Some agents name the event that holds their error; the error counts, not the name. */
function holdsError({ journey, response }: Reading, data: string): boolean {
  const parsed = parseText(data);
  return 'value' in parsed && journey.binding.read(parsed.value, journey.rpcId, response.status).kind === 'error';
}

function strayItem({ name, data }: Extract<SseItem, { kind: 'event' }>): string | undefined {
  if (name !== undefined && name !== 'message') return 'a named event';
  return data.trim() === '[DONE]' ? 'the closing word [DONE]' : undefined;
}

/** Judges one event: JSON, envelope, pointer, place in the stream. */
function readEvent(reading: Reading, data: string): unknown {
  const { journey, response } = reading;
  const { grades, mode } = journey.context.options;
  const parsed = parseText(data, journey.secrets);
  if ('fault' in parsed) return failAnswer(journey, toFindings([parsed.fault], broken));
  const envelope = journey.binding.read(parsed.value, journey.rpcId, response.status);
  if (envelope.kind === 'error') return failRemote(journey, envelope.error, response);
  if (envelope.kind === 'broken') return failAnswer(journey, toFindings(envelope.faults, broken));
  const { result } = envelope;
  const value = [...toFindings(envelope.faults, grades.incoming), ...judgeResult(journey, result)];
  const view = viewOf(journey, result);
  const step = stepStream(reading.state, view.value, streamFacts(journey, result));
  const rules = toFindings(step.faults.map(view.locate), grades.incoming);
  const findings = value.some(isError) ? value : [...value, ...rules];
  if (findings.some(isError) && mode === 'enforce') failAnswer(journey, findings, { result: view.value });
  reading.state = step.state;
  journey.context.ledger.record(view.value);
  warnOnce(reading, findings, view.value);
  warnOnce(reading, taskFailure(journey, eventState(view.value), view.value), view.value);
  return result;
}

function streamFacts({ operation, params, context }: Journey, event: unknown): StreamFacts {
  const version = context.interface.version as ProtocolVersion;
  const shapes = shapesOfOperation(operation, version);
  const asked = viewParams(context.interface, shapes.params, params).value;
  return { operation, params: asked, version, final: version === '0.3' && isFinal(event) };
}

/** 0.3 marks the event that ends a stream, in whichever of its writings. */
function isFinal(event: unknown): boolean {
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
  const holder = [event.task, event.statusUpdate].find(isObject);
  return isObject(holder?.status) ? holder.status.state : undefined;
}
