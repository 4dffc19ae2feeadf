import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../src/index.ts';
import { FUSED } from '../src/schema/generated/fused-1.0.ts';
import type { Finding, Grade } from '../src/ticket.ts';
import { isClean } from '../src/traffic/payload.ts';
import { type Direction, explainPayload } from '../src/traffic/payload-faults.ts';
import { mutated, sound, TRAFFIC } from './support/payloads.ts';
import { runs } from './support/runs.ts';

const DEPTH = 64;
const grade: Grade = (fault) => fault.severity ?? 'error';

const explain = (definition: string, value: unknown, direction: Direction = 'incoming'): Finding[] =>
  explainPayload(definition, value, { version: '1.0', direction, depth: DEPTH, grade });

/** A path names a member in full, or one with a very long name by its beginning. */
function hasMember(holder: object, name: string): boolean {
  const beginning = name.endsWith('…') ? name.slice(0, -1) : undefined;
  const isCut = (key: string): boolean => beginning !== undefined && key.startsWith(beginning);
  return Object.hasOwn(holder, name) || Object.keys(holder).some(isCut);
}

/** Every object and list in it refuses a change, aloud. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

describe('the fast answer and the slow one agree', () => {
  it('every message of traffic has a fused validator, and no other', () => {
    expect(Object.keys(FUSED).sort()).toEqual([...TRAFFIC].sort());
  });

  it.each(TRAFFIC)('a sound %s is clean in both', (definition) => {
    fc.assert(
      fc.property(sound(definition), (value) => {
        expect(explain(definition, value)).toEqual([]);
        expect(isClean('1.0', definition, value, DEPTH)).toBe(true);
        expect(explain(definition, value, 'outgoing')).toEqual([]);
      }),
      runs(60),
    );
  });

  it.each(TRAFFIC)('a %s with faults is clean in both or in neither', (definition) => {
    fc.assert(
      fc.property(mutated(definition), (value) => {
        expect(isClean('1.0', definition, value, DEPTH)).toBe(explain(definition, value).length === 0);
      }),
      runs(150),
    );
  });

  it.each(TRAFFIC)('any JSON is clean as a %s in both or in neither', (definition) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(isClean('1.0', definition, value, DEPTH)).toBe(explain(definition, value).length === 0);
      }),
      runs(60),
    );
  });

  it('they agree on depth, whatever the limit', () => {
    fc.assert(
      fc.property(sound('SendMessageRequest'), fc.integer({ min: 1, max: 12 }), (value, depth) => {
        const slow = explainPayload('SendMessageRequest', value, {
          version: '1.0',
          direction: 'incoming',
          depth,
          grade,
        });
        expect(isClean('1.0', 'SendMessageRequest', value, depth)).toBe(slow.length === 0);
      }),
      runs(300),
    );
  });

  it('a proto name never sets its field', () => {
    const value = { message_id: 'm-1', messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'a' }] };
    expect(isClean('1.0', 'Message', value, DEPTH)).toBe(false);
    expect(explain('Message', value).map(({ path }) => path)).toEqual(['/message_id']);
  });
});

describe('judging has no effect', () => {
  const guard = createGuard();
  const any = fc.constantFrom(...TRAFFIC).chain((definition) => fc.tuple(fc.constant(definition), mutated(definition)));

  it('a frozen value is judged like its copy', () => {
    fc.assert(
      fc.property(any, fc.constantFrom<Direction>('outgoing', 'incoming'), ([definition, value], direction) => {
        const copy = structuredClone(value);
        const findings = guard.check(`#/$defs/${definition}`, frozen(value), { direction });
        expect(value).toEqual(copy);
        expect(guard.check(`#/$defs/${definition}`, copy, { direction })).toEqual(findings);
      }),
      runs(300),
    );
  });

  it('no value makes it throw, and every path leads into the value or names what is missing', () => {
    fc.assert(
      fc.property(any, ([definition, value]) => {
        for (const { path, keyword, message } of guard.check(`#/$defs/${definition}`, value, {
          direction: 'incoming',
        })) {
          expect(path === '' || path.startsWith('/')).toBe(true);
          const steps = path
            .split('/')
            .slice(1)
            .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
          const last = steps.pop();
          let holder: unknown = value;
          for (const step of steps) holder = (holder as Record<string, unknown> | undefined)?.[step];
          if (last !== undefined) expect(typeof holder === 'object' && holder !== null).toBe(true);
          if (last !== undefined && keyword !== 'required') expect(hasMember(holder as object, last)).toBe(true);
          expect(message).not.toBe('');
        }
      }),
      runs(300),
    );
  });

  it('Object.prototype is as it was', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(12);
  });
});
