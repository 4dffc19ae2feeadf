import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions, type Ticket } from '../src/index.ts';
import { CARD_URL, soundCard, withInterface } from './support/cards.ts';

describe('options are checked once and copied', () => {
  it('a later change of what was given changes no verdict', async () => {
    const options = {
      preset: 'interop' as 'strict' | 'interop',
      rules: { 'modes-media-type': 'error' } as Record<string, 'error' | 'off'>,
      network: { allowInsecure: true, allowOrigins: ['https://calls.example.net'] },
      limits: { cardBytes: 10_000 },
      extensions: ['https://a.example/x'],
      credentials: { key: 'text' } as Record<string, string>,
      speaks: [{ binding: 'JSONRPC', versions: ['1.0'] }],
    };
    const guard = createGuard(options);
    const cards = [
      soundCard({ defaultInputModes: ['text'] }),
      soundCard({ name: '' }),
      withInterface({ url: 'http://calls.example.net/a2a' }),
      withInterface({ url: 'https://calls.example.net/a2a' }),
      soundCard({ description: 'x'.repeat(9000) }),
      soundCard({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { key: {} } }],
      }),
    ];
    const verdicts = () => cards.map((card) => guard.checkCard(card, { cardUrl: CARD_URL }));
    const before = verdicts();
    options.preset = 'strict';
    options.rules['modes-media-type'] = 'off';
    options.rules['required-name'] = 'error';
    options.network.allowInsecure = false;
    options.network.allowOrigins.length = 0;
    options.limits.cardBytes = 1;
    options.extensions.push('https://b.example/y');
    delete options.credentials.key;
    (options.speaks[0] as { binding: string }).binding = 'HTTP+JSON';
    options.speaks.length = 0;
    expect(verdicts()).toEqual(before);
    expect(before.map((report) => report.next)).toEqual([
      'fix-card',
      'delegate',
      'delegate',
      'delegate',
      'delegate',
      'delegate',
    ]);
  });

  it('a getter is not asked again', () => {
    let reads = 0;
    const options = Object.defineProperty({}, 'preset', {
      enumerable: true,
      get: () => {
        reads += 1;
        return reads > 5 ? 'nonsense' : 'interop';
      },
    });
    const guard = createGuard(options as GuardOptions);
    const after = reads;
    guard.checkCard(soundCard());
    expect(reads).toBe(after);
  });

  it('the guard and its methods cannot be replaced', () => {
    expect(Object.isFrozen(createGuard())).toBe(true);
  });
});

describe('a sink of tickets', () => {
  const red = soundCard({ name: '' });
  const SINKS: Readonly<Record<string, (ticket: Ticket) => void>> = {
    'that throws': () => {
      throw new Error('sink');
    },
    'that rejects': () => Promise.reject(new Error('sink')) as unknown as undefined,
    'that tries to change the ticket': (ticket) => {
      (ticket as { code: string }).code = 'Fine';
    },
  };

  it.each(Object.entries(SINKS))('%s changes nothing', async (_name, onTicket) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const failure = { layer: 'spec', code: 'CardSpecError' };
    await expect(createGuard({ onTicket }).agent(red)).rejects.toMatchObject({ ...failure, ticket: failure });
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is given every ticket once', async () => {
    const seen: Ticket[] = [];
    const guard = createGuard({ onTicket: (ticket) => seen.push(ticket) });
    const error: unknown = await guard.agent(red).catch((reason: unknown) => reason);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe((error as { ticket: Ticket }).ticket);
  });

  it('is given none for a report: a report is no failure', () => {
    const seen: Ticket[] = [];
    const guard = createGuard({ onTicket: (ticket) => seen.push(ticket) });
    guard.checkCard(red);
    guard.check('#/$defs/Task', {});
    expect(seen).toEqual([]);
  });
});
