import type { AgentProfile } from '../card/profile.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { mediaTypesOf } from './admit.ts';
import { compileMediaTypes, type MediaTypes, mediaTypeOf } from './media-type.ts';

/** Parts that are reported at most per answer. */
const MAX_PARTS = 20;

type Json = Readonly<Record<string, unknown>>;

/** The media types that an answer may have: what the card declares, and what the request accepts. */
export interface AllowedMedia {
  readonly declared: MediaTypes;
  readonly accepted: MediaTypes;
}

/** Nothing was said of what is accepted. */
const ANYTHING = compileMediaTypes(undefined);

/** What an answer to these params may have. */
export function allowedMedia(params: unknown, profile: AgentProfile, skillId?: string): AllowedMedia {
  const configuration = isObject(params) && isObject(params.configuration) ? params.configuration : {};
  const list = configuration.acceptedOutputModes;
  return {
    declared: mediaTypesOf(profile, 'outputModes', skillId),
    accepted: Array.isArray(list) ? compileMediaTypes(list.filter((mode) => typeof mode === 'string')) : ANYTHING,
  };
}

const NOTHING: readonly Fault[] = [];

/**
 * Parts of an answer or event outside what was accepted or declared (§3.2.2). Only what the agent made is judged: its
 * artifacts and messages, not the user's own messages in the history.
 */
export function checkAnswerMedia(result: unknown, allowed: AllowedMedia): readonly Fault[] {
  const { declared, accepted } = allowed;
  if (declared.modes.length === 0 && accepted.modes.length === 0) return NOTHING;
  if (!isObject(result)) return NOTHING;
  const faults: Fault[] = [];
  const { message, artifactUpdate, statusUpdate, task } = result;
  judgeParts(message, '/message', allowed, faults);
  if (isObject(artifactUpdate)) judgeParts(artifactUpdate.artifact, '/artifactUpdate/artifact', allowed, faults);
  if (isObject(statusUpdate)) judgeStatus(statusUpdate, '/statusUpdate', allowed, faults);
  const whole = isObject(task) ? task : result;
  const path = whole === task ? '/task' : '';
  judgeStatus(whole, path, allowed, faults);
  const artifacts: unknown = whole.artifacts;
  for (let index = 0; Array.isArray(artifacts) && index < artifacts.length; index += 1) {
    judgeParts(artifacts[index], `${path}/artifacts/${index}`, allowed, faults);
  }
  return faults;
}

function judgeStatus({ status }: Json, path: string, allowed: AllowedMedia, faults: Fault[]): void {
  if (isObject(status)) judgeParts(status.message, `${path}/status/message`, allowed, faults);
}

/** Judges the parts of one message or artifact, unless it is the user's own. */
function judgeParts(holder: unknown, path: string, allowed: AllowedMedia, faults: Fault[]): void {
  if (!isObject(holder) || holder.role === 'ROLE_USER') return;
  const parts: unknown = holder.parts;
  if (!Array.isArray(parts)) return;
  for (let index = 0; index < parts.length && faults.length < MAX_PARTS; index += 1) {
    const part: unknown = parts[index];
    const problem = isObject(part) ? problemOf(part, allowed) : undefined;
    if (problem !== undefined) faults.push(toFault(`${path}/parts/${index}`, problem));
  }
}

function problemOf(part: Json, { declared, accepted }: AllowedMedia): string | undefined {
  const type = mediaTypeOf(part);
  if (type === 'undeclared') return undefined;
  const essence = type === 'unreadable' ? undefined : type.essence;
  if (declared.judge(essence) === 'refused') return 'has a media type that the card does not declare';
  return accepted.judge(essence) === 'refused' ? 'has a media type that the request did not accept' : undefined;
}

function toFault(path: string, problem: string): Fault {
  return {
    id: 'accepted-output-modes',
    path,
    message: `${path.slice(1)} ${problem}.`,
    hint: 'Answer with a media type that the card declares and the request accepts.',
  };
}
