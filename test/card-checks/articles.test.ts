import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CardReport, createGuard } from '../../src/index.ts';
import { PRESETS } from './row.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/articles/${name}`, import.meta.url), 'utf8');
const cardUrl = 'https://invoices.example.com/.well-known/agent-card.json';
const red = (preset: (typeof PRESETS)[number]): CardReport =>
  createGuard({ preset }).checkCard(fixture('red-card.json'), { cardUrl, plan: { streaming: true } });

describe('a 1.0 card with leftovers, a skill without tags and a skill like an MCP tool', () => {
  it.each(PRESETS)('the schema finds the extra keys, and nothing else (%s)', (preset) => {
    const { parse, schemaPass, schemaErrors } = red(preset);
    expect({ parse, schemaPass }).toEqual({ parse: true, schemaPass: false });
    const errors = schemaErrors.map(({ path, keyword }) => ({ path, keyword }));
    expect(errors).toHaveLength(3);
    expect(errors).toEqual(
      expect.arrayContaining(
        ['/url', '/protocolVersion', '/skills/0/inputSchema'].map((path) => ({
          path,
          keyword: 'additionalProperties',
        })),
      ),
    );
  });

  it.each(PRESETS)('the specification finds what the schema cannot say (%s)', (preset) => {
    const failed = red(preset).specChecks.filter((check) => !check.pass);
    expect(failed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'skills-tags-nonempty', path: '/skills/1/tags' }),
        expect.objectContaining({ id: 'no-top-level-url', path: '/url' }),
        expect.objectContaining({ id: 'no-top-level-protocolVersion', path: '/protocolVersion' }),
        expect.objectContaining({ id: 'no-skill-inputSchema', path: '/skills/0/inputSchema' }),
      ]),
    );
    expect(failed).toHaveLength(4);
  });

  it('strict says fix the card', () => expect(red('strict')).toMatchObject({ ok: false, next: 'fix-card' }));

  it('interop reports it and says delegate', () =>
    expect(red('interop')).toMatchObject({ ok: true, next: 'delegate' }));

  it('no agent is made of it in strict, and the ticket names the first layer', async () => {
    await expect(createGuard().agent(fixture('red-card.json'), { cardUrl })).rejects.toMatchObject({
      layer: 'schema',
      code: 'CardSchemaError',
      ticket: { blocked: true, next: 'fix-card', agent: { name: 'Invoice Desk', cardUrl } },
    });
  });
});

describe('the mended twin', () => {
  it.each(PRESETS)('is green in both passes, without a finding (%s)', (preset) => {
    const report = createGuard({ preset }).checkCard(fixture('green-card.json'), {
      cardUrl,
      plan: { streaming: true },
    });
    expect(report).toMatchObject({
      parse: true,
      schemaPass: true,
      schemaErrors: [],
      ok: true,
      next: 'delegate',
      findings: [],
    });
    expect(report.specChecks.every((check) => check.pass)).toBe(true);
  });

  it('an agent is made of it', async () => {
    const agent = await createGuard().agent(fixture('green-card.json'), { cardUrl });
    expect(agent.interface).toEqual({
      index: 0,
      url: 'https://invoices.example.com/a2a',
      binding: 'JSONRPC',
      version: '1.0',
    });
  });
});
