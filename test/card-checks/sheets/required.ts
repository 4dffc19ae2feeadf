import type { CheckId } from '../../../src/index.ts';
import { type Json, soundCard, soundSkill, withSkill } from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, type Shown, softer } from '../row.ts';

type Severities = { readonly strict: Shown; readonly interop: Shown };

const UNSET_TEXTS: Readonly<Record<string, unknown>> = { missing: undefined, null: null, empty: '', blank: ' \t\n' };
const UNSET_LISTS: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  empty: [],
  'only blank texts': [''],
};

function ofCard(
  field: string,
  id: CheckId,
  values: Readonly<Record<string, unknown>>,
  severities: Severities = softer,
): FailingRow[] {
  return Object.entries(values).map(([state, value]) => ({
    name: `${field}: ${state}`,
    input: soundCard({ [field]: value }),
    want: { id, path: `/${field}`, keyword: 'required', ...severities },
  }));
}

function ofSkill(field: string, id: CheckId, values: Readonly<Record<string, unknown>>): FailingRow[] {
  return Object.entries(values).map(([state, value]) => ({
    name: `${field}: ${state}`,
    input: soundCard({ skills: [soundSkill({ id: 'book' }), soundSkill({ [field]: value })] }),
    want: { id, path: `/skills/1/${field}`, keyword: 'required', ...softer },
  }));
}

const { 'only blank texts': _blank, ...UNSET_OBJECT_LISTS } = UNSET_LISTS;
const { empty: _empty, ...UNSET_OBJECTS } = UNSET_OBJECT_LISTS;

/** What has the wrong type is schema-type alone. */
const wrongTypeAlone = (not: CheckId, overrides: Json): NearMiss => ({
  name: 'a value of the wrong type is schema-type alone',
  input: soundCard(overrides),
  want: { not, also: ['schema-type'] },
});

const ofProtoName = (not: CheckId, from: string, to: string, value: unknown): NearMiss => ({
  name: 'the field is read under its proto name',
  input: soundCard({ [from]: undefined, [to]: value }),
  want: { not, also: ['camel-case'] },
});

