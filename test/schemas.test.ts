import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../schemas/build/bundle.ts';
import { makeFused, makeFusedCard } from '../schemas/build/fused.ts';
import { makeManifest, sha256 } from '../schemas/build/manifest.ts';
import { makeBundle03 } from '../schemas/build/model-0.3.ts';
import { makeStandalone } from '../schemas/build/standalone.ts';
import { makeTables } from '../schemas/build/tables.ts';
import { makeTypes } from '../schemas/build/types.ts';
import { createGuard } from '../src/index.ts';
import { bundle, compileAt, model, model03, SCHEMAS, table03 } from './support/schemas.ts';

const GENERATED = new URL('../src/schema/generated/', import.meta.url);
const read = (file: string, folder = SCHEMAS): string => readFileSync(new URL(file, folder), 'utf8');
const committed = read('a2a-1.0.json');
const manifest = JSON.parse(read('manifest.json')) as {
  file: string;
  sha256: string;
  canonicalUrl: string;
  normative: boolean;
  version: string;
}[];

describe('the committed schemas are pinned', () => {
  it('the manifest has every schema file beside it', () => {
    const files = readdirSync(SCHEMAS).filter((file) => file.endsWith('.json') && file !== 'manifest.json');
    expect(manifest.map((entry) => entry.file).sort()).toEqual(files.sort());
  });

  it.each(manifest.map((entry) => [entry.file, entry.sha256] as const))(
    '%s has the hash of the manifest',
    (file, pinned) => {
      expect(sha256(readFileSync(new URL(file, SCHEMAS)))).toBe(pinned);
    },
  );

  it('the manifest is as it would be written', () => {
    expect(manifest).toEqual(makeManifest(SCHEMAS));
    for (const { version, normative, canonicalUrl } of manifest) {
      expect(normative).toBe(false);
      expect(canonicalUrl).toContain(`https://a2a-protocol.org/v${version}.0/`);
    }
  });

  it('the bundles follow from the field tables, byte for byte', () => {
    expect(`${JSON.stringify(makeBundle(model), null, 2)}\n`).toBe(committed);
    expect(`${JSON.stringify(makeBundle03(table03), null, 2)}\n`).toBe(read('a2a-0.3.json', SCHEMAS));
  });

  it('a report names the committed bundle', () => {
    expect(createGuard().checkCard({}).schema).toEqual({
      bundle: 'a2a-1.0.json',
      pointer: '#/$defs/AgentCard',
      normative: false,
      sha256: sha256(committed),
    });
  });
});

describe('the generated modules', () => {
  const modules: Readonly<Record<string, string>> = {
    'fields-1.0.ts': makeTables(model),
    'types-1.0.ts': makeTypes(model),
    'fused-1.0.ts': makeFused(model),
    'fused-card-1.0.ts': makeFusedCard(model),
    'fields-0.3.ts': makeTables(model03),
    'fused-0.3.ts': makeFused(model03),
    'card-1.0.ts': makeStandalone(bundle, '#/$defs/AgentCard', 'validateCard'),
    'pinned.ts': `export const PINNED_BUNDLE = { name: 'a2a-1.0.json', sha256: '${sha256(committed)}' } as const;\n`,
  };

  it.each(Object.entries(modules))('%s is what the field table makes', (file, text) => {
    expect(read(file, GENERATED)).toBe(text);
  });

  it('there is no other', () => {
    expect(readdirSync(GENERATED).sort()).toEqual(Object.keys(modules).sort());
  });

  it.each(Object.keys(modules))('%s makes no code at run time', (file) => {
    const text = read(file, GENERATED);
    for (const word of ['new Function', 'eval(', 'require(', 'Function(', 'import(']) expect(text).not.toContain(word);
  });
});

describe('what the bundle says, and what it does not', () => {
  const passes = (definition: string, value: unknown): boolean => compileAt(definition)(value) as boolean;

  it('every definition compiles in strict mode', () => {
    for (const name of Object.keys(bundle.$defs)) expect(typeof compileAt(name)).toBe('function');
  });

  it('every message and well-known type has its definition, and every definition is one', () => {
    expect(Object.keys(bundle.$defs).sort()).toEqual(
      [...Object.keys(model.messages), 'Struct', 'Timestamp', 'Value'].sort(),
    );
  });

  it.each(['AgentCard', 'Task', 'Message'])('{} passes %s', (name) => expect(passes(name, {})).toBe(true));

  it('nothing is required anywhere', () => expect(committed).not.toMatch(/"required": *\[/));

  it('the root validates nothing', () => {
    const atRoot = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(
      JSON.parse(committed) as object,
    );
    for (const value of [null, 'text', 5, [], { name: 5 }]) expect(atRoot(value)).toBe(true);
  });

  it.each<[string, string, unknown, boolean]>([
    [
      'a proto name',
      'AgentCard',
      { default_input_modes: ['text/plain'], supported_interfaces: [{ protocol_binding: 'GRPC' }] },
      true,
    ],
    ['a proto name with the wrong type', 'AgentCard', { default_input_modes: 'text/plain' }, false],
    ['a proto name with something in front', 'AgentCard', { x_default_input_modes: [] }, false],
    ['a proto name of traffic', 'Message', { message_id: 'm-1' }, true],
    ['an enum by its number', 'TaskStatus', { state: 3 }, true],
    ['an enum by a number that no name has', 'TaskStatus', { state: 2147483647 }, true],
    ['an enum by more than 32 bits', 'TaskStatus', { state: 2147483648 }, false],
    ['the UNSPECIFIED name', 'TaskStatus', { state: 'TASK_STATE_UNSPECIFIED' }, true],
    ['a name that the enum does not have', 'TaskStatus', { state: 'completed' }, false],
    ['a part with two contents', 'Part', { text: 'a', url: 'https://a.example' }, true],
    ['a part without content', 'Part', {}, true],
    ['an answer with neither task nor message', 'SendMessageResponse', {}, true],
    ['an unknown key', 'Task', { extra: 1 }, false],
    ['an unknown key deep inside', 'Task', { status: { extra: 1 } }, false],
    ['any key in metadata', 'Task', { metadata: { extra: 1 } }, true],
    ['null in a field', 'Task', { id: null }, false],
    ['standard base64', 'Part', { raw: '+/8=' }, true],
    ['base64url', 'Part', { raw: '-_8' }, false],
    ['a number as text', 'GetTaskRequest', { historyLength: '10' }, true],
    ['a date alone', 'TaskStatus', { timestamp: '2026-01-31' }, false],
  ])('%s', (_name, definition, value, want) => {
    expect(passes(definition, value)).toBe(want);
  });

  it('every object but the free ones is closed', () => {
    const open = Object.entries(bundle.$defs).filter(
      ([, schema]) => schema.type === 'object' && schema.additionalProperties !== false,
    );
    expect(open.map(([name]) => name)).toEqual(['Struct']);
  });

  it('every proto name that differs is accepted where its field is', () => {
    for (const [name, fields] of Object.entries(model.messages)) {
      const patterns = Object.keys((bundle.$defs[name]?.patternProperties ?? {}) as object).sort();
      const aliases = fields.flatMap(({ protoName }) => (protoName === undefined ? [] : [`^(${protoName})$`]));
      expect(patterns).toEqual(aliases.sort());
    }
  });
});
