import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, type Ended, flat, json } from './support/cli.ts';
import { answer, type SeenRequest, startServer, type TestServer } from './support/server.ts';

/** Runs `send`; `%path` is the URL of an agent of the server. */
const send = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  cli(['send', ...words.map((word) => word.replace(/^%/, `${server.origin}/`))], { env });

const lines = (text: string): unknown[] => text.trim().split('\n').map(json);

type Respond = Parameters<typeof answer>[0];
interface Rpc {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly message: Record<string, unknown> };
}

interface AgentUnderTest {
  readonly card?: object;
  /** What it does with a call; by default it answers with a message. */
  readonly call?: (response: Respond, rpc: Rpc) => void;
}

const succeed = (result: object) => (response: Respond, rpc: Rpc) =>
  answer(response, { jsonrpc: '2.0', id: rpc.id, result });
const fail = (error: object) => (response: Respond, rpc: Rpc) =>
  answer(response, { jsonrpc: '2.0', id: rpc.id, error });
const stream =
  (...events: object[]) =>
  (response: Respond, rpc: Rpc) => {
    const text = events.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result })}\n\n`);
    answer(response, text.join(''), 200, { 'content-type': 'text/event-stream' });
  };

const taskIn = (state: string, more: object = {}) => ({
  task: { id: 't-1', contextId: 'c-1', status: { state }, ...more },
});
const updateTo = (state: string) => ({ statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state } } });
const messageOf = (text: string, more: object = {}) => ({
  message: { messageId: 'm-2', role: 'ROLE_AGENT', parts: [{ text }], ...more },
});
const artifact = { artifactId: 'a-1', name: 'Bill', parts: [{ text: 'Paid.' }, { data: { total: 17 } }] };
const piece = { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact, lastChunk: true } };

const AGENTS: Readonly<Record<string, AgentUnderTest>> = {
  plain: { card: { capabilities: {} } },
  done: { call: succeed(taskIn('TASK_STATE_COMPLETED', { artifacts: [artifact] })) },
  failed: { call: succeed(taskIn('TASK_STATE_FAILED')) },
  canceled: { call: succeed(taskIn('TASK_STATE_CANCELED')) },
  waiting: { call: succeed(taskIn('TASK_STATE_INPUT_REQUIRED')) },
  working: { call: stream(taskIn('TASK_STATE_WORKING'), piece, updateTo('TASK_STATE_COMPLETED')) },
  rejecting: { call: stream(taskIn('TASK_STATE_WORKING'), updateTo('TASK_STATE_REJECTED')) },
  hostile: { call: succeed(messageOf('one\n\u001b[2Jtwo\u202e', { contextId: 'c\u0007' })) },
  erring: { call: fail({ code: -32001, message: 'no such task\u001b[0m' }) },
  unfit: { call: succeed({ task: { id: 't-1' } }) },
  gone: { call: (response) => answer(response, 'nothing here', 404, { 'content-type': 'text/plain' }) },
  locked: { call: (response) => answer(response, '', 401) },
  reset: { call: (response) => void response.destroy() },
  silent: { call: () => {} },
  red: { card: { skills: [] } },
  grpc: {
    card: { supportedInterfaces: [{ url: 'a.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }] },
  },
  secured: {
    card: {
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { token: { list: [] } } }],
    },
  },
};

let server: TestServer;
const calls = (): SeenRequest[] => server.seen.filter(({ method }) => method === 'POST');
const lastCall = (): Rpc => json(calls().at(-1)?.body ?? '');

beforeAll(async () => {
  server = await startServer((request, response) => {
    const name = request.path.split('/')[1] ?? '';
    const agent = name === 'ok' ? {} : AGENTS[name];
    if (agent === undefined) return answer(response, 'no', 404);
    if (request.method === 'GET') {
      return answer(response, {
        name: 'Invoice Agent',
        description: 'Answers questions about invoices.',
        version: '1.4.0',
        supportedInterfaces: [
          { url: `${server.origin}/${name}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain', 'application/json'],
        skills: [{ id: 'ask', name: 'Ask', description: 'Answers.', tags: ['invoice'] }],
        ...agent.card,
      });
    }
    (agent.call ?? succeed(messageOf('It is paid.')))(response, json<Rpc>(request.body));
  });
});
afterAll(() => server.close());