export const REQUIRED: Sheet = {
  family: 'what 1.0 requires is there',
  fails: [
    ...ofCard('name', 'required-name', UNSET_TEXTS),
    ...ofCard('description', 'required-description', UNSET_TEXTS),
    ...ofCard('version', 'required-version', UNSET_TEXTS),
    ...ofCard('capabilities', 'required-capabilities', UNSET_OBJECTS),
    ...ofCard('defaultInputModes', 'required-defaultInputModes', UNSET_LISTS),
    ...ofCard('defaultOutputModes', 'required-defaultOutputModes', UNSET_LISTS),
    ...ofCard('supportedInterfaces', 'required-supportedInterfaces', UNSET_OBJECT_LISTS, error),
    ...ofCard('skills', 'skills-nonempty', UNSET_OBJECT_LISTS),
    ...ofSkill('id', 'skills-id-nonempty', UNSET_TEXTS),
    ...ofSkill('name', 'skills-name-nonempty', UNSET_TEXTS),
    ...ofSkill('description', 'skills-description-nonempty', UNSET_TEXTS),
    ...ofSkill('tags', 'skills-tags-nonempty', UNSET_LISTS),
    {
      name: 'two skills with the same id',
      input: soundCard({ skills: [soundSkill(), soundSkill({ id: 'book' }), soundSkill()] }),
      want: { id: 'skills-id-unique', path: '/skills/2/id', ...softer },
    },
    {
      name: 'ids that differ by white space only',
      input: soundCard({ skills: [soundSkill(), soundSkill({ id: ' track ' })] }),
      want: { id: 'skills-id-unique', path: '/skills/1/id', ...softer },
    },
    ...['inputSchema', 'input_schema', 'parameters'].map(
      (key): FailingRow => ({
        name: `${key} is the shape of an MCP tool`,
        input: withSkill({ [key]: { type: 'object' } }),
        want: { id: 'no-skill-inputSchema', path: `/skills/0/${key}`, ...softer, also: ['schema-unknown-key'] },
      }),
    ),
    {
      name: 'an inputSchema that is null',
      input: withSkill({ inputSchema: null }),
      want: { id: 'no-skill-inputSchema', path: '/skills/0/inputSchema', ...softer, also: ['schema-unknown-key'] },
    },
  ],
  passes: [
    { name: 'a name of one letter', input: soundCard({ name: 'P' }), want: { not: 'required-name' } },
    wrongTypeAlone('required-name', { name: false }),
    {
      name: 'a short description is another check',
      input: soundCard({ description: 'Parcels' }),
      want: { not: 'required-description', also: ['description-length'] },
    },
    wrongTypeAlone('required-description', { description: {} }),
    { name: 'any text is a version', input: soundCard({ version: '2026-01' }), want: { not: 'required-version' } },
    wrongTypeAlone('required-version', { version: 0 }),
    {
      name: 'an empty capabilities object',
      input: soundCard({ capabilities: {} }),
      want: { not: 'required-capabilities' },
    },
    wrongTypeAlone('required-capabilities', { capabilities: '' }),
    {
      name: 'one mode',
      input: soundCard({ defaultInputModes: ['text/plain'] }),
      want: { not: 'required-defaultInputModes' },
    },
    wrongTypeAlone('required-defaultInputModes', { defaultInputModes: {} }),
    ofProtoName('required-defaultInputModes', 'defaultInputModes', 'default_input_modes', ['text/plain']),
    wrongTypeAlone('required-defaultOutputModes', { defaultOutputModes: '' }),
    ofProtoName('required-defaultOutputModes', 'defaultOutputModes', 'default_output_modes', ['text/plain']),
    wrongTypeAlone('required-supportedInterfaces', { supportedInterfaces: '' }),
    ofProtoName(
      'required-supportedInterfaces',
      'supportedInterfaces',
      'supported_interfaces',
      soundCard().supportedInterfaces,
    ),
    wrongTypeAlone('skills-nonempty', { skills: '' }),
    wrongTypeAlone('skills-id-nonempty', { skills: [soundSkill({ id: 0 })] }),
    wrongTypeAlone('skills-name-nonempty', { skills: [soundSkill({ name: [] })] }),
    wrongTypeAlone('skills-description-nonempty', { skills: [soundSkill({ description: 0 })] }),
    wrongTypeAlone('skills-tags-nonempty', { skills: [soundSkill({ tags: '' })] }),
    {
      name: 'a list of which one tag is set',
      input: withSkill({ tags: ['', 'parcel'] }),
      want: { not: 'skills-tags-nonempty' },
    },
    {
      name: 'ids that differ by case',
      input: soundCard({ skills: [soundSkill(), soundSkill({ id: 'Track' })] }),
      want: { not: 'skills-id-unique' },
    },
    {
      name: 'two skills without an id',
      input: soundCard({ skills: [soundSkill({ id: '' }), soundSkill({ id: '' })] }),
      want: { not: 'skills-id-unique', also: ['skills-id-nonempty'] },
    },
    {
      name: 'ids that are names of the language',
      input: soundCard({ skills: [soundSkill({ id: 'constructor' }), soundSkill({ id: '__proto__' })] }),
      want: { not: 'skills-id-unique' },
    },
    {
      name: 'the modes of a skill',
      input: withSkill({ inputModes: ['text/plain'], outputModes: ['text/plain'] }),
      want: { not: 'no-skill-inputSchema' },
    },
    {
      name: 'a schema in the params of an extension',
      input: soundCard({
        capabilities: {
          extensions: [{ uri: 'https://parcels.example.com/x', params: { inputSchema: {}, parameters: {} } }],
        },
      }),
      want: { not: 'no-skill-inputSchema' },
    },
  ],
};
