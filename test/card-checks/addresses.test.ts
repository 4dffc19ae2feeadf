import { afterAll, describe, expect, it } from 'vitest';
import { createGuard, isGuardError, type Ticket } from '../../src/index.ts';
import { soundCard, soundInterface } from '../support/cards.ts';
import { startServer } from '../support/server.ts';
import { ADDRESS_ROWS, type AddressRow } from './addresses.ts';
import { PRESETS } from './row.ts';

const server = await startServer((_request, response) => {
  response.end();
});
afterAll(() => server.close());

const MESSAGE = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Where is parcel 7?' }] } };
const cardAt = (url: string): object => soundCard({ supportedInterfaces: [soundInterface({ url })] });
const refused = ADDRESS_ROWS.filter((row) => !row.want.allowed);

async function ticketOf(promise: Promise<unknown>): Promise<Ticket | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isGuardError(error) ? error.ticket : undefined;
}

describe('an address that the policy does not allow is not reached', () => {
  const admit = async ({ input, network }: AddressRow, preset: (typeof PRESETS)[number]) => {
    // The address is the subject here, not the form of the URL.
    const guard = createGuard({ preset, network, rules: { 'interface-https': 'warn' } });
    const agent = await guard.agent(cardAt(input));
    const verdict = agent.admit('SendMessage', MESSAGE);
    await guard.close();
    return verdict;
  };

  for (const row of ADDRESS_ROWS) {
    it.each(PRESETS)(`${row.name} (%s)`, async (preset) => {
      const verdict = await admit(row, preset);
      expect(verdict.ok).toBe(row.want.allowed);
      expect(verdict.findings.map((finding) => finding.id)).toEqual(row.want.allowed ? [] : [row.want.id]);
      if (row.want.allowed) return;
      expect(verdict.findings[0]).toMatchObject({ layer: 'trust', severity: 'error', path: '' });
      expect(verdict.ticket).toMatchObject({
        layer: 'trust',
        code: 'UntrustedCardError',
        blocked: true,
        outcome: 'not-sent',
      });
    });
  }

  it.each(refused.map((row) => [row.name, row] as const))(
    'discover does not ask: %s',
    async (_name, { input, network }) => {
      const guard = createGuard({ network });
      const ticket = await ticketOf(guard.discover(input));
      await guard.close();
      expect(ticket).toMatchObject({ layer: 'trust', code: 'UntrustedCardError', blocked: true, next: 'choose-agent' });
      expect(ticket?.findings.map((finding) => finding.id)).toEqual(['network-address']);
    },
  );

  it('http on a public host needs allowInsecure', async () => {
    const input = 'http://parcels.example.com/a2a';
    const rules = { 'interface-https': 'warn' } as const;
    const closed = await createGuard({ rules }).agent(cardAt(input));
    const open = await createGuard({ network: { allowInsecure: true } }).agent(cardAt(input));
    expect(closed.admit('SendMessage', MESSAGE).findings.map((finding) => finding.id)).toEqual(['network-address']);
    expect(open.admit('SendMessage', MESSAGE).ok).toBe(true);
  });

  it('no byte reaches the server: not for the card, not for a call, not in observe mode', async () => {
    const guard = createGuard({ mode: 'observe' });
    expect(await ticketOf(guard.discover(server.origin))).toMatchObject({ layer: 'trust', blocked: true });
    const agent = await guard.agent(cardAt(`${server.origin}/a2a`));
    expect(await ticketOf(agent.call('SendMessage', MESSAGE) as Promise<unknown>)).toMatchObject({ layer: 'trust' });
    await guard.close();
    expect(server.seen).toEqual([]);
  });
});
