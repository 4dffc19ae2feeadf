import { describe, expect, it } from 'vitest';
import {
  createGuard,
  DEFAULT_CACHE,
  DEFAULT_LIMITS,
  DEFAULT_RETRY,
  type GuardOptions,
  type Limits,
} from '../src/index.ts';
import { resolveOptions } from '../src/options.ts';
import { namedBundle, titledBundle } from './support/schemas.ts';

const nothing = (): void => {};
const client = { request: nothing, stream: nothing };

interface Refusal {
  readonly value: unknown;
  /** What the message quotes. */
  readonly quotes: readonly string[];
}

/** Values that each option refuses. An option without a row does not compile. */
const REFUSED: Readonly<Record<keyof GuardOptions, readonly Refusal[]>> = {
  preset: [
    { value: 'lenient', quotes: ['preset', '"strict"', '"interop"', '"lenient"'] },
    { value: 1, quotes: ['preset'] },
    { value: null, quotes: ['preset', 'null'] },
  ],
  legacyCards: [{ value: 'yes', quotes: ['legacyCards', 'true or false', '"yes"'] }],
  mode: [
    { value: 'off', quotes: ['mode', '"enforce"', '"observe"', '"off"'] },
    { value: true, quotes: ['mode'] },
  ],
  rules: [
    { value: 'strict', quotes: ['rules'] },
    { value: [], quotes: ['rules'] },
    { value: { 'required-nam': 'off' }, quotes: ['rules', 'required-nam', '"required-name"'] },
    { value: { toString: 'off' }, quotes: ['rules', 'toString'] },
    { value: { 'required-name': 'fatal' }, quotes: ['rules.required-name', '"error"', '"warn"', '"off"', '"fatal"'] },
    { value: { 'required-name': false }, quotes: ['rules.required-name'] },
    { value: { 'required-name': 'entry' }, quotes: ['rules.required-name', 'entry'] },
    { value: { 'interface-binding': 'entry' }, quotes: ['rules.interface-binding', 'entry'] },
  ],
  speaks: [
    { value: 'JSONRPC', quotes: ['speaks'] },
    { value: [], quotes: ['speaks', 'at least one'] },
    { value: ['JSONRPC'], quotes: ['speaks[0]'] },
    { value: [{ binding: 'GRPC', versions: ['1.0'] }], quotes: ['speaks[0].binding', '"JSONRPC"', '"GRPC"'] },
    { value: [{ binding: 'JSONRPC' }], quotes: ['speaks[0].versions'] },
    { value: [{ binding: 'JSONRPC', versions: [] }], quotes: ['speaks[0].versions', 'at least one'] },
    { value: [{ binding: 'JSONRPC', versions: ['1'] }], quotes: ['speaks[0].versions', '"1.0"', '"1"'] },
    { value: [{ binding: 'JSONRPC', version: ['1.0'] }], quotes: ['speaks[0]', 'version', '"versions"'] },
  ],
  refuse: [
    { value: 'never', quotes: ['refuse', '"throw"', '"answer"', '"never"'] },
    { value: true, quotes: ['refuse'] },
  ],
  unknownAgent: [
    { value: 'allow', quotes: ['unknownAgent', '"discover"', '"refuse"', '"pass"', '"allow"'] },
    { value: null, quotes: ['unknownAgent'] },
  ],
  extensions: [
    { value: 'https://a.example/x', quotes: ['extensions'] },
    { value: ['https://a.example/x', 5], quotes: ['extensions[1]'] },
  ],
  credentials: [
    { value: 'text', quotes: ['credentials'] },
    { value: { key: 5 }, quotes: ['credentials.key'] },
    { value: { key: '' }, quotes: ['credentials.key'] },
    { value: { key: undefined }, quotes: ['credentials.key'] },
  ],
  limits: [
    { value: 1000, quotes: ['limits'] },
    { value: { cardByte: 1 }, quotes: ['limits', 'cardByte', '"cardBytes"'] },
    { value: { redirects: -1 }, quotes: ['limits.redirects', '0 to 20'] },
    { value: { redirects: 21 }, quotes: ['limits.redirects'] },
    { value: { pages: 0 }, quotes: ['limits.pages'] },
    { value: { findings: 0 }, quotes: ['limits.findings', '1 to 20'] },
    { value: { findings: 21 }, quotes: ['limits.findings'] },
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1000', null, 2 ** 31].map((value) => ({
      value: { cardBytes: value },
      quotes: ['limits.cardBytes'],
    })),
  ],
  network: [
    { value: true, quotes: ['network'] },
    { value: { allowLoopbak: true }, quotes: ['network', 'allowLoopbak', '"allowLoopback"'] },
    { value: { allowLoopback: 'yes' }, quotes: ['network.allowLoopback'] },
    { value: { allowPrivate: 1 }, quotes: ['network.allowPrivate'] },
    { value: { allowInsecure: null }, quotes: ['network.allowInsecure'] },
    { value: { allowOrigins: 'https://a.example' }, quotes: ['network.allowOrigins'] },
    { value: { allowOrigins: [5] }, quotes: ['network.allowOrigins'] },
    { value: { allowOrigins: ['a.example'] }, quotes: ['network.allowOrigins', '"a.example"'] },
    { value: { allowOrigins: ['grpc://a.example:443'] }, quotes: ['network.allowOrigins', 'grpc://a.example:443'] },
    { value: { allowOrigins: ['data:text/plain,a'] }, quotes: ['network.allowOrigins'] },
  ],
  retry: [
    { value: true, quotes: ['retry'] },
    { value: { attempt: 2 }, quotes: ['retry', 'attempt', '"attempts"'] },
    { value: { attempts: 0 }, quotes: ['retry.attempts', '1 to 10'] },
    { value: { attempts: 11 }, quotes: ['retry.attempts'] },
    { value: { delayMs: -1 }, quotes: ['retry.delayMs'] },
    { value: { maxDelayMs: '1s' }, quotes: ['retry.maxDelayMs'] },
    { value: { totalMs: Number.NaN }, quotes: ['retry.totalMs'] },
    { value: { deduplicatesMessages: 'yes' }, quotes: ['retry.deduplicatesMessages'] },
  ],
  cache: [
    { value: true, quotes: ['cache'] },
    { value: { ttl: 5 }, quotes: ['cache', 'ttl', '"ttlMs"'] },
    { value: { ttlMs: -1 }, quotes: ['cache.ttlMs'] },
    { value: { maxEntries: 0 }, quotes: ['cache.maxEntries'] },
    { value: { staleIfErrorMs: 1.5 }, quotes: ['cache.staleIfErrorMs'] },
  ],
  signatures: [
    { value: 'verify', quotes: ['signatures', '"shape"', '"verify-if-present"', '"require"', '"verify"'] },
    { value: true, quotes: ['signatures'] },
    { value: {}, quotes: ['signatures.policy'] },
    { value: { policy: 'require', keys: [] }, quotes: ['signatures', 'keys'] },
    { value: { policy: 'require', jwks: { keys: ['key'] } }, quotes: ['signatures.jwks', 'Key Set'] },
    { value: { policy: 'require', jwks: [] }, quotes: ['signatures.jwks', 'Key Set'] },
    { value: { policy: 'require', jkuOrigins: ['keys.example'] }, quotes: ['signatures.jkuOrigins', 'keys.example'] },
    { value: { policy: 'require', resolveKey: 'key' }, quotes: ['signatures.resolveKey'] },
  ],
  bundle: [
    { value: 'a2a.json', quotes: ['bundle'] },
    { value: [], quotes: ['bundle'] },
    { value: {}, quotes: ['bundle'] },
  ],
  onTicket: [
    { value: 'log', quotes: ['onTicket'] },
    { value: {}, quotes: ['onTicket'] },
  ],
  dispatcher: [
    { value: 'agent', quotes: ['dispatcher'] },
    { value: {}, quotes: ['dispatcher'] },
  ],
  client: [
    { value: nothing, quotes: ['client'] },
    { value: {}, quotes: ['client.request'] },
    { value: { request: nothing }, quotes: ['client.stream'] },
  ],
};

