import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io, Output } from '../src/cli/io.ts';
import { run } from '../src/cli/run.ts';
import { answer, startServer, type TestServer } from './support/server.ts';

interface Setup {
  readonly stdin?: readonly Uint8Array[];
  readonly env?: Record<string, string>;
  readonly tty?: boolean;
}

/** Runs the command line in this process. */
async function cli(argv: readonly string[], { stdin = [], env = {}, tty = false }: Setup = {}) {
  const written = { out: '', err: '' };
  const toOutput = (name: 'out' | 'err'): Output => ({
    write(text) {
      written[name] += text;
    },
    isTTY: tty,
    closed: false,
  });
  const bytes = (async function* () {
    yield* stdin;
  })();
  const io: Io = { stdout: toOutput('out'), stderr: toOutput('err'), stdin: bytes, env };
  return { status: await run(argv, io), ...written };
}

const bytesOf = (...values: unknown[]): Buffer[] =>
  values.map((value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8'));
const json = <T>(text: string): T => JSON.parse(text) as T;
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const cardAt = (origin: string, changes: object = {}): object => ({
  name: 'Invoice Agent',
  description: 'Answers questions about invoices.',
  version: '1.4.0',
  supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'ask', name: 'Ask', description: 'Answers.', tags: ['invoice'] }],
  ...changes,
});
const PUBLIC = 'https://a.example.com';
const skill = { id: 'x', name: 'X', description: 'Does x.', tags: [] };
const hostile = {
  name: `Nice\u001b[2J\u009b31m\u202eAgent\r\nGREEN ${'long'.repeat(60)}`,
  skills: Array.from({ length: 9 }, () => skill),
  '\u001b]0;title\u0007': 1,
};
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

const FILES: Readonly<Record<string, unknown>> = {
  green: cardAt(PUBLIC),
  red: cardAt(PUBLIC, { skills: [skill], url: PUBLIC }),
  wide: cardAt(PUBLIC, { name: '請'.repeat(72) }),
  hostile: cardAt(PUBLIC, hostile),
  endless: cardAt(PUBLIC, {
    name: '💥'.repeat(20_000),
    supportedInterfaces: Array(100).fill({ url: `${PUBLIC}/${'x'.repeat(500)}` }),
  }),
  local: cardAt('http://127.0.0.1:9999'),
  http: cardAt('http://a.example.com'),
  message,
  unknown: { ...message, extra: 1 },
  bundle: json(readFileSync(new URL('../schemas/a2a-1.0.json', import.meta.url), 'utf8')),
  nobundle: { $defs: {} },
  text: '"a text"',
  large: `{"name":"${'x'.repeat(300_000)}"}`,
};

/** What the server answers at the well-known place under each path, and at any other path below it. */
const CARDS: Readonly<Record<string, { readonly status?: number; readonly changes?: object }>> = {
  ok: { changes: {} },
  hostile: { changes: hostile },
  forbidden: { status: 403 },
  broken: { status: 500 },
};