describe('send delivers a text and prints the checked answer', () => {
  it('sends one text part of the user, with a fresh id each time', async () => {
    await send(['%ok', 'Is invoice 17 paid?']);
    const first = lastCall();
    const parts = [{ text: 'Is invoice 17 paid?', mediaType: 'text/plain' }];
    expect(first).toMatchObject({ method: 'SendMessage', params: { message: { role: 'ROLE_USER', parts } } });
    await send(['%ok', 'again', '--task', 't-1', '--context', 'c-1', '--skill', 'ask']);
    const second = lastCall().params.message;
    expect(second).toMatchObject({ taskId: 't-1', contextId: 'c-1' });
    expect(second.messageId).not.toBe(first.params.message.messageId);
  });
  it('prints a message and a task for people', async () => {
    expect(await send(['%ok', 'hi'])).toEqual({
      status: 0,
      out: 'message   from the agent, id m-2\n          It is paid.\n',
      err: '',
    });
    const { out } = await send(['%done', 'hi']);
    expect(out).toBe(
      'task      t-1\ncontext   c-1\nartifact  a-1 "Bill"\n          Paid.\n          data {"total":17}\nstate     COMPLETED\n',
    );
  });
  it('prints the result of the wire as JSON', async () => {
    const { out } = await send(['%done', 'hi', '--format', 'json']);
    expect(json(out)).toEqual(taskIn('TASK_STATE_COMPLETED', { artifacts: [artifact] }));
  });
  it('prints each event of a stream, as text or as one line of JSON', async () => {
    const text = await send(['%working', 'hi', '--stream']);
    expect(flat(text.out)).toBe(
      'task t-1 context c-1 state WORKING artifact a-1 "Bill" (last piece) Paid. data {"total":17} state COMPLETED',
    );
    const { status, out } = await send(['%working', 'hi', '--stream', '-f', 'json']);
    expect(status).toBe(0);
    expect(lines(out)).toEqual([taskIn('TASK_STATE_WORKING'), piece, updateTo('TASK_STATE_COMPLETED')]);
  });
  it('escapes what an agent says', async () => {
    const text = await send(['%hostile', 'hi']);
    expect(text.out).toBe(
      'message   from the agent, id m-2, context c\\u0007\n          one\n          \\u001b[2Jtwo\\u202e\n',
    );
    const { out } = await send(['%hostile', 'hi', '-f', 'json']);
    for (const char of ['\u001b', '\u202e']) expect(out).not.toContain(char);
    expect(json(out)).toEqual(messageOf('one\n\u001b[2Jtwo\u202e', { contextId: 'c\u0007' }));
  });
  it('takes a secret from the environment and sends it where the card says', async () => {
    const { status } = await send(['%secured', 'hi', '--credential', 'token=INVOICE_TOKEN'], {
      INVOICE_TOKEN: 's3cret',
    });
    expect(status).toBe(0);
    expect(calls().at(-1)?.headers.authorization).toBe('Bearer s3cret');
  });
});

