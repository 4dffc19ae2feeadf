import type { AgentProfile } from '../card/profile.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { mediaTypesOf } from './admit.ts';
import { compileMediaTypes, type MediaTypes, mediaTypeOf } from './media-type.ts';

/** Parts that are reported at most per answer. */
const MAX_PARTS = 20;

type Json = Readonly<Record<string, unknown>>;

/**
 * Parts of an answer or event outside what was accepted or declared (§3.2.2). Only what the agent made is judged: its
 * artifacts and messages, not the user's own messages in the history.
 */
export function checkAnswerMedia(result: unknown, params: unknown, profile: AgentProfile, skillId?: string): Fault[] {
  const declared = mediaTypesOf(profile, 'outputModes', skillId);
  const configuration = isObject(params) && isObject(params.configuration) ? params.configuration : {};
  const list = configuration.acceptedOutputModes;
  const accepted = compileMediaTypes(Array.isArray(list) ? list.filter((mode) => typeof mode === 'string') : undefined);
  if (declared.modes.length === 0 && accepted.modes.length === 0) return [];
  const faults: Fault[] = [];
  for (const { part, path } of agentParts(result)) {
    if (faults.length >= MAX_PARTS) break;
    const fault = judgePart(part, path, declared, accepted);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function judgePart(part: Json, path: string, declared: MediaTypes, accepted: MediaTypes): Fault | undefined {
  const type = mediaTypeOf(part);
  if (type === 'undeclared') return undefined;
  const essence = type === 'unreadable' ? undefined : type.essence;
  const problem =
    declared.judge(essence) === 'refused'
      ? 'has a media type that the card does not declare'
      : accepted.judge(essence) === 'refused'
        ? 'has a media type that the request did not accept'
        : undefined;
  return problem === undefined
    ? undefined
    : {
        id: 'accepted-output-modes',
        path,
        message: `${path.slice(1)} ${problem}.`,
        hint: 'Answer with a media type that the card declares and the request accepts.',
      };
}

/** The parts that the agent made, wherever the answer has them. */
function* agentParts(result: unknown): Generator<{ part: Json; path: string }> {
  if (!isObject(result)) return;
  yield* partsOf(result.message, '/message');
  const update = result.artifactUpdate;
  if (isObject(update)) yield* partsOf(update.artifact, '/artifactUpdate/artifact');
  const status = result.statusUpdate;
  if (isObject(status)) yield* statusParts(status, '/statusUpdate');
  const wrapped = isObject(result.task);
  const task = wrapped ? (result.task as Json) : result;
  yield* taskParts(task, wrapped ? '/task' : '');
}

function* taskParts(task: Json, path: string): Generator<{ part: Json; path: string }> {
  yield* statusParts(task, path);
  const artifacts = Array.isArray(task.artifacts) ? task.artifacts : [];
  for (const [index, artifact] of artifacts.entries()) yield* partsOf(artifact, `${path}/artifacts/${index}`);
}

function* statusParts(holder: Json, path: string): Generator<{ part: Json; path: string }> {
  if (isObject(holder.status)) yield* partsOf(holder.status.message, `${path}/status/message`);
}

function* partsOf(holder: unknown, path: string): Generator<{ part: Json; path: string }> {
  if (!isObject(holder) || holder.role === 'ROLE_USER' || !Array.isArray(holder.parts)) return;
  for (const [index, part] of holder.parts.entries())
    if (isObject(part)) yield { part, path: `${path}/parts/${index}` };
}
