import { type MessageShape, type ProtocolVersion, shapesOf } from '../schema/fields.ts';
import { FUSED as FUSED_03 } from '../schema/generated/fused-0.3.ts';
import { FUSED } from '../schema/generated/fused-1.0.ts';
import { isObject } from '../schema/scalars.ts';

/** Definitions of the bundle that are neither a message nor an enum. */
const WELL_KNOWN = ['Struct', 'Timestamp', 'Value'];

/** The names that a pointer may name. */
export function definitionsOf(version: ProtocolVersion): readonly string[] {
  const { messages, unions } = shapesOf(version);
  return [...messages.keys(), ...(version === '1.0' ? WELL_KNOWN : unions.keys())];
}

/**
 * The hot path: one fused pass over a value that travels at this definition. True means clean in either direction.
 * `depth` is the levels of nesting that the value may have.
 */
export function isClean(version: ProtocolVersion, definition: string, value: unknown, depth: number): boolean {
  return (version === '1.0' ? FUSED : FUSED_03)[definition]?.(value, depth) === true;
}

/** How well the top-level members of a value fit a definition: known members less unknown and missing ones. */
function scoreShape(shape: MessageShape, value: Readonly<Record<string, unknown>>, keys: readonly string[]): number {
  const known = keys.filter((key) => shape.fields.has(key)).length;
  const missing = shape.required.filter((field) => !Object.hasOwn(value, field.name)).length;
  return 2 * known - keys.length - missing;
}

/** Members of a value that are looked at to guess what it is. */
const MAX_GUESS_KEYS = 64;

/** The definition that a value fits clearly better than the one it was judged at; undefined when none does. */
export function guessDefinition(version: ProtocolVersion, value: unknown, judgedAt: string): string | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value).slice(0, MAX_GUESS_KEYS);
  const { messages } = shapesOf(version);
  const judged = messages.get(judgedAt);
  const bar = judged === undefined ? 0 : Math.max(0, scoreShape(judged, value, keys) + 1);
  const [best, second] = [...messages.values()]
    .filter((shape) => shape.required.length + shape.oneofs.size > 0)
    .map((shape) => ({ name: shape.name, score: scoreShape(shape, value, keys) }))
    .sort((left, right) => right.score - left.score);
  return best !== undefined && best.score > bar && best.score > (second?.score ?? 0) ? best.name : undefined;
}