describe('what fails is a ticket on stderr, and the status says what kind', () => {
  interface Case {
    readonly argv: readonly string[];
    readonly status: number;
    readonly err?: RegExp;
    readonly out?: RegExp;
    /** Calls that the agent saw; a refusal sends none. */
    readonly sent?: number;
  }
  const CASES: Readonly<Record<string, Case>> = {
    'a task that failed is delivered': {
      argv: ['%failed', 'hi'],
      status: 1,
      out: /FAILED/,
      err: /^warning agent \/ TaskFailed/,
    },
    'so is a canceled one': { argv: ['%canceled', 'hi'], status: 1, out: /CANCELED/ },
    'a stream that ends in rejection': {
      argv: ['%rejecting', 'hi', '--stream'],
      status: 1,
      out: /REJECTED/,
      err: /TaskRejected/,
    },
    'an agent that waits is no failure': { argv: ['%waiting', 'hi'], status: 0, out: /INPUT_REQUIRED .*--task/ },
    'an error of the agent, with its words': {
      argv: ['%erring', 'hi'],
      status: 1,
      err: /^failed agent \/ TaskNotFoundError .* it says no such task\\u001b\[0m$/,
    },
    'an answer that does not fit': {
      argv: ['%unfit', 'hi'],
      status: 1,
      err: /^failed traffic \/ InvalidAgentResponseError/,
    },
    'no streaming in the card': {
      argv: ['%plain', 'hi', '--stream'],
      status: 1,
      sent: 0,
      err: /^refused capability \/ UnsupportedOperationError/,
    },
    'a red card': { argv: ['%red', 'hi'], status: 1, sent: 0, err: /^refused spec \/ CardSpecError/ },
    'no interface in common': { argv: ['%grpc', 'hi'], status: 1, sent: 0, err: /NoMutualInterfaceError/ },
    'a skill that is not there': {
      argv: ['%ok', 'hi', '--skill', 'fly'],
      status: 1,
      sent: 0,
      err: /InvalidParamsError/,
    },
    'interop lets a red card pass': { argv: ['%red', 'hi', '--preset', 'interop'], status: 0, out: /paid/ },
    'so does a rule': { argv: ['%red', 'hi', '--rule', 'skills-nonempty=warn'], status: 0, out: /paid/ },
    'no such agent': { argv: ['%nobody', 'hi'], status: 3, sent: 0, err: /discovery \/ CardUnreachableError/ },
    'an endpoint that is not there': { argv: ['%gone', 'hi'], status: 3, err: /transport \/ TransportError/ },
    'a connection that breaks': { argv: ['%reset', 'hi'], status: 3, err: /wire-network/ },
    'missing credentials': {
      argv: ['%secured', 'hi'],
      status: 4,
      sent: 0,
      err: /CredentialsMissingError .*--credential/,
    },
    'credentials that are not accepted': { argv: ['%locked', 'hi'], status: 4, err: /next authenticate/ },
    'a variable that is not set': {
      argv: ['%secured', 'hi', '--credential', 'token=NO_TOKEN'],
      status: 4,
      sent: 0,
      err: /^(?!.*NO_TOKEN).*not set/,
    },
    'no answer in time': { argv: ['%silent', 'hi', '--timeout', '150'], status: 5, err: /wire-timeout/ },
    'no stream in time': { argv: ['%silent', 'hi', '--stream', '--timeout', '150'], status: 5, err: /wire-timeout/ },
    'a private address': {
      argv: ['http://10.0.0.1', 'hi'],
      status: 1,
      sent: 0,
      err: /^refused trust .*--allow-private/,
    },
    'a URL that is none': { argv: ['agents', 'hi'], status: 2, sent: 0, err: /expected an absolute URL/ },
    'no text': { argv: ['%ok'], status: 2, sent: 0, err: /missing required argument 'text'/ },
    'a secret on the command line': {
      argv: ['%ok', 'hi', '--credential', 'token=s3-cr3t'],
      status: 2,
      sent: 0,
      err: /^(?!.*: s3-cr3t).*not the secret itself/,
    },
    'a misspelt option': { argv: ['%ok', 'hi', '--streem'], status: 2, sent: 0, err: /Did you mean --stream/ },
    'an unknown check': {
      argv: ['%ok', 'hi', '--rule', 'rol=off'],
      status: 2,
      sent: 0,
      err: /--rule: there is no check "rol"/,
    },
  };
  it.each(Object.entries(CASES))('%s', async (_, { argv, status, sent = 1, out = /^$/, err = /^$/ }) => {
    const before = calls().length;
    const ended = await send(argv);
    expect(flat(ended.err)).toMatch(err);
    expect(flat(ended.out)).toMatch(out);
    expect(ended.status).toBe(status);
    expect(calls().length - before).toBe(sent);
    expect(Math.max(...ended.err.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
  it('a ticket is one line of JSON with --format json', async () => {
    const { status, out, err } = await send(['%secured', 'hi', '-f', 'json']);
    expect({ status, out }).toEqual({ status: 4, out: '' });
    expect(lines(err)).toMatchObject([{ kind: 'a2a-failure-ticket', code: 'CredentialsMissingError', blocked: true }]);
  });
});

describe('the built program', () => {
  const start = (...argv: string[]) =>
    spawn(process.execPath, ['dist/cli/main.js', ...argv], { cwd: new URL('..', import.meta.url) });
  const textOf = async (source: AsyncIterable<Buffer>): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of source) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };

  it('checks what comes on stdin, prints to stdout, and ends by itself', async () => {
    const child = start('check', '-', '--format', 'json');
    child.stdin.end('[]');
    const [out, err, [status]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
    expect({ status, err, report: json(out) }).toMatchObject({ status: 1, err: '', report: { parse: false } });
  });
  it('sends, and ends although the connection is kept alive', async () => {
    const child = start('send', `${server.origin}/ok`, 'hi');
    const [out, [status]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining('It is paid.') });
  });
  it('says nothing of a reader that went away', async () => {
    const child = start('explain');
    child.stdout.destroy();
    const [err] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    expect(err).toBe('');
  });
});
