import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions } from '../../src/index.ts';
import {
  CARD_URL,
  type Json,
  nested,
  soundCard,
  soundInterface,
  soundSkill,
  withInterface,
  withParams,
} from '../support/cards.ts';
import { runs } from '../support/runs.ts';
import { PRESETS } from './row.ts';

const INTEROP: GuardOptions = { preset: 'interop' };
const ids = (input: object | string, options: GuardOptions = INTEROP): string[] =>
  createGuard(options)
    .checkCard(input)
    .findings.map((finding) => finding.id);
const isRed = (input: object | string, options: GuardOptions = INTEROP): boolean =>
  !createGuard(options).checkCard(input).ok;

describe('a flood of small faults hides no big one', () => {
  const extras = (count: number): Json => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, 0]));

  it('10,000 unknown keys in front of a wrong type', () => {
    const card = { ...extras(10_000), ...soundCard({ capabilities: { streaming: 'yes' } }) };
    expect(ids(card)).toContain('schema-type');
    expect(isRed(card)).toBe(true);
  });

  it('10,000 unknown keys in an interface in front of a red check of the specification', () => {
    const card = soundCard({
      supportedInterfaces: [{ ...extras(10_000), ...soundInterface() }],
      signatures: [{}],
    });
    expect(ids(card)).toContain('signatures-shape');
    expect(isRed(card)).toBe(true);
  });

  it('500 fields that are null in front of a wrong type', () => {
    const skills = Array.from({ length: 250 }, (_, i) => soundSkill({ id: `s${i}`, examples: null, inputModes: null }));
    const card = soundCard({ skills: [...skills, soundSkill({ tags: 'parcel' })] });
    expect(ids(card)).toContain('schema-type');
    expect(isRed(card)).toBe(true);
    expect(createGuard().checkCard(card).schemaPass).toBe(false);
  });

  it('2,000 proto names in front of both spellings at once', () => {
    const skills = Array.from({ length: 1000 }, (_, i) =>
      soundSkill({ id: `s${i}`, input_modes: ['text/plain'], output_modes: ['text/plain'] }),
    );
    const card = soundCard({
      skills: [...skills, soundSkill({ inputModes: ['text/plain'], input_modes: ['image/png'] })],
    });
    expect(createGuard({ ...INTEROP, limits: { cardBytes: 1_000_000 } }).checkCard(card).ok).toBe(false);
  });

  it('2,000 skills without tags in front of a requirement that cannot be read', () => {
    const skills = Array.from({ length: 1000 }, (_, i) => soundSkill({ id: `s${i}`, tags: [] }));
    expect(isRed(soundCard({ skills, securityRequirements: [{}] }))).toBe(true);
  });

  it('the report stays small enough to print', () => {
    const report = createGuard().checkCard({ ...extras(10_000), ...soundCard() });
    expect(report.findings.length).toBeLessThanOrEqual(500);
    expect(report.schemaErrors.length).toBeLessThanOrEqual(500);
  });

  it('a very long key is cut in the path', () => {
    const [finding] = createGuard().checkCard(soundCard({ ['k'.repeat(10_000)]: 1 })).findings;
    expect(finding?.path.length).toBeLessThan(200);
    expect(finding?.message.length).toBeLessThan(1000);
  });
});

describe('the size of a card is counted in bytes, whatever it comes as', () => {
  const card = soundCard({ description: '\u20ac'.repeat(1000) });
  const text = JSON.stringify(card);
  const size = Buffer.byteLength(text);

  const forms = { text, bytes: new TextEncoder().encode(text), object: card };

  it.each(Object.entries(forms))('%s: one byte too many', (_form, input) => {
    const report = createGuard({ limits: { cardBytes: size - 1 } }).checkCard(input);
    expect(report.findings.map((finding) => finding.id)).toEqual(['parse-limits']);
  });

  it.each(Object.entries(forms))('%s: just fits', (_form, input) => {
    expect(createGuard({ limits: { cardBytes: size } }).checkCard(input).ok).toBe(true);
  });

  it('an object of many small values is not smaller than its text', () => {
    const wide = withParams({ list: Array.from({ length: 10_000 }, () => 1_000_000) });
    const limits = { cardBytes: 50_000 };
    expect(createGuard({ limits }).checkCard(JSON.stringify(wide)).parse).toBe(false);
    expect(createGuard({ limits }).checkCard(wide).parse).toBe(false);
  });
});

