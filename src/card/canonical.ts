import jcs from 'canonicalize';
import { type Field, type MessageShape, SHAPES } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import type { Json } from './read.ts';

/** RFC 8785. The package's types describe another module format than it has. */
const canonicalize = jcs as unknown as (value: unknown) => string | undefined;

/**
 * The text that card signatures are made over (§8.4.1): the card without its `signatures`, default values dropped unless
 * the field is REQUIRED or tells unset from default, in the JSON Canonicalization Scheme (RFC 8785). Unknown members and
 * everything inside free objects stay; nothing is filled in.
 * @throws TypeError for what is no JSON object.
 */
export function canonicalCard(card: string | object): string {
  const value: unknown = typeof card === 'string' ? JSON.parse(card) : card;
  if (!isObject(value)) throw new TypeError('canonicalCard: expected a card as an object or as JSON text');
  const { signatures: _signatures, ...rest } = value;
  return canonicalize(withoutDefaults(SHAPES.messages.get('AgentCard') as MessageShape, rest)) ?? '';
}

function withoutDefaults(shape: MessageShape, value: Json): Json {
  const kept = Object.entries(value).flatMap(([key, member]) => {
    const field = shape.fields.get(key);
    if (field === undefined) return [[key, member] as const];
    if (member === null || member === undefined || isDefault(field, member)) return [];
    return [[key, inField(field, member)] as const];
  });
  return Object.fromEntries(kept);
}

/** The value that an unset field has. An empty message was set, and so was what a field with presence holds. */
function isDefault(field: Field, value: unknown): boolean {
  if (field.required || field.presence) return false;
  if (field.list) return Array.isArray(value) && value.length === 0;
  if (field.map) return isObject(value) && Object.keys(value).length === 0;
  return field.oneof === undefined && (value === '' || value === false || value === 0);
}

function inField(field: Field, value: unknown): unknown {
  const shape = SHAPES.messages.get(field.type);
  if (shape === undefined) return value;
  const inner = (item: unknown): unknown => (isObject(item) ? withoutDefaults(shape, item) : item);
  if (field.list) return Array.isArray(value) ? value.map(inner) : value;
  if (!field.map || !isObject(value)) return inner(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]));
}
