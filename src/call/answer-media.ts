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
  const accepted = Array.isArray(list) ? compileMediaTypes(list.filter((mode) => typeof mode === 'string')) : ANYTHING;
  if (declared.modes.length === 0 && accepted.modes.length === 0) return [];
  const faults: Fault[] = [];
  for (const [holder, path] of agentHolders(result)) judgeParts(holder, path, { declared, accepted }, faults);
  return faults;
}

/** Nothing was said of what is accepted. */
const ANYTHING = compileMediaTypes(undefined);

interface Allowed {
  readonly declared: MediaTypes;
  readonly accepted: MediaTypes;
}

function judgeParts({ parts }: Json, path: string, allowed: Allowed, faults: Fault[]): void {
  for (let index = 0; Array.isArray(parts) && index < parts.length && faults.length < MAX_PARTS; index += 1) {
    const part: unknown = parts[index];
    const fault = isObject(part) ? judgePart(part, `${path}/parts/${index}`, allowed) : undefined;
    if (fault !== undefined) faults.push(fault);
  }
}

function judgePart(part: Json, path: string, { declared, accepted }: Allowed): Fault | undefined {
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

type Holder = readonly [holder: Json, path: string];

/** What the agent made that has parts, wherever the answer has it: messages and artifacts, each with its path. */
function agentHolders(result: unknown): Holder[] {
  if (!isObject(result)) return [];
  const holders: Holder[] = [];
  const add = (holder: unknown, path: string): void => {
    if (isObject(holder) && holder.role !== 'ROLE_USER') holders.push([holder, path]);
  };
  const addStatus = (holder: Json, path: string): void => {
    if (isObject(holder.status)) add(holder.status.message, `${path}/status/message`);
  };
  const { message, artifactUpdate, statusUpdate, task } = result;
  add(message, '/message');
  if (isObject(artifactUpdate)) add(artifactUpdate.artifact, '/artifactUpdate/artifact');
  if (isObject(statusUpdate)) addStatus(statusUpdate, '/statusUpdate');
  const [whole, path] = isObject(task) ? [task, '/task'] : [result, ''];
  addStatus(whole, path);
  const artifacts = Array.isArray(whole.artifacts) ? whole.artifacts : [];
  for (const [index, artifact] of artifacts.entries()) add(artifact, `${path}/artifacts/${index}`);
  return holders;
}