describe('what was checked is what is used', () => {
  it('a member is read once', async () => {
    let reads = 0;
    const shifty = Object.defineProperty(soundCard(), 'supportedInterfaces', {
      enumerable: true,
      get: () => {
        reads += 1;
        return [
          soundInterface({ url: reads === 1 ? 'https://parcels.example.com/a2a' : 'https://evil.example.net/a2a' }),
        ];
      },
    });
    const agent = await createGuard().agent(shifty, { cardUrl: CARD_URL });
    expect(reads).toBe(1);
    expect(agent.interface.url).toBe('https://parcels.example.com/a2a');
    expect(agent.card.supportedInterfaces[0]?.url).toBe('https://parcels.example.com/a2a');
  });

  it('a later change of the object changes nothing', async () => {
    const card = soundCard();
    const agent = await createGuard().agent(card);
    (card.supportedInterfaces as Json[])[0] = soundInterface({ url: 'https://evil.example.net/a2a' });
    expect(agent.card.supportedInterfaces[0]?.url).toBe('https://parcels.example.com/a2a');
    expect(Object.isFrozen(agent.card.supportedInterfaces[0])).toBe(true);
  });

  it('the input is not touched', () => {
    const card = soundCard({ iconUrl: null, x: { y: [1] } });
    const before = structuredClone(card);
    createGuard().checkCard(card, { cardUrl: CARD_URL });
    expect(card).toEqual(before);
    expect(Object.isFrozen(card)).toBe(false);
    expect(Object.isFrozen(card.capabilities)).toBe(false);
  });

  it('a __proto__ key sets no prototype and no capability', async () => {
    const text = JSON.stringify(soundCard({ capabilities: {} })).replace(
      '"capabilities":{}',
      '"capabilities":{"__proto__":{"streaming":true}}',
    );
    const agent = await createGuard(INTEROP).agent(text);
    expect(agent.report.capability.streaming).toBe(false);
    expect(agent.admit('SendStreamingMessage', {}).findings.map((finding) => finding.id)).toContain(
      'capability-streaming',
    );
    expect(({} as { streaming?: unknown }).streaming).toBeUndefined();
  });

  it('members of the prototype are no members of the card', () => {
    const card = Object.assign(
      Object.create({ name: 'Inherited', streaming: true }) as Json,
      soundCard({ name: undefined }),
    );
    expect(ids(card, {})).toEqual(['required-name']);
  });
});

describe('a verdict does not depend on what was judged before', () => {
  it('a host outside ASCII has the same verdict after thousands of cards', () => {
    const guard = createGuard();
    const card = withInterface({ url: 'https://p\u00e4ckchen.example.com/a2a' });
    expect(guard.checkCard(card).ok).toBe(true);
    let firstRed: number | undefined;
    for (let count = 1; count <= 3000 && firstRed === undefined; count += 1) {
      if (!guard.checkCard(card).ok) firstRed = count;
    }
    expect(firstRed).toBeUndefined();
  });
});

describe('a secret is not repeated', () => {
  it('neither findings nor tickets show it', async () => {
    const secret = 'correct-horse-battery';
    const card = withParams({ password: secret });
    const guard = createGuard();
    expect(JSON.stringify(guard.checkCard(card).findings)).not.toContain(secret);
    const error: unknown = await guard.agent(card).catch((reason: unknown) => reason);
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(String(error)).not.toContain(secret);
  });
});

describe('no input makes the judge throw', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  const coherent = (input: string | Uint8Array | object): void => {
    for (const preset of PRESETS) {
      const report = createGuard({ preset }).checkCard(input, { cardUrl: CARD_URL });
      expect(report.ok).toBe(!report.findings.some((finding) => finding.severity === 'error'));
      if (!report.ok) expect(report.next).toBe('fix-card');
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      const places = report.findings.map((finding) => `${finding.id} ${finding.path}`);
      expect(places).toEqual([...new Set(places)]);
      for (const { path } of report.findings) expect(path).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/s);
    }
  };

  it('any text', () => fc.assert(fc.property(fc.string({ unit: 'binary' }), coherent), runs(200)));

  it('any bytes', () => fc.assert(fc.property(fc.uint8Array(), coherent), runs(200)));

  it('any object', () =>
    fc.assert(fc.property(fc.object({ maxDepth: 4, withBigInt: true, withDate: true }), coherent), runs(200)));

  it('a sound card with any one member changed', () => {
    const member = fc.constantFrom(
      ...Object.keys(soundCard()),
      'securitySchemes',
      'securityRequirements',
      'signatures',
      'security',
    );
    fc.assert(
      fc.property(member, fc.jsonValue({ maxDepth: 4 }), (name, value) => coherent(soundCard({ [name]: value }))),
      runs(200),
    );
  });

  it('text of JSON values never has a key twice, and is as deep as it is', () => {
    const limits = { jsonDepth: 6 };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const found = createGuard({ limits })
          .checkCard(JSON.stringify(value))
          .findings.map((finding) => finding.id);
        expect(found).not.toContain('parse-duplicate-key');
        expect(found.includes('parse-limits')).toBe(depthOf(value) > 6);
      }),
      runs(200),
    );
  });

  it('nothing is left on Object.prototype', () => {
    createGuard().checkCard(JSON.stringify(withParams(nested(10))).replace('"a"', '"__proto__"'));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('a wrong argument is a TypeError', () => {
  it.each([null, undefined, 5, true, () => ({})])('%s is no card', (input) => {
    expect(() => createGuard().checkCard(input as unknown as object)).toThrow(TypeError);
  });

  it.each([
    [{ cardURL: CARD_URL }, /cardURL.*cardUrl/],
    [{ cardUrl: '/card.json' }, /cardUrl/],
    [{ target: 5 }, /target/],
    [{ plan: true }, /plan/],
    [{ plan: { stream: true } }, /plan.*stream/],
    [{ plan: { streaming: 'yes' } }, /plan\.streaming/],
  ])('the option of checkCard is quoted: %j', (options, words) => {
    expect(() => createGuard().checkCard(soundCard(), options as object)).toThrow(TypeError);
    expect(() => createGuard().checkCard(soundCard(), options as object)).toThrow(words);
  });
});
