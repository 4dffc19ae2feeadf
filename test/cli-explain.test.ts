import { describe, expect, it } from 'vitest';
import { A2A_ERRORS, CHECKS, GUARD_CODES, LAYERS } from '../src/index.ts';
import { SHAPES } from '../src/schema/fields.ts';
import { cli, type Ended } from './support/cli.ts';

const explain = (...words: string[]): Promise<Ended> => cli(['explain', ...words]);

describe('every word of the tables is explained', () => {
  it('checks, with section and severities', async () => {
    for (const { id, section, severity } of CHECKS) {
      const { out } = await explain(id);
      expect(out).toContain(`check       ${id}\nwhat        `);
      for (const part of [section, `strict ${severity.strict}`, `interop ${severity.interop}`]) {
        expect(out).toContain(part);
      }
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });
  it('errors of A2A by name, number and reason', async () => {
    for (const row of A2A_ERRORS) {
      const reasons = 'reason' in row ? [row.reason, row.reason.toLowerCase()] : [];
      for (const word of [row.name, String(row.jsonRpcCode), ...reasons]) {
        const { out } = await explain(word);
        expect(out).toContain(`code        ${row.name}\n`);
        expect(out).toContain(`JSON-RPC    ${row.jsonRpcCode}\n`);
      }
    }
  });
  it('codes of the guard, and layers', async () => {
    for (const code of GUARD_CODES) expect((await explain(code)).out).toContain(`code        ${code}\n`);
    for (const layer of LAYERS) expect((await explain(layer)).out).toContain(`layer       ${layer}\n`);
  });
  it('messages and fields', async () => {
    for (const { name, fields } of SHAPES.messages.values()) {
      expect((await explain(name)).out).toContain(`message     ${name}\n`);
      for (const field of fields.keys()) {
        expect((await explain(`${name}.${field}`)).out).toContain(`field       ${name}.${field}\n`);
      }
    }
  });
  it('and without a word all of it is listed', async () => {
    const { out, status } = await explain();
    expect(status).toBe(0);
    for (const { id } of CHECKS) expect(out).toMatch(new RegExp(`[ \n]${id}[ \n]`));
    for (const name of [...A2A_ERRORS.map((row) => row.name), ...GUARD_CODES]) expect(out).toContain(name);
  });
});

describe('a word means what a person means by it', () => {
  it.each([
    {
      word: 'supportedInterfaces',
      says: ['AgentCard.supportedInterfaces', 'REQUIRED', 'supported_interfaces', 'required-supportedInterfaces'],
    },
    { word: 'AgentSkill.tags', says: ['AgentSkill.tags', 'list of string', 'skills-tags-nonempty', '§4.4.5'] },
    { word: 'skills.tags', says: ['AgentSkill.tags'] },
    { word: '/skills/0/tags', says: ['AgentSkill.tags'] },
    { word: 'skills[].tags', says: ['AgentSkill.tags'] },
    { word: '#/$defs/Part', says: ['message     Part', 'one of content'] },
    { word: 'securitySchemes.mine.httpAuthSecurityScheme.scheme', says: ['HTTPAuthSecurityScheme.scheme'] },
    { word: 'default_input_modes', says: ['AgentCard.defaultInputModes'] },
    { word: 'name', says: ['field       AgentCard.name', 'also', 'AgentSkill.name (field)'] },
    { word: 'preferredTransport', says: ['check       no-preferredTransport'] },
    { word: 'url', says: ['AgentInterface.url', 'no-top-level-url (check)'] },
    { word: 'tenant', says: ['check       tenant', 'also', 'AgentInterface.tenant (field)'] },
    { word: 'TaskStatus.state', says: ['TASK_STATE_COMPLETED'] },
    { word: 'interface-https', says: ['interop entry'] },
    { word: 'value-unknown-key', says: ['in answers warn', 'InvalidAgentResponseError in an answer'] },
    { word: 'UnsupportedOperation', says: ['code        UnsupportedOperationError', 'capability-streaming'] },
  ])('$word', async ({ word, says }) => {
    const { status, out, err } = await explain(word);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    for (const part of says) expect(out).toContain(part);
  });
  it.each([
    { word: 'skill-tags-nonempty', meant: 'skills-tags-nonempty' },
    { word: 'UnsupportedOperatonError', meant: 'UnsupportedOperationError' },
    { word: 'suportedInterfaces', meant: 'supportedInterfaces' },
    { word: '-32099', meant: undefined },
    { word: '\u001b[31m', meant: undefined },
  ])('nothing is known by the name $word', async ({ word, meant }) => {
    const { status, out, err } = await explain(word);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).not.toContain('\u001b');
    if (meant !== undefined) expect(err.replace(/\s+/g, ' ')).toContain(`Did you mean "${meant}"`);
  });
});
