import { describe, expect, it } from 'vitest';
import { CONTROL, cli, flat, json, widest } from './support/cli.ts';

const OLD = {
  protocolVersion: '0.3.0',
  name: 'Parcel Desk',
  description: 'Answers questions about parcels and books pick-ups.',
  version: '2.3.0',
  url: 'https://parcels.example.com/a2a',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'track', name: 'Track', description: 'Tells where a parcel is.', tags: ['parcel'] }],
};
const stdin = (card: unknown): { stdin: Uint8Array[] } => ({ stdin: [Buffer.from(JSON.stringify(card))] });

describe('migrate', () => {
  it('prints the 1.0 card and nothing else on stdout, and what was done on stderr', async () => {
    const { status, out, err } = await cli(['migrate', '-'], stdin(OLD));
    expect(status).toBe(0);
    expect(json(out)).toMatchObject({
      supportedInterfaces: [{ url: OLD.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    });
    expect(flat(err)).toContain('moved /url -> /supportedInterfaces/0: is an interface');
    expect(widest(err)).toBeLessThanOrEqual(80);
  });

  it('prints both as one object with --format json', async () => {
    const { out, err } = await cli(['migrate', '-', '--format', 'json'], stdin(OLD));
    expect(Object.keys(json<object>(out))).toEqual(['card', 'moves', 'left']);
    expect(err).toBe('');
  });

  it('what it prints passes check', async () => {
    const { out } = await cli(['migrate', '-'], stdin(OLD));
    expect((await cli(['check', '-'], { stdin: [Buffer.from(out)] })).status).toBe(0);
  });

  it('exits with 1 and names what is left when the old card does not say what 1.0 requires', async () => {
    const { status, err } = await cli(['migrate', '-'], stdin({ ...OLD, skills: [] }));
    expect(status).toBe(1);
    expect(flat(err)).toContain('left The card has no skills');
  });

  it('exits with 1 for what is no card, and prints no card', async () => {
    const { status, out, err } = await cli(['migrate', '-'], { stdin: [Buffer.from('<html>')] });
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toContain('HTML page');
  });

  it('exits with 3 for a file that is not there', async () => {
    expect((await cli(['migrate', 'no-such-card.json'])).status).toBe(3);
  });

  it('escapes what steers a terminal', async () => {
    const { out, err } = await cli(['migrate', '-'], stdin({ ...OLD, name: 'a\u001b[2Jb', '\u009b31m': 1 }));
    expect(CONTROL.test(out)).toBe(false);
    expect(CONTROL.test(err)).toBe(false);
  });

  it('says how it is used', async () => {
    const { status, out } = await cli(['migrate', '--help']);
    expect(status).toBe(0);
    expect(out).toContain('a2a-guard migrate agent.json');
    expect(widest(out)).toBeLessThanOrEqual(80);
  });
});
