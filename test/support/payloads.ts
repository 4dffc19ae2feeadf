import fc from 'fast-check';
import { type Field, SHAPES } from '../../src/schema/fields.ts';
import type { Json } from './cards.ts';
import { changed } from './mutate.ts';

/** The messages of traffic that a value can be made for: all that the card does not own alone. */
export const TRAFFIC: readonly string[] = [...SHAPES.messages.keys()].filter(
  (name) => !/^(?:Agent|Security|.*SecurityScheme$|.*OAuthFlow|OAuthFlows|StringList)/.test(name),
);

/** Messages inside messages are made up to this depth; further optional ones are left out. */
const MAX_NESTING = 4;

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.string({ minLength: 1, maxLength: 8 }),
  bool: fc.boolean(),
  int32: fc.oneof(fc.integer(), fc.integer().map(String)),
  bytes: fc.base64String({ maxLength: 12 }),
  Timestamp: fc
    .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  Struct: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  Value: fc.jsonValue({ maxDepth: 2 }),
};

function one(field: Field, nesting: number): fc.Arbitrary<unknown> {
  const names = SHAPES.enums.get(field.type);
  if (names !== undefined) return fc.constantFrom(...names.slice(1));
  return SCALARS[field.type] ?? sound(field.type, nesting + 1);
}

function memberOf(field: Field, nesting: number): fc.Arbitrary<unknown> {
  if (field.map) return fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), one(field, nesting), { maxKeys: 2 });
  return field.list ? fc.array(one(field, nesting), { minLength: 1, maxLength: 2 }) : one(field, nesting);
}

/** A value that is right at its definition. */
export function sound(definition: string, nesting = 0): fc.Arbitrary<Json> {
  const shape = SHAPES.messages.get(definition);
  if (shape === undefined) throw new Error(`no message ${definition}`);
  const fields = [...shape.fields.values()];
  const isDeep = (field: Field): boolean => nesting >= MAX_NESTING && SHAPES.messages.has(field.type);
  const plain = fields.filter((field) => field.oneof === undefined && (field.required || !isDeep(field)));
  const record = fc.record(Object.fromEntries(plain.map((field) => [field.name, memberOf(field, nesting)])), {
    requiredKeys: plain.filter((field) => field.required).map((field) => field.name),
  });
  const choices = fields.filter((field) => field.oneof !== undefined && !isDeep(field));
  if (choices.length === 0) return record;
  const choice = fc.oneof(
    ...choices.map((field) => memberOf(field, nesting).map((value) => ({ [field.name]: value }))),
  );
  return fc.tuple(record, choice).map(([rest, chosen]) => ({ ...rest, ...chosen }));
}

/** A sound value with up to three faults in it. */
export function mutated(definition: string): fc.Arbitrary<Json> {
  return changed(sound(definition));
}
