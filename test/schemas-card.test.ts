import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../src/index.ts';
import { readBundleErrors } from '../src/schema/bundle.ts';
import { validateCard } from '../src/schema/generated/card-1.0.ts';
import { MAX_FINDINGS } from '../src/ticket.ts';
import { type Json, soundCard } from './support/cards.ts';
import { changedCard } from './support/hostile-values.ts';
import { mutated, sound, TRAFFIC } from './support/payloads.ts';
import { runs } from './support/runs.ts';
import { compileAt, fixtureCards, namedBundle, titledBundle } from './support/schemas.ts';

const TASK = { id: 't-1', status: { state: 'TASK_STATE_WORKING' } };
const atRunTime = compileAt('AgentCard');

const places = (errors: Parameters<typeof readBundleErrors>[0]) =>
  readBundleErrors(errors).map(({ path, keyword }) => `${keyword} ${path}`);

function expectAgreement(card: unknown): void {
  const standalone = validateCard(card) ? [] : places(validateCard.errors);
  const compiled = atRunTime(card) ? [] : places(atRunTime.errors as Parameters<typeof places>[0]);
  expect(standalone).toEqual(compiled);
}

describe('the validator that was built agrees with Ajv at run time', () => {
  it.each(fixtureCards.map(({ file, card }) => [file, card] as const))('%s', (_file, card) => expectAgreement(card));

  it('on cards with changes', () => fc.assert(fc.property(changedCard, expectAgreement), runs(200)));

  it('on cards that are made from the field table', () => {
    fc.assert(
      fc.property(sound('AgentCard'), (card) => {
        expectAgreement(card);
        expect(validateCard(card)).toBe(true);
      }),
      runs(200),
    );
  });

  it('on anything', () => fc.assert(fc.property(fc.jsonValue(), expectAgreement), runs(200)));
});

