import { isObject } from '../schema/scalars.ts';
import type { Paper, Tone } from './paper.ts';
import { toJson } from './printable.ts';

const LABEL_WIDTH = 10;

/** Characters of a data part that are shown at most. */
const MAX_DATA = 400;

/** Messages of a history that are shown at most: it ends with the newest. */
const MAX_HISTORY = 4;

interface StateFacts {
  readonly tone: Tone;
  /** What a person can do about a task that waits. */
  readonly move?: string;
}

const STATES: ReadonlyMap<string, StateFacts> = new Map<string, StateFacts>([
  ['TASK_STATE_COMPLETED', { tone: 'good' }],
  ['TASK_STATE_FAILED', { tone: 'bad' }],
  ['TASK_STATE_REJECTED', { tone: 'bad' }],
  ['TASK_STATE_CANCELED', { tone: 'bad' }],
  [
    'TASK_STATE_INPUT_REQUIRED',
    { tone: 'odd', move: 'The agent waits for an answer: send it with --task and --context.' },
  ],
  ['TASK_STATE_AUTH_REQUIRED', { tone: 'odd', move: 'The agent waits for an authorization; its message says which.' }],
]);

/** A value from the wire: rules may have let through what no type promises. */
type Json = Readonly<Record<string, unknown>>;

function textOf(holder: Json, name: string): string {
  const value = holder[name];
  return typeof value === 'string' ? value : '';
}

function objectOf(holder: Json, name: string): Json | undefined {
  const value = holder[name];
  return isObject(value) ? value : undefined;
}

function objectsOf(holder: Json, name: string): readonly Json[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The members of SendMessageResponse and StreamResponse, and how each is written. */
const WRITERS: Readonly<Record<string, (value: Json, paper: Paper) => void>> = {
  task: writeTask,
  message: writeMessage,
  statusUpdate: (event, paper) => writeStatus(event, paper),
  artifactUpdate: writeArtifactUpdate,
};

/** The answer to a message, or one event of a stream, for people. */
export function writeEvent(event: object, paper: Paper): void {
  for (const [name, write] of Object.entries(WRITERS)) {
    const value = objectOf(event as Json, name);
    if (value !== undefined) write(value, paper);
  }
}

function row(paper: Paper, label: string, text: string, tone: Tone = 'plain'): void {
  paper.text(text, { label, labelTone: 'quiet', labelWidth: LABEL_WIDTH, tone });
}

function writeTask(task: Json, paper: Paper): void {
  row(paper, 'task', textOf(task, 'id'));
  if (textOf(task, 'contextId') !== '') row(paper, 'context', textOf(task, 'contextId'));
  for (const message of objectsOf(task, 'history').slice(-MAX_HISTORY)) writeMessage(message, paper);
  for (const artifact of objectsOf(task, 'artifacts')) writeArtifact(artifact, paper, '');
  writeStatus(task, paper);
}

function writeStatus(holder: Json, paper: Paper): void {
  const status = objectOf(holder, 'status') ?? {};
  const state = textOf(status, 'state');
  const { tone, move }: StateFacts = STATES.get(state) ?? { tone: 'plain' };
  row(paper, 'state', state.replace(/^TASK_STATE_/, ''), tone);
  const message = objectOf(status, 'message');
  if (message !== undefined) writeMessage(message, paper);
  if (move !== undefined) row(paper, '', move);
}

function writeMessage(message: Json, paper: Paper): void {
  const side = textOf(message, 'role') === 'ROLE_USER' ? 'from the client' : 'from the agent';
  const ids = [
    ['id', textOf(message, 'messageId')],
    ['task', textOf(message, 'taskId')],
    ['context', textOf(message, 'contextId')],
  ].filter(([, id]) => id !== '');
  row(paper, 'message', [side, ...ids.map((pair) => pair.join(' '))].join(', '));
  writeParts(message, paper);
}

function writeArtifactUpdate(event: Json, paper: Paper): void {
  const notes = [event.append === true && 'more of it', event.lastChunk === true && 'last piece'];
  writeArtifact(objectOf(event, 'artifact') ?? {}, paper, notes.filter(Boolean).join(', '));
}

function writeArtifact(artifact: Json, paper: Paper, note: string): void {
  const name = textOf(artifact, 'name');
  const title = [textOf(artifact, 'artifactId'), name && `"${name}"`, note && `(${note})`];
  row(paper, 'artifact', title.filter(Boolean).join(' '), 'strong');
  const description = textOf(artifact, 'description');
  if (description !== '') paper.text(description, { indent: LABEL_WIDTH, tone: 'quiet' });
  writeParts(artifact, paper);
}

function writeParts(holder: Json, paper: Paper): void {
  for (const part of objectsOf(holder, 'parts')) {
    if (typeof part.text === 'string') paper.verbatim(part.text, LABEL_WIDTH);
    else paper.text(describePart(part), { indent: LABEL_WIDTH, tone: 'quiet' });
  }
}

/** What a part without text is: its kind, name, type and size. */
function describePart(part: Json): string {
  const about = [textOf(part, 'filename'), textOf(part, 'mediaType')].filter(Boolean).join(', ');
  const suffix = about && ` (${about})`;
  const { url, raw, data = null } = part;
  if (typeof url === 'string') return `file at ${url}${suffix}`;
  if (typeof raw === 'string') return `file of ${Math.floor((raw.replace(/=+$/, '').length * 3) / 4)} bytes${suffix}`;
  const text = toJson(data);
  return `data ${text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}…` : text}${suffix}`;
}
