import { CHECKS, type Check, type CheckId, findCheck, LAYER_FACTS, LAYERS, type Severity } from '../checks.ts';
import { A2A_ERROR_ROWS, GUARD_CODES } from '../errors.ts';
import { type Field, SHAPES } from '../schema/fields.ts';
import { codeOf, type Finding } from '../ticket.ts';
import { checksOfField, fieldsOfCheck, sectionOf } from './field-facts.ts';
import type { Paper, Tone } from './paper.ts';
import { CODE_FACTS, LAYER_REASONS, reasonOf, SEVERITY_MEANINGS } from './reasons.ts';
import type { Subject } from './subjects.ts';

const LABEL_WIDTH = 12;
const DIRECTIONS = ['outgoing', 'incoming'] as const;

function row(paper: Paper, label: string, text: string, tone: Tone = 'plain'): void {
  paper.text(text, { label, labelTone: 'quiet', labelWidth: LABEL_WIDTH, tone });
}

/** Several texts under one label; nothing when there are none. */
function rows(paper: Paper, label: string, texts: readonly string[]): void {
  for (const [index, text] of texts.entries()) row(paper, index === 0 ? label : '', text);
}

/** One explanation, for people. */
export function writeSubject(subject: Subject, paper: Paper): void {
  row(paper, subject.kind, subject.name, 'strong');
  switch (subject.kind) {
    case 'check':
      writeCheck(subject.check, paper);
      break;
    case 'code':
      writeCode(subject, paper);
      break;
    case 'layer':
      writeLayer(subject, paper);
      break;
    case 'message':
      writeMessage(subject, paper);
      break;
    case 'field':
      writeField(subject, paper);
      break;
  }
}

type Of<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>;

function writeCheck(check: Check, paper: Paper): void {
  const { id, layer, section, what, hint, severity, incoming } = check;
  const says = (name: string, grade: Severity): string => `${name} ${grade}: ${SEVERITY_MEANINGS[grade]}`;
  row(paper, 'what', what);
  row(paper, 'why', reasonOf(check));
  row(paper, 'mend', hint);
  row(paper, 'layer', `${layer}; whose move: ${LAYER_FACTS[layer].move}`);
  row(paper, 'section', `A2A 1.0 ${section}`);
  rows(paper, 'severity', [
    says('strict', severity.strict),
    says('interop', severity.interop),
    ...(incoming === undefined ? [] : [says('in answers', incoming)]),
  ]);
  rows(paper, 'code', describeCodes(check));
  rows(paper, 'fields', fieldsOfCheck(id));
}

/** The code that a ticket has when this check leads it, in each direction. */
function codesOf({ id, layer }: Check): readonly string[] {
  return DIRECTIONS.map((direction) => codeOf({ id, layer } as Finding, direction));
}

function describeCodes(check: Check): readonly string[] {
  const [outgoing = '', incoming = ''] = codesOf(check);
  return outgoing === incoming ? [outgoing] : [`${outgoing} in a request`, `${incoming} in an answer`];
}

function writeCode({ name, row: facts }: Of<'code'>, paper: Paper): void {
  const { what, mend } = CODE_FACTS[name];
  row(paper, 'what', what);
  row(paper, 'mend', mend);
  if (facts === undefined) {
    row(paper, 'defined by', 'a2a-guard, for failures that A2A has no name for');
  } else {
    row(paper, 'JSON-RPC', String(facts.jsonRpcCode));
    row(paper, 'HTTP', facts.httpStatus.join(' or '));
    if (facts.reason !== undefined) row(paper, 'reason', facts.reason);
    row(paper, 'section', 'A2A 1.0 §5.4');
  }
  const leading = CHECKS.filter((check) => codesOf(check).includes(name)).map(({ id }) => id);
  if (leading.length > 0) row(paper, 'checks', leading.join(', '));
}

function writeLayer({ name }: Of<'layer'>, paper: Paper): void {
  const { failsWhen, move } = LAYER_FACTS[name];
  row(paper, 'fails when', failsWhen);
  row(paper, 'why', LAYER_REASONS[name]);
  row(paper, 'whose move', move);
  row(paper, 'place', `layer ${LAYERS.indexOf(name) + 1} of ${LAYERS.length}: ${LAYERS.join(', ')}`);
  paper.blank();
  writeChecks(
    CHECKS.filter(({ layer }) => layer === name).map(({ id }) => id),
    paper,
  );
}

function writeMessage({ name, shape }: Of<'message'>, paper: Paper): void {
  row(paper, 'pointer', `#/$defs/${name}`);
  const section = sectionOf(name);
  if (section !== undefined) row(paper, 'section', `A2A 1.0 ${section}`);
  const fields = [...shape.fields.values()];
  rows(
    paper,
    'fields',
    fields.map((field) => `${field.name}: ${typeOf(field)}${noteOf(field)}`),
  );
}

function writeField({ message, field }: Of<'field'>, paper: Paper): void {
  row(paper, 'type', typeOf(field));
  row(paper, 'set', settingOf(field));
  const values = SHAPES.enums.get(field.type);
  if (values !== undefined) row(paper, 'values', values.filter((value) => !value.endsWith('_UNSPECIFIED')).join(', '));
  if (field.alias !== undefined) row(paper, 'proto name', `${field.alias}; in JSON write ${field.name}`);
  const section = sectionOf(message);
  if (section !== undefined) row(paper, 'section', `A2A 1.0 ${section}`);
  paper.blank();
  writeChecks(checksOfField(message, field), paper);
}

function typeOf({ type, list, map }: Field): string {
  if (list) return `list of ${type}`;
  return map ? `map of ${type} by name` : type;
}

function noteOf({ required, oneof }: Field): string {
  return `${required ? ', REQUIRED' : ''}${oneof === undefined ? '' : `, one of ${oneof}`}`;
}

function settingOf({ required, list, oneof }: Field): string {
  if (oneof !== undefined) return `exactly one member of the group "${oneof}" is set`;
  if (!required) return 'optional; leave it out when there is nothing to say';
  return `REQUIRED: ${list ? 'at least one entry' : 'present, not null, and not empty'}`;
}

/** Checks with a word on each. */
function writeChecks(ids: readonly CheckId[], paper: Paper): void {
  for (const id of ids) {
    row(paper, 'check', id, 'strong');
    row(paper, '', findCheck(id)?.what ?? '');
  }
}

/** All that can be explained, for `explain` without a word. */
export function writeContents(paper: Paper): void {
  paper.text('Checks, by layer:');
  for (const layer of LAYERS) {
    const ids = CHECKS.filter((check) => check.layer === layer).map(({ id }) => id);
    row(paper, layer, ids.join(' '));
  }
  paper.blank();
  paper.text('Codes of A2A errors, by name, number or reason:');
  rows(
    paper,
    '',
    A2A_ERROR_ROWS.map(({ name, jsonRpcCode }) => `${jsonRpcCode} ${name}`),
  );
  paper.blank();
  paper.text('Codes of the guard:');
  row(paper, '', GUARD_CODES.join(' '));
  paper.blank();
  paper.text('Layers, by name. Messages and fields of A2A 1.0, for example:');
  row(paper, '', 'AgentSkill AgentSkill.tags skills.tags /skills/0/tags supportedInterfaces');
}
