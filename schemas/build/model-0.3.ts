import { readFileSync } from 'node:fs';
import type { Field, Model } from './model.ts';

type RawType =
  | string
  | { readonly const: string }
  | { readonly enum: readonly string[] }
  | { readonly array: RawType }
  | { readonly map: RawType }
  | { readonly anyOf: readonly string[] };
interface RawField {
  readonly name: string;
  readonly type: RawType;
  readonly required?: true;
}
type RawMessage = readonly RawField[] | { readonly enum: readonly string[] } | { readonly anyOf: readonly string[] };

/** The field table of 0.3 as it is written down: JSON Schema words instead of proto ones. */
export interface RawTable {
  readonly version: string;
  readonly types: Readonly<Record<string, RawMessage>>;
}

export const readRawTable = (path: URL): RawTable => JSON.parse(readFileSync(path, 'utf8')) as RawTable;

const SCALAR_OF: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  integer: 'integer',
  object: 'Struct',
};

/** What the methods of 0.3 take and give; their results are told apart by `kind`. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  SendMessageResult: ['Task', 'Message'],
  StreamEvent: ['Task', 'Message', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
};

/** Roots of what travels; cards are judged in the shape of 1.0. */
const ROOTS = [
  ...Object.values(RESULTS).flat(),
  'MessageSendParams',
  'TaskQueryParams',
  'TaskIdParams',
  'TaskPushNotificationConfig',
  'GetTaskPushNotificationConfigParams',
  'ListTaskPushNotificationConfigParams',
  'DeleteTaskPushNotificationConfigParams',
];

/** Brings the table of 0.3 to the form of the other: named enums, named unions, fields with `list` and `const`. */
export function readModel03(table: RawTable): Model {
  const enums: Record<string, readonly string[]> = {};
  const unions: Record<string, readonly string[]> = { ...RESULTS };
  const messages: Record<string, readonly Field[]> = {};
  const visit = (name: string): void => {
    const raw = table.types[name];
    if (raw === undefined || name in messages || name in enums || (name in unions && !('anyOf' in raw))) return;
    if ('enum' in raw) {
      enums[name] = ['', ...raw.enum];
    } else if ('anyOf' in raw) {
      unions[name] = raw.anyOf;
      raw.anyOf.forEach(visit);
    } else {
      messages[name] = [];
      messages[name] = raw.map((field) => toField(name, field));
    }
  };
  const toField = (message: string, { name, type, required }: RawField): Field => {
    const base = { name, ...(required && { required }) };
    if (typeof type === 'string') {
      visit(type);
      return { ...base, type: SCALAR_OF[type] ?? type };
    }
    if ('const' in type) return { ...base, type: 'string', const: type.const };
    if ('array' in type)
      return { ...toField(message, { name, type: type.array, ...(required && { required }) }), repeated: true };
    if ('enum' in type) {
      enums[`${message}_${name}`] = ['', ...type.enum];
      return { ...base, type: `${message}_${name}` };
    }
    if ('anyOf' in type) {
      unions[`${message}_${name}`] = type.anyOf;
      type.anyOf.forEach(visit);
      return { ...base, type: `${message}_${name}` };
    }
    throw new Error(`${message}.${name} has a type that no traffic message has`);
  };
  ROOTS.forEach(visit);
  return { version: table.version, open: true, enums, unions, messages };
}

type Schema = Record<string, unknown>;

function typeSchema(type: RawType): Schema {
  if (typeof type === 'string') return type in SCALAR_OF ? { type } : { $ref: `#/$defs/${type}` };
  if ('array' in type) return { type: 'array', items: typeSchema(type.array) };
  if ('map' in type) return { type: 'object', additionalProperties: typeSchema(type.map) };
  if ('anyOf' in type) return { anyOf: type.anyOf.map(typeSchema) };
  return { ...type };
}

function messageSchema(raw: RawMessage): Schema {
  if ('enum' in raw) return { enum: raw.enum };
  if ('anyOf' in raw) return { anyOf: raw.anyOf.map(typeSchema) };
  const required = raw.filter((field) => field.required).map((field) => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(raw.map((field) => [field.name, typeSchema(field.type)])),
    ...(required.length > 0 && { required }),
  };
}

/** The JSON Schema bundle of 0.3: `required` and discriminators, and open objects. */
export function makeBundle03(table: RawTable): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A2A ${table.version} schemas`,
    $comment: 'Non-normative. Every definition is validated at its own pointer; the root validates nothing.',
    $defs: Object.fromEntries(Object.entries(table.types).map(([name, raw]) => [name, messageSchema(raw)])),
  };
}
