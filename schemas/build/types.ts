import type { Field, Model } from './model.ts';

const SCALAR_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'Int32',
  bytes: 'string',
  Timestamp: 'string',
  Struct: 'Struct',
  Value: 'JsonValue',
};

const PRELUDE = `/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
/** A free JSON object. */
export type Struct = { readonly [key: string]: JsonValue };
/** A 32-bit whole number; readers also accept it as decimal text. */
export type Int32 = number | \`\${bigint}\`;
`;

function fieldType(field: Field): string {
  const type = SCALAR_TYPES[field.type] ?? field.type;
  if (field.map) return `{ readonly [name: string]: ${type} }`;
  return field.repeated ? `readonly ${type}[]` : type;
}

const member = (field: Field): string => `readonly ${field.name}${field.required ? '' : '?'}: ${fieldType(field)};`;

function messageType(name: string, fields: readonly Field[]): string {
  const plain = fields.filter((field) => field.oneof === undefined);
  const choices = fields.filter((field) => field.oneof !== undefined);
  const body = `{ ${plain.map(member).join(' ')} }`;
  if (choices.length === 0) return `export interface ${name} ${body}`;
  const variants = choices.map((chosen) => {
    const others = choices.filter((field) => field !== chosen).map((field) => `readonly ${field.name}?: never;`);
    return `{ readonly ${chosen.name}: ${fieldType(chosen)}; ${others.join(' ')} }`;
  });
  return `export type ${name} = ${plain.length > 0 ? `${body} & ` : ''}(${variants.join(' | ')});`;
}

/** The wire types of the model: camelCase names, enums by name without UNSPECIFIED, a oneof as a union. */
export function makeTypes(model: Model): string {
  const enums = Object.entries(model.enums).map(
    ([name, [, ...values]]) => `export type ${name} = ${values.map((value) => `'${value}'`).join(' | ')};`,
  );
  const messages = Object.entries(model.messages).map(([name, fields]) => messageType(name, fields));
  return [PRELUDE, ...enums, ...messages, ''].join('\n');
}
