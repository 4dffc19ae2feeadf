import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBundle03 } from '../schemas/build/model-0.3.ts';
import { createGuard, migrateCard, taskPhase, toV1 } from '../src/index.ts';
import { FUSED } from '../src/schema/generated/fused-0.3.ts';
import { isClean } from '../src/traffic/payload.ts';
import { explainPayload } from '../src/traffic/payload-faults.ts';
import { runs } from './support/runs.ts';
import { table03 } from './support/schemas.ts';

const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`fixtures/cards/${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;

const CARD = {
  protocolVersion: '0.3.0',
  name: 'Parcel Desk',
  description: 'Answers questions about parcels and books pick-ups.',
  version: '2.3.0',
  url: 'https://parcels.example.com/a2a',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true, stateTransitionHistory: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'track', name: 'Track', description: 'Tells where a parcel is.', tags: ['parcel'] }],
};

const MESSAGE = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'x' }] };
const TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };

describe('a 0.x card is read as 1.0 only when the options say so', () => {
  it('it is red without legacyCards', () => {
    const report = createGuard().checkCard(CARD);
    expect([report.ok, report.compat]).toEqual([false, undefined]);
  });

  it('with legacyCards it is green, with warnings, and the report says what was done', () => {
    const guard = createGuard({ legacyCards: true, speaks: [{ binding: 'JSONRPC', versions: ['0.3'] }] });
    const report = guard.checkCard(CARD);
    expect({ ok: report.ok, next: report.next, schemaPass: report.schemaPass }).toEqual({
      ok: true,
      next: 'delegate',
      schemaPass: false,
    });
    expect(report.findings.map(({ id, severity }) => `${severity} ${id}`)).toContain('warn legacy-card');
    expect(report.compat?.note).toContain('0.x card');
    expect(report.compat?.moves.map(({ from }) => from)).toEqual(
      expect.arrayContaining(['/url', '/protocolVersion', '/capabilities/stateTransitionHistory']),
    );
    expect(report.interfaces).toMatchObject([{ binding: 'JSONRPC', version: '0.3', chosen: true }]);
  });

  it.each([
    ['no url', { url: undefined }, 'required-supportedInterfaces'],
    ['no tags', { skills: [{ id: 's', name: 's', description: 'd' }] }, 'skills-tags-nonempty'],
    ['http', { url: 'http://parcels.example.com' }, 'interface-https'],
    [
      'a scheme that cannot be read',
      { securitySchemes: { x: { type: 'magic' } }, security: [{ x: [] }] },
      'security-scheme-shape',
    ],
    ['a private address', { url: 'https://10.0.0.1/a2a' }, 'interface-private'],
  ])('what is wrong in either version stays wrong: %s', (_, change, id) => {
    const guard = createGuard({ legacyCards: true });
    const report = guard.checkCard(JSON.stringify({ ...CARD, ...change }), {
      cardUrl: 'https://parcels.example.com/.well-known/agent-card.json',
    });
    expect(report.ok).toBe(false);
    expect(report.findings.filter(({ severity }) => severity === 'error').map((finding) => finding.id)).toContain(id);
  });

  it('a rule can make it red again', () => {
    expect(createGuard({ legacyCards: true, rules: { 'legacy-card': 'error' } }).checkCard(CARD).ok).toBe(false);
  });

  it.each([
    ['security of 0.3', { securitySchemes: { b: { type: 'http', scheme: 'bearer' } }, security: [{ b: [] }] }],
    ['authentication of 0.2', { authentication: { schemes: ['x402'] } }],
    ['security that cannot be read', { security: 'yes' }],
  ])('%s is never read as public', async (_, more) => {
    const guard = createGuard({
      legacyCards: true,
      speaks: [{ binding: 'JSONRPC', versions: ['0.3'] }],
      rules: { 'no-legacy-security': 'warn', 'schema-unknown-key': 'warn', 'no-legacy-authentication': 'warn' },
    });
    const agent = await guard.agent({ ...CARD, ...more });
    expect(agent.admit('GetTask', { id: 't' }).ticket?.code).toBe('CredentialsMissingError');
  });
});

describe('migrating a card', () => {
  const rows: [string, object, object][] = [
    [
      'url, transport and version',
      {},
      { supportedInterfaces: [{ url: CARD.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }] },
    ],
    [
      'additional interfaces, each once',
      {
        additionalInterfaces: [
          { url: CARD.url, transport: 'JSONRPC' },
          { url: 'https://parcels.example.com/rest', transport: 'HTTP+JSON' },
        ],
      },
      {
        supportedInterfaces: [
          { protocolBinding: 'JSONRPC' },
          { url: 'https://parcels.example.com/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
        ],
      },
    ],
    [
      'the flag for the extended card',
      { supportsAuthenticatedExtendedCard: true },
      { capabilities: { streaming: true, extendedAgentCard: true } },
    ],
    [
      'the name of the provider',
      { provider: { name: 'Org', url: 'https://org.example' } },
      { provider: { organization: 'Org', url: 'https://org.example' } },
    ],
    [
      'an API key',
      { securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X' } } },
      { securitySchemes: { k: { apiKeySecurityScheme: { location: 'header', name: 'X' } } } },
    ],
    [
      'requirements',
      { securitySchemes: { b: { type: 'http', scheme: 'bearer' } }, security: [{ b: ['read'] }] },
      { securityRequirements: [{ schemes: { b: { list: ['read'] } } }] },
    ],
    [
      'requirements of a skill',
      { skills: [{ ...CARD.skills[0], security: [{ b: [] }] }] },
      { skills: [{ securityRequirements: [{ schemes: { b: { list: [] } } }] }] },
    ],
    [
      'the first of several flows',
      {
        securitySchemes: {
          o: {
            type: 'oauth2',
            flows: {
              clientCredentials: { tokenUrl: 'https://a', scopes: {} },
              implicit: { authorizationUrl: 'https://a', scopes: {} },
            },
          },
        },
      },
      { securitySchemes: { o: { oauth2SecurityScheme: { flows: { clientCredentials: {} } } } } },
    ],
    [
      'snake_case',
      { preferredTransport: undefined, preferred_transport: 'HTTP+JSON' },
      { supportedInterfaces: [{ protocolBinding: 'HTTP+JSON' }] },
    ],
  ];
  it.each(rows)('moves %s', (_, change, want) => {
    const { card } = migrateCard(JSON.parse(JSON.stringify({ ...CARD, ...change })));
    expect(card).toMatchObject(want);
  });

  it('passes the check where the source had the facts', () => {
    const { card } = migrateCard({
      ...CARD,
      securitySchemes: { b: { type: 'http', scheme: 'bearer' } },
      security: [{ b: [] }],
    });
    const report = createGuard().checkCard(card);
    expect([report.ok, report.schemaPass, report.findings]).toEqual([true, true, []]);
  });

  it('invents nothing: what is not said stays missing and is named', () => {
    const { card, moves } = migrateCard({ name: 'x', url: 'https://x.example', skills: [] });
    expect(card).toEqual({
      name: 'x',
      skills: [],
      supportedInterfaces: [{ url: 'https://x.example', protocolBinding: 'JSONRPC' }],
    });
    expect(moves.filter(({ what }) => what === 'unknown').map(({ from }) => from)).toEqual([
      '/preferredTransport',
      '/protocolVersion',
    ]);
  });

  it('says what it dropped', () => {
    const { moves } = migrateCard({ ...CARD, docUrl: 'https://d.example' });
    expect(moves).toContainEqual({ what: 'dropped', from: '/docUrl', note: '1.0 has no place for it' });
  });

  it('leaves a 1.0 card as it is', () => {
    const card = fixture('31-personal-site-clean-10.json');
    expect(migrateCard(card)).toEqual({ card, moves: [] });
  });

  it('changes nothing in the card that it is given, whatever that is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(CARD), 'security', 'securitySchemes', 'x', '__proto__'),
          fc.jsonValue(),
        ),
        (card) => {
          const before = JSON.stringify(card);
          migrateCard(card as Record<string, unknown>);
          expect(JSON.stringify(card)).toBe(before);
        },
      ),
      runs(200),
    );
  });
});

describe('values of 0.3', () => {
  it('become those of 1.0', () => {
    const file = { kind: 'file', file: { uri: 'https://f.example/a', name: 'a', mimeType: 'image/png' } };
    expect(
      toV1({
        ...TASK,
        status: { state: 'input-required', message: { ...MESSAGE, parts: [file, { kind: 'data', data: { a: 1 } }] } },
      }),
    ).toEqual({
      id: 't',
      contextId: 'c',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          messageId: 'm',
          role: 'ROLE_AGENT',
          parts: [{ url: 'https://f.example/a', filename: 'a', mediaType: 'image/png' }, { data: { a: 1 } }],
        },
      },
    });
    expect(createGuard().check('#/$defs/Message', toV1({ ...MESSAGE, role: 'user' }))).toEqual([]);
    expect(
      toV1({ kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'unknown' }, final: true }),
    ).toEqual({
      taskId: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_UNSPECIFIED' },
    });
    expect(
      toV1({
        kind: 'artifact-update',
        taskId: 't',
        contextId: 'c',
        artifact: { artifactId: 'a', parts: [] },
        append: true,
      }),
    ).toEqual({
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [] },
      append: true,
    });
  });

  it('of 1.0, and what is neither, pass unchanged', () => {
    for (const value of [{ id: 't' }, null, 5, 'x', [], { kind: 'constructor' }]) expect(toV1(value)).toBe(value);
  });

  it('have a phase', () => {
    expect(
      [
        'submitted',
        'working',
        'input-required',
        'auth-required',
        'completed',
        'failed',
        'canceled',
        'rejected',
        'unknown',
      ].map((state) => taskPhase({ status: { state } })),
    ).toEqual([
      'active',
      'active',
      'interrupted',
      'interrupted',
      'succeeded',
      'failed',
      'canceled',
      'rejected',
      'unknown',
    ]);
  });

  it.each([
    ['an unknown definition', '#/$defs/SendMessageRequest', {}, null],
    ['a missing kind', '#/$defs/Part', { text: 'x' }, '/kind'],
    ['another kind', '#/$defs/Task', { ...TASK, kind: 'message' }, '/kind'],
    ['a state of 1.0', '#/$defs/TaskStatus', { state: 'TASK_STATE_COMPLETED' }, '/state'],
    ['a file without a content', '#/$defs/FilePart', { kind: 'file', file: {} }, '/file'],
    [
      'a file with a uri, and no bytes',
      '#/$defs/FilePart',
      { kind: 'file', file: { bytes: null, uri: 'u' }, metadata: null },
      undefined,
    ],
    ['an extra member, which 0.3 allows', '#/$defs/Task', { ...TASK, mood: 1 }, undefined],
    ['an empty text', '#/$defs/Part', { kind: 'text', text: '' }, undefined],
  ])('%s', (_, pointer, value, path) => {
    const judge = () => createGuard().check(pointer, value, { version: '0.3' });
    if (path === null) expect(judge).toThrow(TypeError);
    else expect(judge()[0]?.path).toBe(path);
  });
});

describe('the two ways of judging 0.3 agree with each other and with the bundle', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
  ajv.addSchema({ ...makeBundle03(table03), $id: 'bundle' });
  const values = fc.letrec((tie) => ({
    part: fc.oneof(
      fc.record(
        {
          kind: fc.constantFrom('text', 'data', 'file', 'x'),
          text: fc.string(),
          data: fc.constantFrom({}, [], 'x'),
          file: fc.constantFrom({ bytes: '' }, { uri: 'u' }, {}),
        },
        { requiredKeys: [] },
      ),
    ),
    message: fc.record(
      {
        kind: fc.constantFrom('message', 'task'),
        messageId: fc.constantFrom('m', 1),
        role: fc.constantFrom('user', 'agent', 'ROLE_USER'),
        parts: fc.array(tie('part'), { maxLength: 2 }),
        x: fc.jsonValue(),
      },
      { requiredKeys: ['role'] },
    ),
    task: fc.record(
      {
        kind: fc.constantFrom('task', 'Task'),
        id: fc.constant('t'),
        contextId: fc.constantFrom('c', 7),
        status: fc.record({ state: fc.constantFrom('working', 'done'), message: tie('message') }, { requiredKeys: [] }),
        history: fc.array(tie('message'), { maxLength: 1 }),
      },
      { requiredKeys: ['id'] },
    ),
    any: fc.oneof(tie('message'), tie('task'), fc.jsonValue()),
  }));
  const broken = (definition: string, value: unknown): boolean =>
    explainPayload(definition, value, {
      version: '0.3',
      direction: 'incoming',
      depth: 64,
      grade: (fault) => fault.severity ?? 'error',
    }).length > 0;

  it.each(Object.keys(FUSED))('%s', (definition) => {
    fc.assert(
      fc.property(values.any, (value) => {
        expect(isClean('0.3', definition, value, 64)).toBe(!broken(definition, value));
      }),
      runs(200),
    );
  });

  it.each(['Task', 'Message', 'Part'])('what is clean as a %s is valid in the bundle', (definition) => {
    const validate = ajv.getSchema(`bundle#/$defs/${definition}`);
    fc.assert(
      fc.property(values.any, (value) => {
        if (isClean('0.3', definition, value, 64)) expect(validate?.(value)).toBe(true);
      }),
      runs(300),
    );
  });
});
