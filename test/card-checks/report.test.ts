import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHECKS, createGuard } from '../../src/index.ts';
import { CARD_URL, soundCard, soundInterface, soundText, withSkill } from '../support/cards.ts';
import { PRESETS } from './row.ts';
import { WRONG_DOCUMENTS } from './sheets/documents.ts';
import { SHEETS } from './sheets/index.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const bundle = readFileSync(new URL('../../schemas/a2a-1.0.json', import.meta.url), 'utf8');
const SPEC_IDS = CHECKS.filter((check) => check.layer === 'spec').map((check) => check.id);

const HEAD = {
  kind: 'card-validation-report',
  note: expect.stringContaining('non-normative'),
  schema: { bundle: 'a2a-1.0.json', pointer: '#/$defs/AgentCard', normative: false, sha256: sha256(bundle) },
};
const NO_PLAN = { clientWillStream: false, clientWillPush: false, clientWillExtend: false };

describe('the report of a card, field for field', () => {
  it('a sound card', () => {
    const text = JSON.stringify(soundCard());
    expect(createGuard().checkCard(text, { cardUrl: `${CARD_URL}?token=s#x` })).toEqual({
      ...HEAD,
      target: CARD_URL,
      parse: true,
      schemaPass: true,
      schemaErrors: [],
      specChecks: SPEC_IDS.map((id) => ({ id, pass: true })),
      capability: { streaming: true, pushNotifications: false, extendedAgentCard: false, ...NO_PLAN, ok: true },
      next: 'delegate',
      ok: true,
      findings: [],
      card: { name: 'Parcel Desk', version: '2.3.0', sha256: sha256(text) },
      interfaces: [
        {
          index: 0,
          url: 'https://parcels.example.com/a2a',
          binding: 'JSONRPC',
          version: '1.0',
          chosen: true,
          why: expect.stringMatching(/./),
        },
      ],
    });
  });

  it('a card with a fault of each pass', () => {
    const report = createGuard().checkCard(withSkill({ tags: [], price: 1 }), { target: 'the parcel agent' });
    expect(report).toMatchObject({
      target: 'the parcel agent',
      parse: true,
      schemaPass: false,
      ok: false,
      next: 'fix-card',
    });
    expect(report.schemaErrors).toEqual([
      { path: '/skills/0/price', keyword: 'additionalProperties', message: expect.any(String) },
    ]);
    const place = { path: '/skills/0/tags', message: expect.any(String), hint: expect.any(String) };
    expect(report.specChecks.filter((check) => !check.pass)).toEqual([
      { id: 'skills-tags-nonempty', pass: false, severity: 'error', ...place },
    ]);
    expect(report.findings).toEqual([
      {
        id: 'schema-unknown-key',
        layer: 'schema',
        severity: 'error',
        path: '/skills/0/price',
        keyword: 'additionalProperties',
        message: expect.any(String),
        hint: expect.any(String),
        spec: '§4.4.1',
      },
      {
        id: 'skills-tags-nonempty',
        layer: 'spec',
        severity: 'error',
        keyword: 'required',
        spec: '§4.4.5',
        ...place,
      },
    ]);
  });

  it('what cannot be read has no card and no facts', () => {
    expect(createGuard().checkCard('<html>')).toEqual({
      ...HEAD,
      target: 'inline card',
      parse: false,
      schemaPass: false,
      schemaErrors: [],
      specChecks: [],
      capability: { streaming: false, pushNotifications: false, extendedAgentCard: false, ...NO_PLAN, ok: true },
      next: 'fix-card',
      ok: false,
      findings: [expect.objectContaining({ id: 'wrong-document', layer: 'parse', severity: 'error', path: '' })],
    });
  });

  it.each([
    [
      'https://user:pass-word@parcels.example.com:8443/card.json?token=s#x',
      'https://parcels.example.com:8443/card.json',
    ],
    ['file:///srv/agent-card.json', 'file:///srv/agent-card.json'],
  ])('a card from %s is called %s', (cardUrl, target) => {
    expect(createGuard().checkCard(soundCard(), { cardUrl }).target).toBe(target);
  });

  it('a report is plain JSON', () => {
    const report = createGuard().checkCard(withSkill({ tags: [] }), { cardUrl: CARD_URL });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('the same card as text, bytes and object has the same report', () => {
    const card = withSkill({ tags: [], price: 1 });
    const text = JSON.stringify(card);
    const guard = createGuard();
    expect(guard.checkCard(new TextEncoder().encode(text))).toEqual(guard.checkCard(text));
    expect(guard.checkCard(card)).toEqual(guard.checkCard(text));
  });
});

describe('facts and gate are two things', () => {
  for (const { family, fails } of SHEETS) {
    it(`${family}: the facts of both passes are the same in both presets`, () => {
      for (const { name, input, options, cardUrl = CARD_URL } of fails) {
        const [strict, interop] = PRESETS.map((preset) => {
          const report = createGuard({ ...options, preset }).checkCard(input, cardUrl === null ? {} : { cardUrl });
          const { parse, schemaPass, schemaErrors, capability } = report;
          const specChecks = report.specChecks.map(({ severity: _severity, ...fact }) => fact);
          return { name, parse, schemaPass, schemaErrors, capability, specChecks };
        });
        expect(interop).toEqual(strict);
      }
    });
  }

  it('rules change no fact', () => {
    const card = withSkill({ tags: [], price: 1 });
    const facts = (rules: Record<string, 'off'>) => {
      const { schemaPass, schemaErrors, specChecks } = createGuard({ rules }).checkCard(card);
      return { schemaPass, schemaErrors, pass: specChecks.map(({ id, pass }) => ({ id, pass })) };
    };
    expect(facts({ 'skills-tags-nonempty': 'off', 'schema-unknown-key': 'off' })).toEqual(facts({}));
  });

  it('a card that is green in one pass only is red in strict', () => {
    const schemaOnly = createGuard().checkCard(withSkill({ tags: [] }));
    const specOnly = createGuard().checkCard(soundCard({ author: 'me' }));
    expect(schemaOnly).toMatchObject({ schemaPass: true, ok: false });
    expect(specOnly).toMatchObject({ schemaPass: false, ok: false });
    expect(specOnly.specChecks.every((check) => check.pass)).toBe(true);
  });

  it('{} passes no gate', () => {
    for (const preset of PRESETS) {
      const report = createGuard({ preset }).checkCard({});
      expect(report).toMatchObject({ parse: false, schemaPass: false, ok: false, next: 'fix-card' });
    }
  });

  it('every finding stands after those of the layers before it', () => {
    const text = `\ufeff${soundText('"version"', '"url":"x","password":"correct-horse","version"')}`;
    const { findings } = createGuard().checkCard(text);
    expect([...new Set(findings.map((finding) => finding.layer))]).toEqual(['parse', 'schema', 'spec', 'trust']);
  });

  it('on a 0.x card legacy-card leads', () => {
    const card = soundCard({ supportedInterfaces: undefined, url: 'https://parcels.example.com/a2a', x: 1, name: '' });
    expect(createGuard().checkCard(card).findings[0]).toMatchObject({ id: 'legacy-card', path: '' });
  });
});

describe('a card of both shapes', () => {
  const hybrid = soundCard({
    url: 'https://parcels.example.com/a2a',
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3.0',
    supportedInterfaces: [soundInterface()],
  });

  it('is red in strict by its leftovers', () => {
    const { ok, findings } = createGuard().checkCard(hybrid, { cardUrl: CARD_URL });
    expect(ok).toBe(false);
    expect(findings.filter((finding) => finding.layer === 'spec').map((finding) => finding.id)).toEqual([
      'no-top-level-url',
      'no-top-level-protocolVersion',
      'no-preferredTransport',
    ]);
  });

  it('is usable in interop', async () => {
    const guard = createGuard({ preset: 'interop' });
    expect(guard.checkCard(hybrid, { cardUrl: CARD_URL })).toMatchObject({ ok: true, next: 'delegate' });
    expect((await guard.agent(hybrid)).interface.index).toBe(0);
  });

  it('each leftover is told its 1.0 place', () => {
    const { findings } = createGuard().checkCard(hybrid);
    const hints = new Map(findings.map((finding) => [finding.id, `${finding.message} ${finding.hint}`]));
    expect(hints.get('no-top-level-url')).toContain('supportedInterfaces[0].url');
    expect(hints.get('no-top-level-protocolVersion')).toContain('supportedInterfaces[].protocolVersion');
  });
});

describe('one wrong document is one finding', () => {
  it.each(WRONG_DOCUMENTS.fails.map((row) => [row.name, row.input] as const))('%s', (_name, input) => {
    const { findings } = createGuard().checkCard(input);
    expect(findings.filter((finding) => finding.severity === 'error')).toHaveLength(1);
  });

  it.each([
    ['a Task', { id: 't-1', status: { state: 'TASK_STATE_WORKING' } }, '#/$defs/Task'],
    ['a Message', { role: 'ROLE_AGENT', parts: [], messageId: 'm-1' }, '#/$defs/Message'],
  ])('%s is told its own pointer', (_name, input, pointer) => {
    expect(createGuard().checkCard(input).findings[0]?.message).toContain(pointer);
  });

  it.each([
    ['HTML', '<!doctype html>', /HTML/],
    ['SKILL.md', '---\nname: a\ndescription: b\n---\n', /SKILL\.md/],
    ['MCP tools/list', { tools: [] }, /MCP tools\/list/],
    ['OpenAPI', { openapi: '3.1.0' }, /OpenAPI/],
    ['a registry entry', { host: 'a.example.com' }, /NO_SPEC/],
  ])('%s is called by its name', (_name, input, words) => {
    expect(createGuard().checkCard(input).findings[0]?.message).toMatch(words);
  });
});
