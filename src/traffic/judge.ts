import type { CheckId } from '../checks.ts';
import { type BundleFault, type CompiledBundle, readBundleErrors } from '../schema/bundle.ts';
import { type Field, type ProtocolVersion, SHAPES } from '../schema/fields.ts';
import { describeDefinition, placeOf } from '../schema/pointer.ts';
import { capFindings, type Fault, type Finding, type Grade, isError, MAX_FINDINGS, toFindings } from '../ticket.ts';
import { guessDefinition, isClean } from './payload.ts';
import { type Direction, explainPayload } from './payload-faults.ts';

export interface JudgeFacts {
  readonly grades: Readonly<Record<Direction, Grade>>;
  /** Levels of nesting that a whole message on the wire may have. */
  readonly jsonDepth: number;
  /** A bundle of the user's, in place of the pinned one. */
  readonly bundle: CompiledBundle | undefined;
}

/** Judges a value that travels, at the definition of its own pointer. */
export type PayloadJudge = (
  definition: string,
  value: unknown,
  direction: Direction,
  version?: ProtocolVersion,
) => readonly Finding[];

const NOTHING: readonly Finding[] = [];

/** The envelope around a value takes one level of nesting. */
const ENVELOPE = 1;

/**
 * Makes the judge of everything that goes out and comes back. A clean value costs one fused pass and no allocation;
 * findings are made only after a no.
 */
export function createPayloadJudge({ grades, jsonDepth, bundle }: JudgeFacts): PayloadJudge {
  const depth = jsonDepth - ENVELOPE;
  return (definition, value, direction, version = '1.0') => {
    const theirs = version === '1.0' ? bundle : undefined;
    if (theirs === undefined && isClean(version, definition, value, depth)) return NOTHING;
    const grade = grades[direction];
    const own = explainPayload(definition, value, { version, direction, depth, grade });
    const findings =
      theirs === undefined ? own : withBundle(own, bundleFaults(theirs, definition, value), definition, grade);
    return capFindings(withGuess(findings, definition, value, version), MAX_FINDINGS * 2);
  };
}

/** Tells a value at the wrong pointer its right one. */
function withGuess(
  findings: readonly Finding[],
  definition: string,
  value: unknown,
  version: ProtocolVersion,
): readonly Finding[] {
  const lead = findings.find(isError) ?? findings[0];
  const guess = lead === undefined ? undefined : guessDefinition(version, value, definition);
  if (lead === undefined || guess === undefined) return findings;
  const message = `${lead.message} The value looks like ${describeDefinition(guess)}.`;
  return findings.map((finding) => (finding === lead ? { ...finding, message } : finding));
}

const ID_OF_KEYWORD: Readonly<Record<string, CheckId>> = {
  additionalProperties: 'value-unknown-key',
  required: 'value-required',
  enum: 'value-enum',
  anyOf: 'value-enum',
  pattern: 'value-pattern',
  format: 'value-format',
};

/** Keywords about the JSON type of a value, on which the field table is as exact as a bundle and knows more. */
const TYPE_KEYWORDS = new Set(['type', 'anyOf', 'pattern', 'format']);

function bundleFaults(bundle: CompiledBundle, definition: string, value: unknown): BundleFault[] {
  const validate = bundle.validator(definition);
  return validate(value) ? [] : readBundleErrors(validate.errors);
}

/**
 * What the guard finds and what a bundle of the user's finds, as one list: the bundle decides which members there are
 * and what else it asks for; the types of fields that the specification has are the guard's to judge. What is below an
 * unknown member is nobody's.
 */
function withBundle(
  own: readonly Finding[],
  faults: readonly BundleFault[],
  definition: string,
  grade: Grade,
): Finding[] {
  const extra = new Set(faults.filter(({ keyword }) => keyword === 'additionalProperties').map(({ path }) => path));
  const kept = own.filter(
    ({ id, path }) => id !== 'value-unknown-key' || extra.has(path) || isProtoName(definition, path),
  );
  const places = new Set(kept.map(({ path }) => path));
  const unknown = kept.filter(({ id }) => id === 'value-unknown-key').map(({ path }) => `${path}/`);
  const isBelow = (path: string): boolean => unknown.some((place) => path.startsWith(place));
  const news = faults
    .filter(({ path, keyword }) => !places.has(path) && !(TYPE_KEYWORDS.has(keyword) && isField(definition, path)))
    .filter(({ path }) => !isBelow(path))
    .map(({ path, keyword, message }): Fault => {
      return { id: ID_OF_KEYWORD[keyword] ?? 'value-type', path, keyword, message: `${placeOf(path)} ${message}.` };
    });
  return [...kept, ...toFindings(news, grade)];
}

/** The field that a path leads to, walking the field table from a definition; list places and map names are passed over. */
function lookUp(definition: string, path: string): { field: Field | undefined; isAlias: boolean } {
  let shape = SHAPES.messages.get(definition);
  let field: Field | undefined;
  let isAlias = false;
  for (const step of path.split('/').slice(1)) {
    if (field !== undefined && (field.list || field.map)) {
      field = { name: field.name, type: field.type };
      continue;
    }
    isAlias = shape?.aliases.has(step) === true;
    field = shape?.fields.get(step);
    shape = SHAPES.messages.get(field?.type ?? '');
  }
  return { field, isAlias };
}

const isField = (definition: string, path: string): boolean => lookUp(definition, path).field !== undefined;
const isProtoName = (definition: string, path: string): boolean => lookUp(definition, path).isAlias;
