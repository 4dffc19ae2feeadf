import type { Ajv2020 } from 'ajv/dist/2020.js';
import { cutPath, joinPath } from './pointer.ts';
import { isObject } from './scalars.ts';

/** The part of Ajv's error objects that is read here. */
export interface BundleError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A compiled definition: the answer, and all errors after a no. */
export type BundleValidator = ((value: unknown) => boolean) & { readonly errors?: readonly BundleError[] | null };

/** A bundle that a user brought, ready to judge values at its definitions. */
export interface CompiledBundle {
  readonly name: string;
  readonly sha256: string;
  readonly definitions: readonly string[];
  validator(definition: string): BundleValidator;
}

/** What a validator found at one place, in the bundle's own words. */
export interface BundleFault {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  /** The definition whose rule was broken, where the validator says so. */
  readonly definition?: string;
}

/** Errors of one keyword that are kept at most; a hostile value could have one per byte. */
const MAX_PER_KEYWORD = 200;

/**
 * Reads Ajv's errors as faults, one a place: an extra key is named by its own path, and of an `anyOf` only the
 * conclusion is kept. Paths to `skip` do not count.
 */
export function readBundleErrors(
  errors: readonly BundleError[] | null | undefined,
  skip: (path: string) => boolean = () => false,
): BundleFault[] {
  const faults: BundleFault[] = [];
  const counts = new Map<string, number>();
  for (const error of errors ?? []) {
    const place = cutPath(error.instancePath);
    if (/\/(?:anyOf|oneOf)\/\d/.test(error.schemaPath) || skip(place)) continue;
    const count = (counts.get(error.keyword) ?? 0) + 1;
    counts.set(error.keyword, count);
    if (count > MAX_PER_KEYWORD) continue;
    const extra = error.params.additionalProperty ?? error.params.unevaluatedProperty;
    const missing = error.params.missingProperty;
    const member = typeof extra === 'string' ? extra : typeof missing === 'string' ? missing : undefined;
    faults.push({
      path: member === undefined ? place : joinPath(place, member),
      keyword: typeof extra === 'string' ? 'additionalProperties' : error.keyword,
      message: error.message ?? error.keyword,
      ...definitionOf(error.schemaPath),
    });
  }
  return faults;
}

/** The definition in a schema path such as `#/$defs/AgentSkill/additionalProperties`. */
function definitionOf(schemaPath: string): { definition?: string } {
  const name = /\$defs\/(\w+)\/[^/]+$/.exec(schemaPath)?.[1];
  return name === undefined ? {} : { definition: name };
}

/** `Agent Card`, `lf.a2a.v1.AgentCard.jsonschema.json` and `AgentCard` are one name. */
function definitionName(text: string): string {
  const base = text.replace(/^.*\//, '').replace(/\.(?:jsonschema|schema)(?:\.[a-z]+)*\.json$/, '');
  return base.slice(base.lastIndexOf('.') + 1).replaceAll(' ', '');
}

function decode(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

function rewriteRefs(schema: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => rewriteRefs(item, names));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$schema' && key !== '$id')
      .map(([key, value]) => {
        if (key !== '$ref' || typeof value !== 'string') return [key, rewriteRefs(value, names)];
        const name = definitionName(decode(value));
        if (!names.has(name)) throw new TypeError(`bundle: $ref "${value}" names no definition of the bundle`);
        return [key, `#/$defs/${name}`];
      }),
  );
}

/**
 * Brings a published bundle to one form, `$defs` by message name. Both layouts in the wild are read: `$defs` by name,
 * and `definitions` by spaced title whose `$ref`s resolve to nothing.
 * @throws TypeError when the value is no such bundle.
 */
export function normalizeBundle(bundle: unknown): { $defs: Readonly<Record<string, unknown>> } {
  if (!isObject(bundle)) throw new TypeError('bundle: expected a JSON Schema object with "$defs" or "definitions"');
  const source = bundle.$defs ?? bundle.definitions;
  if (!isObject(source)) throw new TypeError('bundle: the object has neither "$defs" nor "definitions"');
  const entries = Object.entries(source).map(([key, value]) => [definitionName(key), value] as const);
  const names = new Set(entries.map(([name]) => name));
  if (!names.has('AgentCard')) throw new TypeError('bundle: there is no definition of AgentCard in it');
  return { $defs: Object.fromEntries(entries.map(([name, schema]) => [name, rewriteRefs(schema, names)])) };
}

/** Any date-time with a zone: what the bundle's `format` asks for. The guard's own timestamp rule is stricter. */
export const DATE_TIME: RegExp = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/**
 * Compiles a bundle with an Ajv that the caller loaded, all of it at once, so that a broken definition is found here.
 * @throws TypeError that names the definition.
 */
export function compileBundle(
  Ajv: typeof Ajv2020,
  bundle: unknown,
  facts: { name: string; sha256: string },
): CompiledBundle {
  const normalized = normalizeBundle(bundle);
  const ajv = new Ajv({ allErrors: true, strict: false, formats: { 'date-time': DATE_TIME }, logger: false });
  const validators = new Map<string, BundleValidator>();
  let definition = '';
  try {
    ajv.addSchema({ ...normalized, $id: 'bundle' });
    for (definition of Object.keys(normalized.$defs)) {
      const validate = ajv.getSchema(`bundle#/$defs/${definition}`);
      if (validate === undefined) throw new Error('it is no schema');
      validators.set(definition, validate as unknown as BundleValidator);
    }
  } catch (error) {
    throw new TypeError(`bundle: definition "${definition}" cannot be compiled: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return {
    ...facts,
    definitions: [...validators.keys()],
    validator(name) {
      const validate = validators.get(name);
      if (validate === undefined) throw new TypeError(`bundle: there is no definition "${name}"`);
      return validate;
    },
  };
}