const rows = Object.entries(REFUSED).flatMap(([option, refusals]) =>
  refusals.map((refusal) => ({
    option,
    shown: JSON.stringify(refusal.value) ?? String(refusal.value),
    ...refusal,
  })),
);

describe('an option that cannot be used is a TypeError at once', () => {
  it.each(rows.map((row) => [row.option, row.shown, row] as const))(
    '%s cannot be %s',
    (option, _shown, { value, quotes }) => {
      const act = () => createGuard({ [option]: value } as GuardOptions);
      expect(act).toThrow(TypeError);
      for (const quoted of quotes) expect(act).toThrow(quoted);
    },
  );

  it.each([
    ['presets', 'preset'],
    ['rule', 'rules'],
    ['on_ticket', 'onTicket'],
    ['Network', 'network'],
    ['limit', 'limits'],
    ['credential', 'credentials'],
  ])('an unknown option "%s" is told the near name', (name, near) => {
    const act = () => createGuard({ [name]: {} } as GuardOptions);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(`"${name}"`);
    expect(act).toThrow(`"${near}"`);
  });

  it.each([null, 'strict', 5, [], () => ({})])('%s is no object of options', (options) => {
    expect(() => createGuard(options as unknown as GuardOptions)).toThrow(TypeError);
  });

  it('what is quoted of a value is short, and a credential is not quoted', () => {
    const secret = 'correct-horse-battery';
    const messageOf = (options: object): string => {
      try {
        createGuard(options as GuardOptions);
      } catch (error) {
        return String(error);
      }
      return '';
    };
    expect(messageOf({ preset: 'x'.repeat(10_000) }).length).toBeLessThan(300);
    expect(messageOf({ ['x'.repeat(10_000)]: 1 }).length).toBeLessThan(600);
    expect(messageOf({ credentials: { key: [secret] } })).not.toContain(secret);
    expect(messageOf({ credentials: secret })).not.toContain(secret);
  });

  it('a rule that is unknown lists the near ids', () => {
    expect(() => createGuard({ rules: { 'interface-htps': 'off' } })).toThrow(/Near: .*"interface-https"/);
    expect(() => createGuard({ rules: { 'skills-tags': 'off' } })).toThrow(/Near: .*"skills-tags-nonempty"/);
  });
});

