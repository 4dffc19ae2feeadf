import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions, type Preset, type Severity } from '../../src/index.ts';
import { CARD_URL, type Json, soundCard, soundInterface } from '../support/cards.ts';

const cardOf = (...interfaces: Json[]): Json => soundCard({ supportedInterfaces: interfaces });
const SOUND = soundInterface();

/** One fault of each check that belongs to a single interface. */
const FAULTS: Readonly<Record<string, Json>> = {
  'interface-url': soundInterface({ url: '/a2a' }),
  'interface-https': soundInterface({ url: 'http://parcels.example.com/a2a' }),
  'interface-version': soundInterface({ protocolVersion: 'v1.0' }),
  'interface-private': soundInterface({ url: 'https://10.1.2.3/a2a' }),
};

function judge(card: Json, options: GuardOptions) {
  const report = createGuard(options).checkCard(card, { cardUrl: CARD_URL });
  const chosen = report.interfaces?.find((entry) => entry.chosen)?.index;
  const severityOf = (id: string): Severity => report.findings.find((finding) => finding.id === id)?.severity ?? 'off';
  return { report, chosen, severityOf };
}

describe('a fault of one interface takes that interface away, not the card', () => {
  for (const [id, faulty] of Object.entries(FAULTS)) {
    it(`${id}: interop passes it over and chooses the sound one`, () => {
      const { report, chosen, severityOf } = judge(cardOf(faulty, SOUND), { preset: 'interop' });
      expect({ ok: report.ok, chosen, severity: severityOf(id), next: report.next }).toEqual({
        ok: true,
        chosen: 1,
        severity: 'warn',
        next: 'delegate',
      });
      expect(report.interfaces?.[0]).toMatchObject({ index: 0, chosen: false, why: expect.stringMatching(/./) });
    });

    it(`${id}: interop gates the card when no sound one is left`, () => {
      const { report, chosen, severityOf } = judge(cardOf(faulty, faulty), { preset: 'interop' });
      expect({ ok: report.ok, chosen, severity: severityOf(id), next: report.next }).toEqual({
        ok: false,
        chosen: undefined,
        severity: 'error',
        next: 'fix-card',
      });
    });

    it(`${id}: strict gates the card although a sound one is left`, () => {
      const { report, severityOf } = judge(cardOf(SOUND, faulty), { preset: 'strict' });
      expect({ ok: report.ok, severity: severityOf(id) }).toEqual({ ok: false, severity: 'error' });
    });

    it(`${id}: the rule "entry" brings the reading of interop to strict`, () => {
      const options: GuardOptions = { preset: 'strict', rules: { [id]: 'entry' } };
      const { report, chosen, severityOf } = judge(cardOf(faulty, SOUND), options);
      expect({ ok: report.ok, chosen, severity: severityOf(id) }).toEqual({ ok: true, chosen: 1, severity: 'warn' });
      expect(judge(cardOf(faulty), options).report.ok).toBe(false);
    });

    it(`${id}: the rule "error" gates in interop too`, () => {
      expect(judge(cardOf(SOUND, faulty), { preset: 'interop', rules: { [id]: 'error' } }).report.ok).toBe(false);
    });
  }

  it('faults of different kinds leave no sound interface together', () => {
    const all = Object.values(FAULTS);
    expect(judge(cardOf(...all), { preset: 'interop' }).report.ok).toBe(false);
    expect(judge(cardOf(...all, SOUND), { preset: 'interop' }).report.ok).toBe(true);
  });

  it('a sound interface that the client does not speak is a sound one', () => {
    const rest = soundInterface({ protocolBinding: 'HTTP+JSON' });
    const { report, chosen } = judge(cardOf(FAULTS['interface-url'] as Json, rest), { preset: 'interop' });
    expect({ ok: report.ok, chosen, next: report.next }).toEqual({ ok: true, chosen: undefined, next: 'choose-agent' });
  });

  it('the tenth interface is not mistaken for the first', () => {
    const interfaces = Array.from({ length: 12 }, () => ({ ...SOUND }));
    interfaces[10] = { ...(FAULTS['interface-url'] as Json) };
    const { report, chosen } = judge(cardOf(...interfaces), { preset: 'interop' });
    expect({ ok: report.ok, chosen }).toEqual({ ok: true, chosen: 0 });
  });

  it('the first that both sides speak is chosen, however late it comes', async () => {
    const grpc = Array.from({ length: 150 }, (_, i) =>
      soundInterface({ url: `parcels.example.com:${5000 + i}`, protocolBinding: 'GRPC' }),
    );
    const card = cardOf(...grpc, SOUND);
    expect(judge(card, {}).report).toMatchObject({ ok: true, next: 'delegate' });
    expect((await createGuard().agent(card)).interface.index).toBe(150);
  });

  it('an interface under proto names is passed over by its own fault', () => {
    const snake = { url: '/a2a', protocol_binding: 'JSONRPC', protocol_version: '1.0' };
    const card = soundCard({ supportedInterfaces: undefined, supported_interfaces: [snake, SOUND] });
    const { report, chosen } = judge(card, { preset: 'interop' });
    expect({ ok: report.ok, chosen }).toEqual({ ok: true, chosen: 1 });
  });
});