describe("a bundle of the user's own has the verdicts of the pinned one", () => {
  const layouts = { '$defs by name': namedBundle(), 'definitions by spaced title': titledBundle() };

  for (const [layout, bundle] of Object.entries(layouts)) {
    const pinned = createGuard();
    const own = createGuard({ bundle });

    it.each(fixtureCards.map(({ file, text }) => [file, text] as const))(`${layout}: %s`, (_file, text) => {
      const { schema: _own, ...report } = own.checkCard(text);
      const { schema: _pinned, ...expected } = pinned.checkCard(text);
      expect(report).toEqual(expected);
    });

    it(`${layout}: cards with changes`, () => {
      fc.assert(
        fc.property(changedCard, (card) => {
          const { schema: _own, ...report } = own.checkCard(card);
          const { schema: _pinned, ...expected } = pinned.checkCard(card);
          expect(report).toEqual(expected);
        }),
        runs(200),
      );
    });

    it(`${layout}: the report says which bundle it was`, () => {
      const { schema } = own.checkCard(soundCard());
      expect(schema).toMatchObject({
        pointer: '#/$defs/AgentCard',
        normative: false,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(schema.sha256).not.toBe(pinned.checkCard({}).schema.sha256);
    });

    it.each([
      ['Task', { id: 't-1', status: { state: 'TASK_STATE_WORKING' } }, true],
      ['Task', { id: 5, status: { state: 'TASK_STATE_WORKING' } }, false],
      ['Task', { id: 't-1' }, false],
      ['Part', { text: 'a', url: 'https://a.example' }, false],
      ['Message', { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a' }], extra: 1 }, false],
    ] as const)(`${layout}: %s is judged by both passes`, (definition, value, want) => {
      const errors = own.check(`#/$defs/${definition}`, value).filter(({ severity }) => severity === 'error');
      expect(errors.length === 0).toBe(want);
    });
  }

  it('a value of traffic has the findings of the pinned bundle', () => {
    const [pinned, own] = [createGuard(), createGuard({ bundle: namedBundle() })];
    const any = fc
      .constantFrom(...TRAFFIC)
      .chain((definition) => fc.tuple(fc.constant(definition), fc.oneof(sound(definition), mutated(definition))));
    const direction = fc.constantFrom<'outgoing' | 'incoming'>('outgoing', 'incoming');
    fc.assert(
      fc.property(any, direction, ([definition, value], way) => {
        const [expected, findings] = [pinned, own].map((guard) =>
          guard
            .check(`#/$defs/${definition}`, value, { direction: way })
            .map(({ severity, id, path }) => `${severity} ${id} ${path}`)
            .sort(),
        );
        // Lists that were cut end at different places.
        const isWhole = (expected?.length ?? 0) < MAX_FINDINGS;
        const hasError = (lines?: string[]): boolean | undefined => lines?.some((line) => line.startsWith('error '));
        expect(hasError(findings)).toBe(hasError(expected));
        if (isWhole) expect(findings).toEqual(expected);
      }),
      runs(1000),
    );
  });

  it.each<[string, string, unknown, 'outgoing' | 'incoming', string[]]>([
    ['a proto name', 'Task', { ...TASK, context_id: 'c-1' }, 'outgoing', ['error value-unknown-key /context_id']],
    [
      'what is below a proto name',
      'SendMessageConfiguration',
      { task_push_notification_config: { url: 5, kind: null } },
      'incoming',
      ['warn value-unknown-key /task_push_notification_config'],
    ],
    ['an extra key that is null', 'Task', { ...TASK, mood: null }, 'outgoing', ['error value-unknown-key /mood']],
    ['base64url', 'Part', { raw: '-_-_' }, 'incoming', []],
    [
      'a number that is none',
      'GetTaskRequest',
      { id: 't', historyLength: true },
      'outgoing',
      ['error value-type /historyLength'],
    ],
    ['null in an optional field', 'Task', { ...TASK, metadata: null }, 'incoming', ['warn value-type /metadata']],
    [
      'a time with an offset',
      'TaskStatus',
      { ...TASK.status, timestamp: '2026-01-31T12:00:00+01:00' },
      'incoming',
      ['warn value-format /timestamp'],
    ],
  ])('the rules of traffic hold under a bundle of the user: %s', (_name, definition, value, direction, want) => {
    const findings = createGuard({ bundle: namedBundle() }).check(`#/$defs/${definition}`, value, { direction });
    expect(findings.map(({ severity, id, path }) => `${severity} ${id} ${path}`)).toEqual(want);
  });

  it('a definition that only the own bundle has can be named', () => {
    const guard = createGuard({ bundle: { $defs: { ...(namedBundle().$defs as Json), Note: { type: 'string' } } } });
    expect(guard.check('#/$defs/Note', 5)).toMatchObject([{ severity: 'error', keyword: 'type' }]);
    expect(() => guard.check('#/$defs/Nota', 'x')).toThrow('#/$defs/Note');
  });

  it('a later change of the bundle changes nothing', () => {
    const bundle = namedBundle() as { $defs: Json };
    const guard = createGuard({ bundle });
    bundle.$defs.AgentCard = { type: 'string' };
    delete bundle.$defs.Task;
    expect(guard.checkCard(soundCard()).ok).toBe(true);
    expect(guard.check('#/$defs/Task', { id: 't', status: { state: 'TASK_STATE_WORKING' } })).toEqual([]);
  });
});

describe('what is no bundle is a TypeError that names the option', () => {
  const { AgentCard: _card, ...others } = namedBundle().$defs as Json;
  const withCard = (card: unknown): object => ({ $defs: { ...others, AgentCard: card } });

  it.each<[string, unknown]>([
    ['a text', '{}'],
    ['null', null],
    ['a list', []],
    ['a function', () => ({})],
    ['an empty object', {}],
    ['definitions that are a list', { definitions: [] }],
    ['a bundle without AgentCard', { $defs: others }],
    ['a $ref that names nothing', withCard({ properties: { provider: { $ref: '#/$defs/AgentProvidor' } } })],
    ['a $ref that cannot be decoded', withCard({ properties: { provider: { $ref: '#/$defs/%E0%A4%A' } } })],
    ['an AgentCard that is a text', withCard('object')],
    ['an AgentCard that is no schema', withCard({ type: 'card' })],
    ['another definition that is no schema', { $defs: { ...(namedBundle().$defs as Json), Task: { type: 'task' } } }],
    ['a keyword with a wrong value', withCard({ properties: 5 })],
  ])('%s', (_name, bundle) => {
    const act = () => createGuard({ bundle: bundle as object });
    expect(act).toThrow(TypeError);
    expect(act).toThrow(/bundle/);
  });
});
