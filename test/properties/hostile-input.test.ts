import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, type Guard, type GuardOptions } from '../../src/index.ts';
import { definitionsOf } from '../../src/traffic/payload.ts';
import { CARD_URL } from '../support/cards.ts';
import { anyCard, expectCleanPrototypes, realCard, settled } from '../support/hostile-values.ts';
import { brokenBytes } from '../support/json-text.ts';
import { changed } from '../support/mutate.ts';
import { sound, TRAFFIC } from '../support/payloads.ts';
import { runs } from '../support/runs.ts';

const EVERY: GuardOptions = {
  legacyCards: true,
  speaks: [
    { binding: 'JSONRPC', versions: ['1.0', '0.3'] },
    { binding: 'HTTP+JSON', versions: ['1.0', '0.3'] },
  ],
};
const GUARDS: Readonly<Record<string, Guard>> = {
  strict: createGuard(),
  interop: createGuard({ preset: 'interop' }),
  'all that can be spoken': createGuard(EVERY),
  'observe mode': createGuard({ ...EVERY, mode: 'observe' }),
};

afterEach(expectCleanPrototypes);

describe.each(Object.entries(GUARDS))('%s: whatever stands where a card is expected', (_name, guard) => {
  it('is a report', () => {
    fc.assert(
      fc.property(anyCard, fc.constantFrom(undefined, CARD_URL), (input, cardUrl) => {
        const report = guard.checkCard(input, cardUrl === undefined ? {} : { cardUrl });
        expect(report.kind).toBe('card-validation-report');
        expect(report.ok).toBe(!report.findings.some(({ severity }) => severity === 'error'));
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      }),
      runs(200),
    );
  });

  it('is an agent or a GuardError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(realCard, anyCard), async (input) => {
        const agent = await settled(() => guard.agent(input));
        if (agent === undefined) return;
        expect(agent.considered.some(({ chosen }) => chosen)).toBe(true);
        for (const params of [undefined, null, {}, { id: 't' }]) agent.admit('GetTask', params);
      }),
      runs(150),
    );
  });
});

describe('whatever stands where a value is expected', () => {
  const hostile = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.anything({ maxDepth: 3, withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }),
    fc.constantFrom(...TRAFFIC).chain((definition) => changed(sound(definition), 6)),
    brokenBytes(sound('Task')).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );

  it.each(['1.0', '0.3'] as const)('has findings at every pointer of %s', (version) => {
    const pointer = fc.constantFrom(...definitionsOf(version)).map((name) => `#/$defs/${name}`);
    const direction = fc.constantFrom<'outgoing' | 'incoming'>('outgoing', 'incoming');
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(GUARDS)), pointer, hostile, direction, (guard, at, value, way) => {
        for (const { path, message } of guard.check(at, value, { version, direction: way })) {
          expect(path).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/s);
          expect(message).not.toBe('');
        }
      }),
      runs(1500),
    );
  });
});