let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-guard-'));
  for (const [name, value] of Object.entries(FILES)) {
    writeFileSync(join(folder, `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value));
  }
  server = await startServer((request, response) => {
    const name = request.path.split('/')[1] ?? '';
    if (name === 'silent') return;
    const { status, changes } = CARDS[name] ?? { status: 404 };
    if (status !== undefined) answer(response, 'no', status);
    else answer(response, cardAt(`${server.origin}/${name}`, changes));
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command line in which `@name` is a file and `%path` a URL of the server. */
function go(words: readonly string[], setup?: Setup) {
  const place = (word: string): string =>
    word.startsWith('@') ? join(folder, `${word.slice(1)}.json`) : word.replace(/^%/, `${server.origin}/`);
  return cli(words.map(place), setup);
}

interface Case {
  /** Words of the command line. */
  readonly run: string;
  readonly status: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
  readonly stdin?: readonly Uint8Array[];
}

/** A text without its line breaks and columns. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What a case does not name stays empty. */
function holds(cases: Readonly<Record<string, Case>>): void {
  it.each(Object.entries(cases))('%s', async (_, { run: words, status, out = /^$/, err = /^$/, stdin = [] }) => {
    const ended = await go(words.split(' '), { stdin });
    expect(flat(ended.out)).toMatch(out);
    expect(flat(ended.err)).toMatch(err);
    expect(ended.status).toBe(status);
    expect(ended.out + ended.err).not.toMatch(CONTROL);
  });
}

describe('check judges cards from everywhere', () => {
  holds({
    'a sound card is green': { run: 'check @green', status: 0, out: /^GREEN.*next +delegate/ },
    'a card with an error is red': { run: 'check @red', status: 1, out: /^RED.*skills-tags-nonempty +§4\.4\.5/ },
    'interop reports what strict gates on': {
      run: 'check @red -p interop',
      status: 0,
      out: /warn +skills-tags-nonempty/,
    },
    'a rule changes one severity': {
      run: 'check @red -p interop --rule skills-tags-nonempty=error --rule schema-unknown-key=off',
      status: 1,
      out: /schema +not passed.*error +skills-tags-nonempty/,
    },
    'stdin is a target': { run: 'check -', stdin: bytesOf(cardAt(PUBLIC)), status: 0, out: /^GREEN +stdin/ },
    'what is no card is red': { run: 'check @text', status: 1, out: /parse-object/ },
    'a file over the limit is red': { run: 'check @large', status: 1, out: /parse-limits/ },
    'stdin over the limit is red': {
      run: 'check -',
      stdin: bytesOf('x'.repeat(200_000), 'x'.repeat(200_000)),
      status: 1,
      out: /parse-limits/,
    },
    'a base URL leads to the card': {
      run: 'check %ok',
      status: 0,
      out: /^GREEN.*\/ok\/\.well-known\/agent-card\.json/,
    },
    'the URL of a card is used as it is': { run: 'check %ok/card.json', status: 0, out: /^GREEN.*\/ok\/card\.json/ },
    'an exact URL is used as it is': { run: 'check %ok/card --exact', status: 0, out: /^GREEN.*\/ok\/card / },
    'without an origin addresses are not judged': { run: 'check @local', status: 0, out: /trust +ok/ },
    'with an origin they are': {
      run: `check @local --card-url ${PUBLIC}/card.json`,
      status: 1,
      out: /error +interface-private/,
    },
    'private networks may be allowed': {
      run: `check @local --card-url ${PUBLIC}/card.json --allow-private`,
      status: 0,
      out: /warn +interface-private/,
    },
    'http is not sound': { run: 'check @http', status: 1, out: /error interface-https/ },
    'http may be allowed': { run: 'check @http --allow-insecure', status: 0, out: /warn interface-https/ },
    'an intention that the card allows': {
      run: 'check @green --plan streaming',
      status: 0,
      out: /streaming declared; intended and allowed/,
    },
    'an intention that it does not allow': {
      run: 'check @green --plan streaming,pushNotifications,extendedAgentCard',
      status: 1,
      out: /pushNotifications not declared; intended, and would be refused.*next +fix-request/,
    },
    'a bundle of the user judges': { run: 'check @red --bundle @bundle', status: 1, out: /schema-unknown-key/ },
    'the status of several is the largest': {
      run: 'check @green nope @red',
      status: 3,
      out: /^GREEN.*RED.*3 targets: 1 hold, 1 do not, 1 could not be read\.$/,
      err: /^a2a-guard: nope: there is no such file\.$/,
    },
  });
});

describe('check judges a value at its pointer', () => {
  const at = '--pointer #/$defs/Message';
  holds({
    'a sound value': { run: `check @message ${at}`, status: 0, out: /^GREEN.*direction +outgoing/ },
    'an unknown key going out': { run: `check @unknown ${at}`, status: 1, out: /error +value-unknown-key/ },
    'an unknown key coming in': { run: `check @unknown ${at} --incoming`, status: 0, out: /warn +value-unknown-key/ },
    'a bundle of the user': { run: `check @unknown ${at} --bundle @bundle`, status: 1, out: /value-unknown-key/ },
    'text that is not JSON': { run: `check - ${at}`, stdin: bytesOf('{'), status: 1, out: /parse-json/ },
  });
});

describe('check says why a target could not be read', () => {
  holds({
    'a missing file': { run: 'check no-card.json', status: 3, err: /no-card\.json: there is no such file\.$/ },
    'a host without a scheme': { run: 'check agents.example.com', status: 3, err: /https:\/\/agents\.example\.com/ },
    'a directory': { run: 'check .', status: 3, err: /it is a directory/ },
    'a missing bundle': { run: 'check @green --bundle nope', status: 3, err: /there is no such file/ },
    'HTTP 404': { run: 'check %nothing', status: 3, err: /^failed +discovery \/ CardUnreachableError/ },
    'HTTP 500': { run: 'check %broken', status: 3, err: /discovery-status/ },
    'nobody listens': { run: 'check http://127.0.0.1:1', status: 3, err: /discovery-network/ },
    'HTTP 403': { run: 'check %forbidden', status: 4, err: /next +authenticate/ },
    'nothing comes in time': { run: 'check %silent --timeout 100', status: 5, err: /discovery-timeout/ },
    'a private address': { run: 'check http://10.0.0.1/', status: 1, err: /^refused +trust.*--allow-private/ },
    'public http': { run: 'check http://a.example.com/', status: 1, err: /^refused +trust.*--allow-insecure/ },
  });
});

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
      expect(json(report.out)).toMatchObject({ card: { name: hostile.name } });
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
    expect(widest(out.replaceAll(folder, ''))).toBeLessThanOrEqual(80);
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