describe('what the network option tolerates', () => {
  const chosenWith = (faulty: Json, network: GuardOptions['network'], preset: Preset): number | undefined =>
    judge(cardOf(faulty, SOUND), { preset, ...(network && { network }) }).chosen;

  it.each(['strict', 'interop'] as const)('allowInsecure: an http interface can be chosen (%s)', (preset) => {
    expect(chosenWith(FAULTS['interface-https'] as Json, { allowInsecure: true }, preset)).toBe(0);
  });

  it.each(['strict', 'interop'] as const)('allowPrivate: a private interface can be chosen (%s)', (preset) => {
    expect(chosenWith(FAULTS['interface-private'] as Json, { allowPrivate: true }, preset)).toBe(0);
  });

  it.each(['strict', 'interop'] as const)(
    'allowLoopback: a private interface of a public card can not (%s)',
    (preset) => {
      expect(chosenWith(FAULTS['interface-private'] as Json, { allowLoopback: true }, preset)).toBe(1);
    },
  );

  it('a version with a patch number can be chosen by its Major.Minor', async () => {
    const agent = await createGuard().agent(cardOf(soundInterface({ protocolVersion: '1.0.1' })));
    expect(agent.interface).toMatchObject({ version: '1.0' });
  });
});

describe('rules override one check', () => {
  const bare = soundCard({ defaultInputModes: ['text'] });

  it('a warning can be made an error', () => {
    expect(judge(bare, {}).report.ok).toBe(true);
    expect(judge(bare, { rules: { 'modes-media-type': 'error' } }).report.ok).toBe(false);
  });

  it('an error can be made a warning', () => {
    const { report, severityOf } = judge(soundCard({ name: '' }), { rules: { 'required-name': 'warn' } });
    expect({ ok: report.ok, severity: severityOf('required-name') }).toEqual({ ok: true, severity: 'warn' });
  });

  it('off takes the finding away and leaves the fact', () => {
    const { report, severityOf } = judge(soundCard({ name: '' }), { rules: { 'required-name': 'off' } });
    expect({ ok: report.ok, severity: severityOf('required-name') }).toEqual({ ok: true, severity: 'off' });
    const fact = report.specChecks.find((check) => check.id === 'required-name');
    expect(fact).toMatchObject({ pass: false, path: '/name' });
    expect(fact).not.toHaveProperty('severity');
  });

  it('advice that interop leaves out can be asked for', () => {
    const { report } = judge(soundCard({ name: 'AI Assistant' }), {
      preset: 'interop',
      rules: { 'name-generic': 'error' },
    });
    expect(report.ok).toBe(false);
  });

  it('both spellings of a field at once can be made a warning', () => {
    const { report } = judge(soundCard({ default_input_modes: [] }), { rules: { 'camel-case': 'warn' } });
    expect(report.ok).toBe(true);
  });

  it('a key that stands twice can be tolerated, and the rest is judged', () => {
    const text = JSON.stringify(soundCard({ name: '' })).replace('"version"', '"name":"","version"');
    const report = createGuard({ rules: { 'parse-duplicate-key': 'warn' } }).checkCard(text);
    expect(report.parse).toBe(true);
    expect(report.findings.map((finding) => finding.id)).toEqual(['parse-duplicate-key', 'required-name']);
  });

  it.each(['warn', 'off'] as const)('no rule makes a card of what cannot be read (%s)', async (severity) => {
    const guard = createGuard({
      rules: { 'parse-json': severity, 'parse-object': severity, 'parse-limits': severity },
    });
    for (const input of ['<<', '[]', '['.repeat(1000)]) {
      const report = guard.checkCard(input);
      expect({ ok: report.ok, parse: report.parse, next: report.next }).toEqual({
        ok: false,
        parse: false,
        next: 'fix-card',
      });
      expect(report.findings.filter((finding) => finding.severity === 'error').map((finding) => finding.layer)).toEqual(
        ['parse'],
      );
      await expect(guard.agent(input)).rejects.toMatchObject({ layer: 'parse', code: 'CardParseError' });
    }
  });
});
