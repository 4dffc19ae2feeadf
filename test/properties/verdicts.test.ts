import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type CardReport, createGuard, type Finding } from '../../src/index.ts';
import { PRESETS } from '../card-checks/row.ts';
import { CARD_URL } from '../support/cards.ts';
import { changedCard, expectCleanPrototypes, realCard } from '../support/hostile-values.ts';
import { createDice, writeJson } from '../support/json-text.ts';
import { changed } from '../support/mutate.ts';
import { runs } from '../support/runs.ts';

const card = fc.oneof({ weight: 1, arbitrary: realCard }, { weight: 4, arbitrary: changedCard });
const cardUrl = fc.constantFrom(undefined, CARD_URL, 'http://127.0.0.1:4000/card.json');
const at = (url: string | undefined): { cardUrl?: string } => (url === undefined ? {} : { cardUrl: url });

const placesOf = (findings: readonly Finding[]): string[] =>
  [...new Set(findings.map(({ severity, id, path }) => `${severity} ${id} ${path}`))].sort();

/** A report without what follows from the very text: its hash, and the order of what was found. */
const essence = (report: CardReport): unknown => ({
  ok: report.ok,
  next: report.next,
  parse: report.parse,
  schemaPass: report.schemaPass,
  places: placesOf(report.findings),
  schemaErrors: [...new Set(report.schemaErrors.map(({ path, keyword }) => `${keyword} ${path}`))].sort(),
  specChecks: report.specChecks.map(({ id, pass, severity }) => ({ id, pass, severity })),
  capability: report.capability,
  interfaces: report.interfaces,
});

afterEach(expectCleanPrototypes);

describe('equal JSON has an equal verdict', () => {
  it.each(PRESETS)('%s: whatever the order of its members, its white space and its escapes', (preset) => {
    const guard = createGuard({ preset });
    const legacy = createGuard({ preset, legacyCards: true });
    fc.assert(
      fc.property(card, fc.integer(), cardUrl, fc.constantFrom(guard, legacy), (value, seed, url, judge) => {
        const [one, other] = [JSON.stringify(value), writeJson(value, createDice(seed))];
        expect(JSON.parse(other)).toEqual(JSON.parse(one));
        expect(essence(judge.checkCard(other, at(url)))).toEqual(essence(judge.checkCard(one, at(url))));
      }),
      runs(300),
    );
  });

  it.each(PRESETS)('%s: also where there is more to say than a report lists', (preset) => {
    const guard = createGuard({ preset });
    const flood = fc
      .tuple(card, fc.integer({ min: 100, max: 700 }), fc.constantFrom(null, 0))
      .map(([value, count, odd]) => {
        const names = Array.from({ length: count }, (_, index) => [`extra${index}`, odd]);
        return { ...value, ...Object.fromEntries(names) };
      });
    fc.assert(
      fc.property(flood, fc.integer(), (value, seed) => {
        const one = guard.checkCard(JSON.stringify(value));
        const other = guard.checkCard(writeJson(value, createDice(seed)));
        expect([other.ok, other.next, other.schemaPass]).toEqual([one.ok, one.next, one.schemaPass]);
        expect(other.specChecks.map(({ pass }) => pass)).toEqual(one.specChecks.map(({ pass }) => pass));
      }),
      runs(100),
    );
  });

  it.each(PRESETS)('%s: as text, as bytes and as an object', (preset) => {
    const guard = createGuard({ preset });
    fc.assert(
      fc.property(card, cardUrl, (value, url) => {
        const text = JSON.stringify(value);
        const { target: _, ...report } = guard.checkCard(text, at(url));
        const { target: _bytes, ...fromBytes } = guard.checkCard(new TextEncoder().encode(text), at(url));
        const { target: _object, ...fromObject } = guard.checkCard(JSON.parse(text) as object, at(url));
        expect(fromBytes).toEqual(report);
        expect(fromObject).toEqual(report);
      }),
      runs(200),
    );
  });
});

describe('strict is never laxer than interop', () => {
  it.each([false, true])('what is an error in interop is one in strict; legacyCards: %s', (legacyCards) => {
    const strict = createGuard({ legacyCards });
    const interop = createGuard({ preset: 'interop', legacyCards });
    fc.assert(
      fc.property(fc.oneof(card, changed(realCard, 6)), cardUrl, (value, url) => {
        const [hard, soft] = [strict.checkCard(value, at(url)), interop.checkCard(value, at(url))];
        const errorsOf = (report: CardReport): string[] =>
          placesOf(report.findings.filter(({ severity }) => severity === 'error'));
        expect(errorsOf(hard)).toEqual(expect.arrayContaining(errorsOf(soft)));
        if (hard.ok) expect(soft.ok).toBe(true);
        expect([hard.schemaPass, hard.schemaErrors]).toEqual([soft.schemaPass, soft.schemaErrors]);
        const passes = (report: CardReport) => report.specChecks.map(({ id, pass }) => [id, pass]);
        expect(passes(hard)).toEqual(passes(soft));
      }),
      runs(600),
    );
  });
});
