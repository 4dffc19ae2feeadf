import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { makeBundle } from '../../schemas/build/bundle.ts';
import { readModel } from '../../schemas/build/model.ts';
import { readModel03, readRawTable } from '../../schemas/build/model-0.3.ts';
import { DATE_TIME } from '../../src/schema/bundle.ts';
import type { Json } from './cards.ts';

export const SCHEMAS = new URL('../../schemas/', import.meta.url);

export const model = readModel(new URL('fields-1.0.json', SCHEMAS));
export const table03 = readRawTable(new URL('fields-0.3.json', SCHEMAS));
export const model03 = readModel03(table03);
export const bundle = makeBundle(model) as { readonly $defs: Readonly<Record<string, Json>> };

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, formats: { 'date-time': DATE_TIME } });
ajv.addSchema({ ...bundle, $id: 'bundle' });

/** Ajv on the bundle, one validator a pointer. */
export function compileAt(definition: string) {
  const validate = ajv.getSchema(`bundle#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`no ${definition}`);
  return validate;
}

/** `HTTPAuthSecurityScheme` as its title has it: "HTTP Auth Security Scheme". */
export function titleOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4');
}

function mapRefs(schema: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => mapRefs(item, rename));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? rename(value.replace('#/$defs/', '')) : mapRefs(value, rename),
    ]),
  );
}

const packageOf = (name: string): string =>
  ['Struct', 'Timestamp', 'Value'].includes(name) ? 'google.protobuf' : 'lf.a2a.v1';

/** The layout of the first publication: `definitions` by spaced title, and `$ref`s that resolve to nothing. */
export function titledBundle(): Json {
  const definitions = Object.entries(bundle.$defs).map(([name, schema]) => [
    titleOf(name),
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${packageOf(name)}.${name}.jsonschema.json`,
      title: titleOf(name),
      ...(mapRefs(schema, (target) => `${packageOf(target)}.${target}.jsonschema.json`) as object),
    },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A2A Protocol Schemas',
    version: 'v1',
    definitions: Object.fromEntries(definitions),
  };
}

/** The layout of later builds: `$defs` by message name. */
export function namedBundle(): Json {
  return structuredClone({ ...bundle, $id: 'https://schemas.example.com/a2a.json' });
}

const CARDS = new URL('../fixtures/cards/', import.meta.url);

/** Every card of the fixtures that is a JSON object, with its file name. */
export const fixtureCards: readonly { readonly file: string; readonly text: string; readonly card: Json }[] =
  readdirSync(CARDS)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(new URL(file, CARDS), 'utf8');
      try {
        const card: unknown = JSON.parse(text);
        return typeof card === 'object' && card !== null && !Array.isArray(card)
          ? [{ file, text, card: card as Json }]
          : [];
      } catch {
        return [];
      }
    });
