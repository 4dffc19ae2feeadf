import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, type Finding } from '../../src/index.ts';
import type { ProtocolVersion } from '../../src/schema/fields.ts';
import { FUSED as FUSED_03 } from '../../src/schema/generated/fused-0.3.ts';
import { FUSED } from '../../src/schema/generated/fused-1.0.ts';
import { isTimestamp, readTimestamp } from '../../src/schema/scalars.ts';
import { isClean } from '../../src/traffic/payload.ts';
import { type Direction, explainPayload } from '../../src/traffic/payload-faults.ts';
import type { Json } from '../support/cards.ts';
import { expectCleanPrototypes } from '../support/hostile-values.ts';
import { changed } from '../support/mutate.ts';
import { mutated, sound, TRAFFIC, TRAFFIC_03 } from '../support/payloads.ts';
import { runs } from '../support/runs.ts';

const guard = createGuard();
const DEPTH = 63;

/** What the slow path says, with the severities that the guard would give. */
function explain(
  version: ProtocolVersion,
  definition: string,
  value: unknown,
  direction: Direction = 'incoming',
  depth: number = DEPTH,
): Finding[] {
  return explainPayload(definition, value, {
    version,
    direction,
    depth,
    grade: ({ severity }) => severity ?? 'error',
  });
}

const errorsOf = (findings: readonly Finding[]): string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ id, path }) => `${id} ${path}`);

/** Two values in one: both members of what is an alternative. */
const both = (definition: string, version: ProtocolVersion): fc.Arbitrary<Json> =>
  fc.tuple(sound(definition, version), sound(definition, version)).map(([one, other]) => ({ ...one, ...other }));

afterEach(expectCleanPrototypes);

describe.each([
  ['1.0', TRAFFIC, FUSED],
  ['0.3', TRAFFIC_03, FUSED_03],
] as const)('the fused yes or no of %s is that of the findings', (version, definitions, fused) => {
  it('every definition of traffic has a fused validator, and no other', () => {
    expect(Object.keys(fused).sort()).toEqual([...definitions].sort());
  });

  it.each(definitions)('a sound %s is clean', (definition) => {
    fc.assert(
      fc.property(sound(definition, version), (value) => {
        expect(explain(version, definition, value)).toEqual([]);
        expect(isClean(version, definition, value, DEPTH)).toBe(true);
      }),
      runs(25),
    );
  });

  it.each(definitions)('%s: clean is clean in both directions, and anything else has a finding', (definition) => {
    const value = fc.oneof(
      { weight: 6, arbitrary: mutated(definition, version) },
      { weight: 1, arbitrary: fc.constantFrom(...definitions).chain((other) => sound(other, version)) },
      { weight: 2, arbitrary: changed(both(definition, version)) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    );
    fc.assert(
      fc.property(value, (given) => {
        const [incoming, outgoing] = [
          explain(version, definition, given),
          explain(version, definition, given, 'outgoing'),
        ];
        const clean = isClean(version, definition, given, DEPTH);
        expect(clean).toBe(incoming.length === 0);
        if (clean) expect(outgoing).toEqual([]);
      }),
      runs(90),
    );
  });

  it.each(definitions)('%s: what is an error coming in is one going out', (definition) => {
    fc.assert(
      fc.property(mutated(definition, version), (value) => {
        const [incoming, outgoing] = (['incoming', 'outgoing'] as const).map((direction) =>
          guard.check(`#/$defs/${definition}`, value, { version, direction }),
        );
        const [coming, going] = [errorsOf(incoming ?? []), errorsOf(outgoing ?? [])];
        // A list that was cut at its bound may have left some out.
        if (going.length < 20) expect(going).toEqual(expect.arrayContaining(coming));
        expect(going.length > 0 || coming.length === 0).toBe(true);
      }),
      runs(50),
    );
  });

  it('whatever the limit of depth', () => {
    const value = fc.constantFrom(...definitions).chain((name) => fc.tuple(fc.constant(name), sound(name, version)));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 12 }), ([definition, given], depth) => {
        const slow = explain(version, definition, given, 'incoming', depth);
        expect(isClean(version, definition, given, depth)).toBe(slow.length === 0);
      }),
      runs(400),
    );
  });
});

it('a proto name never sets its field', () => {
  const value = { message_id: 'm-1', messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'a' }] };
  expect(isClean('1.0', 'Message', value, DEPTH)).toBe(false);
  expect(explain('1.0', 'Message', value).map(({ path }) => path)).toEqual(['/message_id']);
});

/** Numbers of two digits, most of them right in every part of a time, the others at the ends of what may be there. */
const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 13, 23, 24, 28, 29, 30, 31, 32, 59, 60, 99) },
  { weight: 1, arbitrary: fc.nat(99) },
);
const pair = number.map((value) => String(value).padStart(2, '0'));
const TEMPLATES = ['Y1Y2-P3-P4TP5:P6:P7', 'Y1Y2-02-P4TP5:P6:P7', '2026-P3-P4T12:00:00', '2026-01-31TP5:P6:P7'];
const timeLike = fc
  .tuple(
    fc.constantFrom(...TEMPLATES),
    fc.array(pair, { minLength: 7, maxLength: 7 }),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{0,11}$/)),
    fc.constantFrom('Z', 'Z', 'Z', 'z', '', '+00:00', 'Z '),
  )
  .map(([template, pairs, fraction, zone]) => {
    const date = template.replace(/[YP](\d)/g, (_, at: string) => pairs[Number(at) - 1] ?? '');
    return `${date}${fraction}${zone}`;
  });
/** A time with one character in another's place, added or left out. */
const nearlyTime = fc
  .tuple(
    timeLike,
    fc.nat(30),
    fc.oneof(fc.constantFrom('0', '9', '-', ':', '.', 'T', 'Z', ' ', '/', ''), fc.string()),
    fc.nat(2),
  )
  .map(([text, at, put, taken]) => text.slice(0, at) + put + text.slice(at + taken));

describe('a time read character by character', () => {
  it('is one to the fused validators when the expression finds it in UTC', () => {
    const seen = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(fc.oneof(timeLike, nearlyTime), (text) => {
        const expected = readTimestamp(text) === 'utc';
        seen[expected ? 'right' : 'wrong'] += 1;
        expect(isTimestamp(text)).toBe(expected);
      }),
      runs(4000),
    );
    expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(100);
  });

  it.each([
    ['2024-02-29T23:59:59Z', true],
    ['2100-02-29T00:00:00Z', false],
    ['2026-01-31T12:00:00.123456789Z', true],
    ['2026-01-31T12:00:00.1234567890Z', false],
    ['2026-01-31T12:00:00.Z', false],
    ['2026-01-31T12:00:00,1Z', false],
    ['2026-01-31T12:00:00.1', false],
    ['2026-04-31T12:00:00Z', false],
    ['2026-01-31T24:00:00Z', false],
    ['2026-01-31T12:60:00Z', false],
    ['2026-01-31T12:00:60Z', false],
    ['2026-00-31T12:00:00Z', false],
    ['2026-13-31T12:00:00Z', false],
    ['2026-01-00T12:00:00Z', false],
    ['2026-01-31t12:00:00Z', false],
  ])('%s: %s', (text, right) => {
    expect([isTimestamp(text), readTimestamp(text) === 'utc']).toEqual([right, right]);
  });
});
