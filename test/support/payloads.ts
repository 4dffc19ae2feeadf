import fc from 'fast-check';
import { type Field, type MessageShape, type ProtocolVersion, type Shapes, shapesOf } from '../../src/schema/fields.ts';
import type { Json } from './cards.ts';
import { changed } from './mutate.ts';

/** The messages of traffic that a value can be made for: all that the card does not own alone. */
export const TRAFFIC: readonly string[] = [...shapesOf('1.0').messages.keys()].filter(
  (name) => !/^(?:Agent|Security|.*SecurityScheme$|.*OAuthFlow|OAuthFlows|StringList)/.test(name),
);

/** The messages and unions of 0.3 traffic. */
export const TRAFFIC_03: readonly string[] = [...shapesOf('0.3').messages.keys(), ...shapesOf('0.3').unions.keys()];

/** Messages inside messages are made up to this depth; further optional ones are left out. */
const MAX_NESTING = 4;

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.string({ minLength: 1, maxLength: 8 }),
  bool: fc.boolean(),
  int32: fc.oneof(fc.integer(), fc.integer().map(String)),
  integer: fc.integer(),
  bytes: fc.base64String({ maxLength: 12 }),
  Timestamp: fc
    .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  Struct: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  Value: fc.jsonValue({ maxDepth: 2 }),
};

function one(shapes: Shapes, field: Field, nesting: number): fc.Arbitrary<unknown> {
  if (field.const !== undefined) return fc.constant(field.const);
  const names = shapes.enums.get(field.type);
  if (names !== undefined) return fc.constantFrom(...names.slice(1));
  return SCALARS[field.type] ?? make(shapes, field.type, nesting + 1);
}

function memberOf(shapes: Shapes, field: Field, nesting: number): fc.Arbitrary<unknown> {
  const single = one(shapes, field, nesting);
  if (field.map) return fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), single, { maxKeys: 2 });
  return field.list ? fc.array(single, { minLength: 1, maxLength: 2 }) : single;
}

function makeMessage(shapes: Shapes, shape: MessageShape, nesting: number): fc.Arbitrary<Json> {
  const fields = [...shape.fields.values()];
  const isDeep = (field: Field): boolean => nesting >= MAX_NESTING && !(field.type in SCALARS);
  const plain = fields.filter((field) => field.oneof === undefined && (field.required || !isDeep(field)));
  const record = fc.record(Object.fromEntries(plain.map((field) => [field.name, memberOf(shapes, field, nesting)])), {
    requiredKeys: plain.filter((field) => field.required).map((field) => field.name),
  });
  const choices = fields.filter((field) => field.oneof !== undefined && !isDeep(field));
  if (choices.length === 0) return record;
  const choice = fc.oneof(
    ...choices.map((field) => memberOf(shapes, field, nesting).map((value) => ({ [field.name]: value }))),
  );
  return fc.tuple(record, choice).map(([rest, chosen]) => ({ ...rest, ...chosen }));
}

function make(shapes: Shapes, definition: string, nesting: number): fc.Arbitrary<Json> {
  const members = shapes.unions.get(definition);
  if (members !== undefined) return fc.oneof(...members.map((shape) => makeMessage(shapes, shape, nesting)));
  const shape = shapes.messages.get(definition);
  if (shape === undefined) throw new Error(`no message ${definition}`);
  return makeMessage(shapes, shape, nesting);
}

/** A value that is right at its definition. */
export function sound(definition: string, version: ProtocolVersion = '1.0'): fc.Arbitrary<Json> {
  return make(shapesOf(version), definition, 0);
}

/** A sound value with up to three faults in it. */
export function mutated(definition: string, version: ProtocolVersion = '1.0'): fc.Arbitrary<Json> {
  return changed(sound(definition, version));
}
