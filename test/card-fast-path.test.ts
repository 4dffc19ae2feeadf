import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CardPolicy, type CardReport, judgeCard } from '../src/card/report.ts';
import type { GuardOptions } from '../src/index.ts';
import { resolveOptions } from '../src/options.ts';
import { validateCard } from '../src/schema/generated/card-1.0.ts';
import { isShaped } from '../src/schema/generated/fused-card-1.0.ts';
import { PINNED_BUNDLE } from '../src/schema/generated/pinned.ts';
import { CARD_URL, type Json, soundCard, soundSkill } from './support/cards.ts';
import { changed, ODD_KEYS, ODD_VALUES } from './support/mutate.ts';
import { fixtureCards } from './support/schemas.ts';

const fullCard = soundCard({
  capabilities: {
    streaming: true,
    extensions: [{ uri: 'https://parcels.example.com/x', params: { lanes: [1, 'a'] } }],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    login: {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: 'https://parcels.example.com/token', scopes: { read: 'Read' } } },
      },
    },
  },
  securityRequirements: [{ schemes: { key: {}, login: { list: ['read'] } } }],
  skills: [soundSkill(), soundSkill({ id: 'book', inputModes: ['text/plain'], examples: ['Book a pick-up.'] })],
  signatures: [{ protected: btoa('{"alg":"ES256","kid":"k1"}').replace(/=+$/, ''), signature: 'c2ln' }],
});

/** Sound cards more often than others, for most mutations of a red card leave it red. */
const CARDS: readonly Json[] = [...fixtureCards.map(({ card }) => card), ...Array(20).fill(fullCard)];

const start = fc.constantFrom(...CARDS);
const card = fc.oneof(start, changed(start, 2));

type Path = readonly (string | number)[];

/** The way to every member and item of a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...pathsIn(member, [...path, key])]);
}

/** The full card with this value at this place; undefined takes the member away. */
function replaced(path: Path, value: unknown): Json {
  const copy = structuredClone(fullCard);
  const holder = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Json)[key], copy) as Json;
  const key = path.at(-1) ?? '';
  if (value === undefined) delete holder[key];
  else holder[key] = value;
  return copy;
}

/** The full card with one change: each member replaced by each odd value or taken away, each odd key beside each member. */
const ONE_CHANGE: readonly Json[] = pathsIn(fullCard).flatMap((path) => [
  ...[...ODD_VALUES, undefined].map((value) => replaced(path, value)),
  ...ODD_KEYS.filter((key) => key !== '__proto__' && key !== 'length').map((key) =>
    replaced([...path.slice(0, -1), key], 'odd'),
  ),
]);

function policyOf(options: GuardOptions): CardPolicy {
  const { limits, network, speaks, grades, legacyCards } = resolveOptions(options);
  const bundle = { ...PINNED_BUNDLE, validateCard };
  return { limits, network, speaks, grade: grades.outgoing, legacyCards, bundle, canAuthenticate: () => true };
}

const POLICIES = [{}, { preset: 'interop' }, { legacyCards: true }] as const;

function reportsOf(input: object, options: GuardOptions): [fast: CardReport, slow: CardReport] {
  const policy = policyOf(options);
  const context = { cardUrl: new URL(CARD_URL) };
  return [judgeCard(input, policy, context).report, judgeCard(input, policy, context, () => false).report];
}

describe('the fused validator of the card', () => {
  it('changes no report: what it calls right is not judged again, and would have been found right', () => {
    let shaped = 0;
    fc.assert(
      fc.property(card, fc.constantFrom(...POLICIES), (input, options) => {
        if (isShaped(input, 64)) shaped += 1;
        const [fast, slow] = reportsOf(input, options);
        expect(fast).toEqual(slow);
      }),
      { seed: 20261201, numRuns: 500 },
    );
    expect(shaped).toBeGreaterThan(50);
  });

  it('changes no report of a card with one thing wrong, wherever and whatever it is', () => {
    const different = ONE_CHANGE.filter((input) => {
      const [fast, slow] = reportsOf(input, {});
      return !isDeepStrictEqual(fast, slow);
    });
    expect(different).toEqual([]);
    expect(ONE_CHANGE.length).toBeGreaterThan(2000);
  });

  it('says yes to a card that uses every part of the field table', () => {
    expect(isShaped(fullCard, 64)).toBe(true);
    expect(reportsOf(fullCard, {})[0].findings).toEqual([]);
  });
});

describe('the hash of a card', () => {
  it('is there for whoever reads or writes the report', () => {
    const [report] = reportsOf(fullCard, {});
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(JSON.parse(JSON.stringify(report)).card).toEqual({ name: 'Parcel Desk', version: '2.3.0', sha256: hash });
    expect({ ...report.card }.sha256).toEqual(hash);
    expect(structuredClone(report).card?.sha256).toBe(report.card?.sha256);
  });
});
