import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../src/index.ts';
import type { Direction } from '../src/traffic/payload-faults.ts';
import { mutated, TRAFFIC } from './support/payloads.ts';
import { runs } from './support/runs.ts';

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
