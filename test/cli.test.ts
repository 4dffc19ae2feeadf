import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROL, cli, json, widest } from './support/cli.ts';
import { HOSTILE, PUBLIC, useTargets } from './support/cli-targets.ts';

const { folder, go, holds } = useTargets();

describe('a wrong command line is status 2 and says what was meant', () => {
  holds({
    'no command': { run: '', status: 2, err: /unknown command/ },
    'a misspelt command': { run: 'chek x', status: 2, err: /unknown command 'chek'.*Did you mean check\?/ },
    'a misspelt option': { run: 'check x --preseet strict', status: 2, err: /Did you mean --preset\?/ },
    'no target': { run: 'check', status: 2, err: /missing required argument/ },
    'an unknown preset': { run: 'check x -p lax', status: 2, err: /strict, interop/ },
    'an unknown format': { run: 'check x -f xml', status: 2, err: /text, json/ },
    'a rule without severity': { run: 'check x -r no-secret', status: 2, err: /Expected id=severity/ },
    'a rule for no check': { run: 'check x -r skill-tags-nonempty=off', status: 2, err: /"skills-tags-nonempty"/ },
    'a severity that is none': { run: 'check x -r no-secret=loud', status: 2, err: /--rule\.no-secret: expected/ },
    'an intention that is none': { run: 'check x --plan streeming', status: 2, err: /Did you mean "streaming"\?/ },
    'the root pointer': { run: 'check x --pointer #', status: 2, err: /the root pointer/ },
    'an unknown pointer': { run: 'check x --pointer #/$defs/Mesage', status: 2, err: /"#\/\$defs\/Message"/ },
    'a pointer and a plan': {
      run: 'check x --pointer #/$defs/Task --plan streaming',
      status: 2,
      err: /cannot be used/,
    },
    'a direction without pointer': { run: 'check x --incoming', status: 2, err: /--pointer/ },
    'a card URL that is none': { run: 'check x --card-url here', status: 2, err: /--card-url: expected/ },
    'a card URL for a URL': { run: `check ${PUBLIC} --card-url ${PUBLIC}`, status: 2, err: /for files and stdin/ },
    'stdin twice': { run: 'check - -', status: 2, err: /stdin can be read once/ },
    'another scheme': { run: 'check ftp://a.example.com', status: 2, err: /expected an http or https URL/ },
    'a password in the URL': {
      run: 'check https://me:word@a.example.com',
      status: 2,
      err: /^(?!.*word@).*password/,
    },
    'a time that is none': { run: 'check x --timeout 1s', status: 2, err: /whole number of milliseconds/ },
    'a bundle that is none': { run: 'check @green --bundle @nobundle', status: 2, err: /--bundle: .*AgentCard/ },
    'a bundle that is not an object': { run: 'check @green --bundle @text', status: 2, err: /not a JSON object/ },
    'nothing to explain': { run: 'explain skill-tag', status: 2, err: /Did you mean "skills-tags-nonempty"/ },
  });
});

describe('what is printed', () => {
  it('is one report in JSON for one target, an array for several, and nothing else', async () => {
    const one = await go(['check', '@red', '--format', 'json']);
    expect(json(one.out)).toMatchObject({ kind: 'card-validation-report', ok: false, parse: true });
    const several = await go(['check', '@green', 'nope', '%ok', '-f', 'json']);
    expect(json<{ ok: boolean }[]>(several.out).map(({ ok }) => ok)).toEqual([true, true]);
    const value = await go(['check', '@unknown', '--pointer', '#/$defs/Message', '-f', 'json']);
    const findings = [{ id: 'value-unknown-key', path: '/extra' }];
    expect(json(value.out)).toMatchObject({ kind: 'value-validation-report', ok: false, findings });
  });
  it('is a ticket in JSON on stderr for what could not be fetched', async () => {
    const ended = await go(['check', '%nothing', '-f', 'json']);
    expect(ended.out).toBe('');
    expect(json(ended.err)).toMatchObject({ kind: 'a2a-failure-ticket', layer: 'discovery', httpStatus: 404 });
  });
  it('has no escape sequence of a card, in text or in JSON, and says the same in both', async () => {
    for (const target of ['@hostile', '%hostile']) {
      const text = await go(['check', target]);
      expect(text.out).toContain('Nice\\u001b[2J\\u009b31m\\u202eAgent\\u000d\\u000aGREEN');
      expect(text.out).not.toMatch(CONTROL);
      const report = await go(['check', target, '-f', 'json']);
      expect(report.out).not.toMatch(CONTROL);
      expect(json(report.out)).toMatchObject({ card: { name: HOSTILE.name } });
    }
  });
  it.each([
    '--help',
    'check --help',
    'send --help',
    'explain --help',
    'help check',
    'check @red',
    'check @hostile',
    'explain',
    'explain trust',
  ])('fits 80 columns: %s', async (words) => {
    const { out } = await go(words.split(' '));
    expect(widest(out.replaceAll(folder(), ''))).toBeLessThanOrEqual(80);
    expect(out).not.toBe('');
  });
  it('is not as long as a card wants it to be', async () => {
    const { out } = await go(['check', '@endless']);
    expect(out.split('\n').length).toBeLessThan(300);
    expect(out).toContain('and 90 more');
    expect(out).not.toContain('\ufffd');
  });
  it('fits 80 columns in a wide script too', async () => {
    const { out } = await go(['check', '@wide']);
    const lines = out.split('\n').filter((line) => line.includes('請'));
    expect(lines.length).toBe(3);
    for (const line of lines) expect([...line.trim()].length * 2 + 12).toBeLessThanOrEqual(80);
  });
  it.each([
    { name: 'colour on a terminal', setup: { tty: true }, coloured: true },
    { name: 'none elsewhere', setup: {}, coloured: false },
    { name: 'none with NO_COLOR', setup: { tty: true, env: { NO_COLOR: '1' } }, coloured: false },
    { name: 'none on a dumb terminal', setup: { tty: true, env: { TERM: 'dumb' } }, coloured: false },
  ])('has $name', async ({ setup, coloured }) => {
    const { out } = await go(['check', '@hostile'], setup);
    expect(out.includes('\u001b[')).toBe(coloured);
    expect(out).not.toContain('\u001b[2J');
  });
  it('is one line without a stack for an internal error', async () => {
    const { status, out, err } = await cli(['check', '-'], { stdin: [1 as unknown as Buffer] });
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/^a2a-guard: internal error: [^\n]*\n$/);
  });
  it('has a help with examples for every command, and the version', async () => {
    for (const words of [['--help'], ['check', '--help'], ['send', '--help'], ['explain', '--help']]) {
      expect(await cli(words)).toMatchObject({
        status: 0,
        err: '',
        out: expect.stringMatching(/Examples:\n {2}a2a-guard/),
      });
    }
    const { version } = json<{ version: string }>(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await cli(['--version'])).toEqual({ status: 0, out: `${version}\n`, err: '' });
    expect(await cli([])).toMatchObject({ status: 2, out: '', err: expect.stringContaining('Usage: a2a-guard') });
  });
});