describe('an option that can be used', () => {
  const ACCEPTED: { readonly [Name in keyof Required<GuardOptions>]: readonly unknown[] } = {
    preset: ['strict', 'interop'],
    mode: ['enforce', 'observe'],
    legacyCards: [true, false],
    rules: [{}, { 'name-generic': 'off', 'interface-url': 'entry' }],
    speaks: [[{ binding: 'JSONRPC', versions: ['1.0'] }]],
    refuse: ['throw', 'answer'],
    unknownAgent: ['discover', 'refuse', 'pass'],
    extensions: [[], ['https://a.example/x']],
    credentials: [{}, { key: 'text', other: () => 'text' }],
    retry: [false, {}, { attempts: 1 }, { ...DEFAULT_RETRY }],
    cache: [false, {}, { ttlMs: 0 }, { ...DEFAULT_CACHE }],
    signatures: [
      'shape',
      'verify-if-present',
      'require',
      { policy: 'require', jwks: { keys: [] }, resolveKey: nothing },
    ],
    limits: [{}, { redirects: 0 }, { cardBytes: 1, totalMs: 2_147_483_647 }, { jsonDepth: undefined }],
    network: [{}, { allowLoopback: true, allowOrigins: ['https://a.example', 'http://127.0.0.1:8080'] }],
    bundle: [namedBundle(), titledBundle()],
    onTicket: [nothing],
    dispatcher: [{ dispatch: nothing }],
    client: [client],
  };

  it.each(Object.keys(ACCEPTED) as (keyof GuardOptions)[])('%s is taken', (option) => {
    for (const value of ACCEPTED[option]) expect(() => createGuard({ [option]: value } as GuardOptions)).not.toThrow();
  });

  it.each(Object.keys(REFUSED))('%s may be undefined', (option) => {
    expect(() => createGuard({ [option]: undefined } as GuardOptions)).not.toThrow();
  });

  it('has the documented default', () => {
    expect(resolveOptions()).toMatchObject({
      preset: 'strict',
      mode: 'enforce',
      refuse: 'throw',
      unknownAgent: 'discover',
      speaks: [{ binding: 'JSONRPC', versions: ['1.0'] }],
      extensions: [],
      credentials: {},
      network: { allowLoopback: false, allowPrivate: false, allowInsecure: false, allowOrigins: [] },
    });
    expect(resolveOptions({ signatures: 'require' }).signatures).toEqual({ policy: 'require' });
    expect(resolveOptions().signatures).toEqual({ policy: 'shape' });
    expect(resolveOptions().retry).toEqual(DEFAULT_RETRY);
    expect(resolveOptions({ retry: false }).retry.attempts).toBe(1);
    expect(resolveOptions().cache).toEqual(DEFAULT_CACHE);
    expect(resolveOptions({}).limits).toEqual(DEFAULT_LIMITS);
    expect(DEFAULT_LIMITS).toMatchObject({
      cardBytes: 262_144,
      responseBytes: 10_485_760,
      eventBytes: 1_048_576,
      jsonDepth: 64,
      connectMs: 5000,
      headersMs: 60_000,
      idleMs: 60_000,
      totalMs: 120_000,
      findings: 20,
      afterTerminalMs: 5000,
      redirects: 3,
      pages: 10_000,
    } satisfies Limits);
  });
});
