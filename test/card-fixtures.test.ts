import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGuard, type Preset } from '../src/index.ts';

interface Expectation {
  readonly ok: boolean;
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
}
type Expected = Readonly<Record<Preset, Expectation>>;

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const json = <T>(name: string): T => JSON.parse(fixture(name)) as T;
const PRESETS: readonly Preset[] = ['strict', 'interop'];
const network = { allowLoopback: true };

function expectCard(input: string | Uint8Array | object, cardUrl: string, preset: Preset, want: Expectation): void {
  const report = createGuard({ preset, network }).checkCard(input, { cardUrl });
  const ids = report.findings.map((finding) => finding.id as string);
  expect({
    ok: report.ok,
    missing: want.has.filter((id) => !ids.includes(id)),
    wrong: want.hasNot.filter((id) => ids.includes(id)),
  }).toEqual({
    ok: want.ok,
    missing: [],
    wrong: [],
  });
}

describe('real cards have the verdicts of the specification', () => {
  const cards = json<({ file: string; cardUrl: string; chosen: number | null } & Expected)[]>('cards.expect.json');
  for (const { file, cardUrl, chosen, ...want } of cards) {
    const text = fixture(`cards/${file}`);
    it.each(PRESETS)(`${file} in %s`, (preset) => expectCard(text, cardUrl, preset, want[preset]));
    it(`${file}: selection`, () => {
      const { interfaces = [] } = createGuard({ network }).checkCard(text, { cardUrl });
      expect(interfaces.find((entry) => entry.chosen)?.index ?? null).toBe(chosen);
    });
  }
});

describe('cards from bug reports', () => {
  type CardCase = {
    id: string;
    about: string;
    stage: string;
    card?: object;
    text?: string;
    base64?: string;
    cardUrl: string;
    expect: Expected;
  };
  const cases = json<CardCase[]>('card-cases.json').filter((each) => each.stage === 'card');
  for (const { id, about, card, text, base64, cardUrl, expect: want } of cases) {
    const input = base64 === undefined ? (text ?? card ?? '') : Buffer.from(base64, 'base64');
    it.each(PRESETS)(`${id} ${about} (%s)`, (preset) => expectCard(input, cardUrl, preset, want[preset]));
    if (card !== undefined) {
      it.each(PRESETS)(`${id} from text and from an object alike (%s)`, (preset) => {
        const guard = createGuard({ preset, network });
        const ofText = guard.checkCard(JSON.stringify(card), { cardUrl });
        expect(guard.checkCard(card, { cardUrl })).toEqual(ofText);
      });
    }
  }
});
