import { cardMessages, type Field, type Model, trafficMessages } from './model.ts';

/**
 * Code that judges one present value. `v` is the value and `d` the levels of nesting that it may still have; the code
 * returns false from the enclosing function when the value is not clean.
 */
type Judge = (v: string, d: string) => string;

const fail = (condition: string): string => `if (${condition}) return false;`;

const SCALAR_JUDGES: Readonly<Record<string, Judge>> = {
  string: (v) => fail(`typeof ${v} !== 'string'`),
  bool: (v) => fail(`typeof ${v} !== 'boolean'`),
  int32: (v) => fail(`!isInt32(${v})`),
  bytes: (v) => fail(`!isBase64(${v})`),
  Timestamp: (v) => fail(`!isTimestamp(${v})`),
  Struct: (v, d) => fail(`!isStruct(${v}, ${d})`),
  Value: (v, d) => fail(`!isShallow(${v}, ${d})`),
  integer: (v) => fail(`!Number.isInteger(${v})`),
};

function judgeOf(model: Model, type: string): Judge {
  const names = model.enums[type];
  if (names !== undefined)
    return (v) =>
      fail(
        names
          .slice(1)
          .map((name) => `${v} !== '${name}'`)
          .join(' && '),
      );
  return SCALAR_JUDGES[type] ?? ((v, d) => fail(`!${type}(${v}, ${d})`));
}

/** Messages whose REQUIRED fields may be empty: the last page of a list, a text without letters, a file without bytes. */
const MAY_BE_EMPTY = ['ListTasksResponse', 'TextPart', 'FileWithBytes'];

/** What counts as unset in a REQUIRED text: the empty one; in a card, which people read, a blank one too. */
type Unset = (v: string) => string;
const isEmpty: Unset = (v) => `${v} === ''`;
const isBlank: Unset = (v) => `${v}.trim() === ''`;

/** Whether an empty value of a REQUIRED field counts as unset. */
function emptyIsUnset(message: string, field: Field): boolean {
  return field.required === true && !MAY_BE_EMPTY.includes(message);
}

function judgeField(model: Model, message: string, field: Field, isUnset: Unset): string {
  const judge =
    field.const === undefined ? judgeOf(model, field.type) : (v: string) => fail(`${v} !== '${field.const}'`);
  const required = emptyIsUnset(message, field);
  const unset = (v: string): string => (required && field.type === 'string' ? fail(isUnset(v)) : '');
  if (field.map) return `${fail('!isObject(x)')} for (const n in x) { const y = x[n]; ${judge('y', 'd - 2')} }`;
  if (field.repeated) {
    const blanks = isUnset === isBlank ? unset('y') : '';
    return [
      fail(`!Array.isArray(x)${required ? ' || x.length === 0' : ''}`),
      `for (let i = 0; i < x.length; i += 1) { const y = x[i]; ${judge('y', 'd - 2')} ${blanks} }`,
    ].join(' ');
  }
  return `${judge('x', 'd - 1')} ${unset('x')}`;
}

function judgeMessage(model: Model, name: string, fields: readonly Field[], isUnset: Unset): string {
  const bits = fields.filter((field) => field.required || field.oneof);
  const bitOf = (field: Field): number => 1 << bits.indexOf(field);
  const maskOf = (wanted: readonly Field[]): number => wanted.reduce((mask, field) => mask | bitOf(field), 0);
  const cases = fields.map((field) => {
    const mark = bits.includes(field) ? ` set |= ${bitOf(field)};` : '';
    return `      case '${field.name}': { ${judgeField(model, name, field, isUnset)}${mark} break; }`;
  });
  const required = maskOf(fields.filter((field) => field.required));
  const choices = maskOf(fields.filter((field) => field.oneof));
  const verdicts = [
    ...(required > 0 ? [`(set & ${required}) === ${required}`] : []),
    ...(choices > 0 ? [`isOneBit(set & ${choices})`] : []),
  ];
  return [
    `function ${name}(v, d) {`,
    `  if (typeof v !== 'object' || v === null || d < 1 || Array.isArray(v)) return false;`,
    `  let set = 0;`,
    `  for (const k in v) {`,
    `    const x = v[k];`,
    `    switch (k) {`,
    ...cases,
    `      default: ${model.open ? 'if (!isShallow(x, d - 1)) return false;' : 'return false;'}`,
    `    }`,
    `  }`,
    `  return ${verdicts.join(' && ') || 'true'};`,
    `}`,
  ].join('\n');
}

/** A union by its discriminator `kind`, or by trying each where there is none. */
function judgeUnion(model: Model, name: string, members: readonly string[]): string {
  const kindOf = (member: string): string | undefined =>
    model.messages[member]?.find((field) => field.name === 'kind')?.const;
  if (members.some((member) => kindOf(member) === undefined)) {
    return `function ${name}(v, d) { return ${members.map((member) => `${member}(v, d)`).join(' || ')}; }`;
  }
  const cases = members.map((member) => `case '${kindOf(member)}': return ${member}(v, d);`);
  return `function ${name}(v, d) { switch (v === null || v === undefined ? v : v.kind) { ${cases.join(' ')} default: return false; } }`;
}

const HEAD = [
  '// @ts-nocheck generated code, typed by its export',
  `import { isBase64, isInt32, isObject, isOneBit, isShallow, isStruct, isTimestamp } from '../scalars.ts';`,
];

/**
 * The fused validators: one function per traffic message that checks the bundle's rules and the specification's in a
 * single pass over the value. `true` means clean: no error and nothing to warn about. Anything else is for the slow
 * path, which names what is wrong.
 */
export function makeFused(model: Model): string {
  const names = trafficMessages(model);
  const unions = Object.entries(model.unions ?? {});
  const all = [...names, ...unions.map(([name]) => name)];
  return [
    ...HEAD,
    ...names.map((name) => judgeMessage(model, name, model.messages[name] ?? [], isEmpty)),
    ...unions.map(([name, members]) => judgeUnion(model, name, members)),
    `export const FUSED: Readonly<Record<string, (value: unknown, depth: number) => boolean>> = { __proto__: null, ${all.join(', ')} } as never;`,
    '',
  ].join('\n');
}

/** What the specification asks of a card's fields in words, beyond the field table. */
const IN_WORDS: Readonly<Record<string, Partial<Field>>> = {
  'AgentExtension.uri': { required: true },
  'APIKeySecurityScheme.location': { type: 'ApiKeyLocation' },
};

/** The first name of an enum stands for "not set". */
const ENUMS_IN_WORDS: Model['enums'] = { ApiKeyLocation: ['', 'query', 'header', 'cookie'] };

/**
 * The fused validator of the card. `true` means that pass 1 finds nothing, and that of pass 2 nothing is left but what
 * lies in the contents: addresses, media types, names that refer to each other, secrets.
 */
export function makeFusedCard(model: Model): string {
  const told: Model = { ...model, enums: { ...model.enums, ...ENUMS_IN_WORDS } };
  const fieldsOf = (name: string): Field[] =>
    (model.messages[name] ?? []).map((field) => ({ ...field, ...IN_WORDS[`${name}.${field.name}`] }));
  return [
    ...HEAD,
    ...cardMessages(model).map((name) => judgeMessage(told, name, fieldsOf(name), isBlank)),
    'export const isShaped: (card: unknown, depth: number) => boolean = AgentCard;',
    '',
  ].join('\n');
}
