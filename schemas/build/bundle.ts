import type { Field, Model } from './model.ts';

type Schema = Record<string, unknown>;

const INT32 = { type: 'integer', minimum: -2147483648, maximum: 2147483647 };

const SCALAR_SCHEMAS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { anyOf: [INT32, { type: 'string', pattern: '^-?[0-9]+$' }] },
  bytes: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
};

/** Definitions that the bundle has beside the messages: the well-known types of protobuf. */
const WELL_KNOWN: Readonly<Record<string, Schema>> = {
  Struct: { type: 'object', additionalProperties: { $ref: '#/$defs/Value' } },
  Timestamp: { type: 'string', format: 'date-time' },
  Value: {},
};

function typeSchema(model: Model, type: string): Schema {
  const names = model.enums[type];
  if (names !== undefined) {
    const [unspecified, ...values] = names;
    return { anyOf: [{ type: 'string', pattern: `^${unspecified}$` }, { type: 'string', enum: values }, INT32] };
  }
  return SCALAR_SCHEMAS[type] ?? { $ref: `#/$defs/${type}` };
}

function fieldSchema(model: Model, field: Field): Schema {
  const schema = typeSchema(model, field.type);
  if (field.map) return { type: 'object', propertyNames: { type: 'string' }, additionalProperties: schema };
  return field.repeated ? { type: 'array', items: schema } : schema;
}

function messageSchema(model: Model, fields: readonly Field[]): Schema {
  const aliased = fields.filter((field) => field.protoName !== undefined);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(model, field)])),
    ...(aliased.length > 0 && {
      patternProperties: Object.fromEntries(
        aliased.map((field) => [`^(${field.protoName})$`, fieldSchema(model, field)]),
      ),
    }),
  };
}

/**
 * The JSON Schema bundle (2020-12) of the model: the same definitions, properties, aliases and closedness as the one
 * that the A2A project generates from the proto. It has no `required` and enforces no oneof, as that one does not.
 */
export function makeBundle(model: Model): Schema {
  const defs = Object.fromEntries(
    Object.entries(model.messages).map(([name, fields]) => [name, messageSchema(model, fields)]),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A2A ${model.version} schemas`,
    $comment: 'Non-normative. Every definition is validated at its own pointer; the root validates nothing.',
    $defs: Object.fromEntries(Object.entries({ ...defs, ...WELL_KNOWN }).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
