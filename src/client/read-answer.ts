import { type AllowedMedia, allowedMedia, checkAnswerMedia } from '../call/answer-media.ts';
import { shapesOfOperation } from '../call/operations.ts';
import type { HttpAnswer } from '../exchange.ts';
import type { ProtocolVersion } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import { broken, type Finding, isError, toFindings } from '../ticket.ts';
import { checkAnswer } from '../traffic/answer.ts';
import { viewAtPointer, viewParams, viewResult } from '../traffic/dialect.ts';
import type { Envelope } from '../traffic/envelope.ts';
import type { View } from '../traffic/view.ts';
import { checkEncoding, checkJsonType, describeStatus, type Parsed, parseBody } from '../traffic/wire.ts';
import { failAnswer, failRemote, type Journey, taskFailure, warn } from './settle.ts';

/**
 * Reads the answer to a unary call: status, content type, JSON, envelope, pointer, rules. What holds is returned as it
 * came; what is odd about it is reported; what does not hold is thrown. `body` is the body as JSON, where it is known.
 */
export function readAnswer(
  journey: Journey,
  answer: HttpAnswer,
  body: Parsed = parseBody(answer.body, journey.secrets),
): unknown {
  const { status } = answer;
  if (status < 200 || status > 299) return failStatus(journey, answer, body);
  const grade = journey.context.options.grades.incoming;
  const frame = [
    ...toFindings(checkEncoding(answer.header('content-encoding')), broken),
    ...toFindings(checkJsonType(answer.header('content-type'), journey.binding.mediaType), grade),
  ];
  stopAt(journey, frame, answer);
  const { emptyAnswer } = journey.binding;
  const parsed = answer.body.length === 0 && emptyAnswer !== undefined ? { value: emptyAnswer } : body;
  if ('fault' in parsed) return failAnswer(journey, toFindings([parsed.fault], broken), { response: answer });
  return readValue(journey, journey.binding.read(parsed.value, journey.rpcId, status), answer, frame);
}

function readValue(journey: Journey, envelope: Envelope, answer: HttpAnswer, earlier: readonly Finding[]): unknown {
  if (envelope.kind === 'error') return failRemote(journey, envelope.error, answer);
  if (envelope.kind === 'broken') {
    return failAnswer(journey, [...earlier, ...toFindings(envelope.faults, broken)], { response: answer });
  }
  const { result } = envelope;
  const framing = toFindings(envelope.faults, journey.context.options.grades.incoming);
  const findings = [...earlier, ...framing, ...judgeResult(journey, result)];
  stopAt(journey, findings, answer, result);
  const seen = viewOf(journey, result).value;
  journey.context.ledger.record(seen);
  warn(journey, findings, result);
  warn(journey, taskFailure(journey, stateOf(seen), seen), result);
  return result;
}

/** Refuses an answer with errors; in observe mode it is reported and goes on. */
function stopAt(journey: Journey, findings: readonly Finding[], response: HttpAnswer, result?: unknown): void {
  if (!findings.some(isError) || journey.context.options.mode === 'observe') return;
  failAnswer(journey, findings, { response, result });
}

/** What an answer is compared with: the same for each event of a stream. */
export interface Asked {
  /** The params as the rules see them. */
  readonly params: unknown;
  readonly media: AllowedMedia;
}

export function askedOf({ context, operation, params, call }: Journey): Asked {
  const { params: definition } = shapesOfOperation(operation, context.interface.version);
  const asked = viewParams(context.interface, definition, params).value;
  return { params: asked, media: allowedMedia(asked, context.profile, call.skillId) };
}

const NOTHING: readonly Finding[] = [];

/** Judges a result at its pointer and against its request. `view` is the result as the rules see it, where it is known. */
export function judgeResult(journey: Journey, result: unknown, known?: Asked, view?: View): readonly Finding[] {
  const { context, operation } = journey;
  const version = context.interface.version as ProtocolVersion;
  const { result: definition } = shapesOfOperation(operation, version);
  if (definition === 'AgentCard') return isObject(result) ? [] : context.judge('AgentCard', result, 'incoming');
  if (definition === undefined) {
    return result === null || isObject(result) ? [] : context.judge('Struct', result, 'incoming');
  }
  const wire = viewAtPointer(context.interface, definition, result);
  const judged = context.judge(definition, wire.value, 'incoming', version);
  const isClean = judged.length === 0 && wire.faults.length === 0;
  const findings = isClean
    ? NOTHING
    : [...toFindings(wire.faults, context.options.grades.incoming), ...judged.map(wire.locate)];
  if (findings.some(isError)) return findings;
  const { value, locate } = view ?? viewOf(journey, result);
  const asked = known ?? askedOf(journey);
  const answer = checkAnswer(operation, asked.params, value);
  const media = checkAnswerMedia(value, asked.media);
  const continuity = context.ledger.check(value, journey.startedAt);
  if (answer.length + media.length + continuity.length === 0) return findings;
  const rules = [...answer, ...media, ...continuity].map(locate);
  return [...findings, ...toFindings(rules, context.options.grades.incoming)];
}

/** A result as the rules see it. */
export function viewOf({ context, operation }: Journey, result: unknown): View {
  const { result: definition } = shapesOfOperation(operation, context.interface.version);
  return viewResult(context.interface, definition, result, operation.result === 'Task');
}

/** An extended card is judged like any card; its signatures may have to wait for a key. */
export async function readCardAnswer(journey: Journey, result: unknown): Promise<unknown> {
  if (journey.operation.result !== 'AgentCard') return result;
  const { findings } = (await journey.context.judgeExtendedCard(result as object)).report;
  if (findings.some(isError) && journey.context.options.mode === 'enforce') failAnswer(journey, findings, { result });
  warn(journey, findings, result);
  return result;
}

function stateOf(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  const task = isObject(result.task) ? result.task : result;
  return isObject(task.status) ? task.status.state : undefined;
}

/** An answer outside 2xx: the agent's error if there is a readable one, else a failure of the transport. */
export function failStatus(
  journey: Journey,
  answer: HttpAnswer,
  parsed: Parsed = parseBody(answer.body, journey.secrets),
): never {
  const { status, body } = answer;
  if ('value' in parsed) {
    const envelope = journey.binding.read(parsed.value, journey.rpcId, status);
    if (envelope.kind === 'error') failRemote(journey, envelope.error, answer);
    const foreign = envelope.faults.some((fault) => fault.id === 'rpc-id');
    if (envelope.kind === 'broken' && foreign)
      failAnswer(journey, toFindings(envelope.faults, broken), { response: answer });
  }
  const fault = describeStatus(status, answer.header('content-type'), body, answer.header('location'), journey.secrets);
  const outcome = status >= 500 ? 'unknown' : 'answered';
  failAnswer(journey, toFindings([fault], broken), { response: answer, outcome });
}
