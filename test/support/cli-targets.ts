import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONTROL, cli, type Ended, flat, json, type Setup } from './cli.ts';
import { answer, startServer, type TestServer } from './server.ts';

/** Where the cards of the files say that they are called. */
export const PUBLIC = 'https://a.example.com';

export const cardAt = (origin: string, changes: object = {}): object => ({
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

const skill = { id: 'x', name: 'X', description: 'Does x.', tags: [] };
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

/** What makes a card hostile to a terminal. */
export const HOSTILE = {
  name: `Nice\u001b[2J\u009b31m\u202eAgent\r\nGREEN ${'long'.repeat(60)}`,
  skills: Array.from({ length: 9 }, () => skill),
  '\u001b]0;title\u0007': 1,
};

const FILES: Readonly<Record<string, unknown>> = {
  green: cardAt(PUBLIC),
  red: cardAt(PUBLIC, { skills: [skill], url: PUBLIC }),
  wide: cardAt(PUBLIC, { name: '請'.repeat(72) }),
  hostile: cardAt(PUBLIC, HOSTILE),
  endless: cardAt(PUBLIC, {
    name: '💥'.repeat(20_000),
    supportedInterfaces: Array(100).fill({ url: `${PUBLIC}/${'x'.repeat(500)}` }),
  }),
  local: cardAt('http://127.0.0.1:9999'),
  http: cardAt('http://a.example.com'),
  message,
  unknown: { ...message, extra: 1 },
  bundle: json(readFileSync(new URL('../../schemas/a2a-1.0.json', import.meta.url), 'utf8')),
  nobundle: { $defs: {} },
  text: '"a text"',
  large: `{"name":"${'x'.repeat(300_000)}"}`,
};

/** What the server answers at the well-known place under each path, and at any other path below it. */
const CARDS: Readonly<Record<string, { readonly status?: number; readonly changes?: object }>> = {
  ok: { changes: {} },
  hostile: { changes: HOSTILE },
  forbidden: { status: 403 },
  broken: { status: 500 },
};

export interface Case {
  /** Words of the command line. */
  readonly run: string;
  readonly status: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
  readonly stdin?: readonly Uint8Array[];
}

export interface Targets {
  /** The folder of the files, once the tests run. */
  folder(): string;
  /** Runs a command line in which `@name` is a file and `%path` a URL of the server. */
  go(words: readonly string[], setup?: Setup): Promise<Ended>;
  /** One test per case. What a case does not name stays empty. */
  holds(cases: Readonly<Record<string, Case>>): void;
}

/** Sets up a test file: files and a server with cards, both gone at its end. */
export function useTargets(): Targets {
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
  const go: Targets['go'] = (words, setup) => {
    const place = (word: string): string =>
      word.startsWith('@') ? join(folder, `${word.slice(1)}.json`) : word.replace(/^%/, `${server.origin}/`);
    return cli(words.map(place), setup);
  };
  return {
    folder: () => folder,
    go,
    holds(cases) {
      it.each(Object.entries(cases))('%s', async (_, { run: words, status, out = /^$/, err = /^$/, stdin = [] }) => {
        const ended = await go(words.split(' '), { stdin });
        expect(flat(ended.out)).toMatch(out);
        expect(flat(ended.err)).toMatch(err);
        expect(ended.status).toBe(status);
        expect(ended.out + ended.err).not.toMatch(CONTROL);
      });
    },
  };
}
