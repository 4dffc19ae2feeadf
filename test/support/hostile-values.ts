import fc from 'fast-check';
import { expect } from 'vitest';
import { isGuardError } from '../../src/index.ts';
import { type Json, soundCard } from './cards.ts';
import { brokenBytes, doubledText } from './json-text.ts';
import { changed } from './mutate.ts';
import { sound } from './payloads.ts';
import { fixtureCards } from './schemas.ts';

/** A card from the field, or one that is made from the field table. */
export const realCard: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...fixtureCards.map(({ card }) => card)) },
  { weight: 1, arbitrary: fc.constant(soundCard()) },
  { weight: 1, arbitrary: sound('AgentCard') },
);

export const changedCard: fc.Arbitrary<Json> = changed(realCard);

/** Whatever may stand where a card is expected: cards with faults, as object, text or bytes, and what is none. */
export const anyCard: fc.Arbitrary<string | Uint8Array | object> = fc.oneof(
  changedCard,
  changedCard.map((card) => JSON.stringify(card)),
  doubledText(changedCard),
  brokenBytes(changedCard),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.object({ maxDepth: 4, withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.uint8Array({ maxLength: 64 }),
  fc.string({ unit: 'binary', maxLength: 64 }),
);

/** The same, as bytes that a server sends. */
export const anyCardBytes: fc.Arbitrary<Uint8Array> = fc.oneof(realCard, anyCard).map((input) => {
  if (input instanceof Uint8Array) return input;
  const writable = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return new TextEncoder().encode(typeof input === 'string' ? input : JSON.stringify(input, writable));
});

/** Runs what may end in a GuardError, and in no other but those that are `allowed`. Undefined when it does. */
export async function settled<T>(
  act: () => T | Promise<T>,
  allowed: (error: unknown) => boolean = () => false,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (allowed(error)) return undefined;
    if (!isGuardError(error)) throw error;
    expect(JSON.parse(JSON.stringify(error.ticket))).toEqual(error.ticket);
    return undefined;
  }
}

const own = (): string => JSON.stringify([Object.prototype, Array.prototype, String.prototype].map(describePrototype));

function describePrototype(prototype: object): unknown[] {
  return [...Object.getOwnPropertyNames(prototype), Object.keys(prototype).length];
}

const BEFORE = own();

/** The prototypes that every object has are as they were when the tests began. */
export function expectCleanPrototypes(): void {
  expect(own()).toBe(BEFORE);
}
