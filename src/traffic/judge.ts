import type { CheckId } from '../checks.ts';
import { type BundleFault, type CompiledBundle, readBundleErrors } from '../schema/bundle.ts';
import { describeDefinition, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import { capFindings, type Fault, type Finding, type Grade, isError, MAX_FINDINGS, toFindings } from '../ticket.ts';
import { type Direction, explainPayload, guessDefinition, isClean } from './payload.ts';

export interface JudgeFacts {
  readonly grades: Readonly<Record<Direction, Grade>>;
  /** Levels of nesting that a whole message on the wire may have. */
  readonly jsonDepth: number;
  /** A bundle of the user's, in place of the pinned one. */
  readonly bundle: CompiledBundle | undefined;
}

/** Judges a value that travels, at the definition of its own pointer. */
export type PayloadJudge = (definition: string, value: unknown, direction: Direction) => readonly Finding[];

const NOTHING: readonly Finding[] = [];

/** The envelope around a value takes one level of nesting. */
const ENVELOPE = 1;

/**
 * Makes the judge of everything that goes out and comes back. A clean value costs one fused pass and no allocation;
 * findings are made only after a no.
 */
export function createPayloadJudge({ grades, jsonDepth, bundle }: JudgeFacts): PayloadJudge {
  const depth = jsonDepth - ENVELOPE;
  return (definition, value, direction) => {
    if (bundle === undefined && isClean(definition, value, depth)) return NOTHING;
    const grade = grades[direction];
    const findings =
      bundle === undefined
        ? explainPayload(definition, value, { direction, depth, grade })
        : [
            ...toFindings(bundleFaults(bundle, definition, value), grade),
            ...explainPayload(definition, value, { direction, depth, grade, specOnly: true }),
          ];
    return capFindings(withGuess(findings, definition, value), MAX_FINDINGS * 2);
  };
}

/** Tells a value at the wrong pointer its right one. */
function withGuess(findings: readonly Finding[], definition: string, value: unknown): readonly Finding[] {
  const lead = findings.find(isError) ?? findings[0];
  const guess = lead === undefined ? undefined : guessDefinition(value, definition);
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

function bundleFaults(bundle: CompiledBundle, definition: string, value: unknown): Fault[] {
  const validate = bundle.validator(definition);
  if (validate(value)) return [];
  return readBundleErrors(validate.errors)
    .filter((error) => !isUnsetField(error, value))
    .map(({ path, keyword, message }) => ({
      id: ID_OF_KEYWORD[keyword] ?? 'value-type',
      path,
      keyword,
      message: `${placeOf(path)} ${message}.`,
    }));
}

/** null in a field means unset (§5.7); in a list it is a wrong value. */
function isUnsetField({ path }: BundleFault, root: unknown): boolean {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value: unknown = root;
  let holder: unknown;
  for (const step of steps) {
    holder = value;
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
  }
  return value === null && isObject(holder);
}
