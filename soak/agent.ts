/** The agent of the soak, in a process of its own: it answers each call in the way that the call itself names. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerName, RESPONSE_BYTES, type StreamName } from './behaviours.ts';

interface Call {
  readonly name: string;
  readonly id: number;
  readonly response: ServerResponse;
  /** A JSON-RPC answer with this result. */
  wrap(result: unknown): string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS_TYPE = { 'content-type': 'text/event-stream' };
const MESSAGE = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'At the depot.' }] } };

const taskOf = ({ name, id }: Call, state: string): object => ({
  id: name.includes('#') ? name : `t-${id}`,
  contextId: 'c',
  status: { state },
});

/** The result of the operation: a task that was asked for stands bare. */
const resultOf = (call: Call, state = 'TASK_STATE_COMPLETED'): object =>
  call.name.includes('#') ? taskOf(call, state) : { task: taskOf(call, state) };

const send = (response: ServerResponse, body: string | Uint8Array, headers: object = JSON_TYPE): void => {
  response.writeHead(200, { ...headers });
  response.end(body);
};

/** Leaves a body unfinished; what happens then is for the caller of this. */
function begin(call: Call): void {
  const { response, wrap } = call;
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' });
  response.write(wrap(resultOf(call)).slice(0, 40));
}

const ANSWER: Readonly<Record<AnswerName, (call: Call) => unknown>> = {
  'answers well': (call) => send(call.response, call.wrap(resultOf(call))),
  'answers with a message': (call) =>
    send(call.response, call.wrap(call.name.includes('#') ? resultOf(call) : MESSAGE)),
  'ends the task as failed': (call) => send(call.response, call.wrap(resultOf(call, 'TASK_STATE_FAILED'))),
  async 'answers piece by piece'(call) {
    call.response.writeHead(200, JSON_TYPE);
    for (const piece of call.wrap(resultOf(call)).match(/.{1,40}/gs) ?? []) {
      call.response.write(piece);
      await sleep(1);
    }
    call.response.end();
  },
  'closes the connection later'(call) {
    const { socket } = call.response;
    send(call.response, call.wrap(resultOf(call)));
    setTimeout(() => socket?.destroy(), 5);
  },
  'answers twice'(call) {
    const body = call.wrap(resultOf(call));
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    call.response.socket?.write(`${head}${body}${head}${body}`);
    call.response.socket?.end();
  },
  'answers with an error': ({ id, response }) =>
    send(response, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } })),
  'resets at once': ({ response }) => response.socket?.resetAndDestroy(),
  async 'resets in the body'(call) {
    begin(call);
    await sleep(2);
    call.response.socket?.resetAndDestroy();
  },
  'stalls before the headers': () => {},
  'stalls in the body': (call) => begin(call),
  'cuts the JSON': (call) => send(call.response, call.wrap(resultOf(call)).slice(0, -5)),
  'answers with two bodies': (call) => send(call.response, call.wrap(resultOf(call)).repeat(2)),
  'answers another call': (call) =>
    send(call.response, JSON.stringify({ jsonrpc: '2.0', id: call.id + 1_000_000, result: resultOf(call) })),
  'answers with junk': ({ response }) => send(response, Buffer.from([0xff, 0xfe, 0, 1, 2, 0x7b])),
  'answers with a page': ({ response }) => send(response, '<html>busy</html>', { 'content-type': 'text/html' }),
  'answers too much': (call) => send(call.response, call.wrap({ text: 'x'.repeat(RESPONSE_BYTES) })),
};

/** Streams wait until the caller says that all are open, but not for ever. */
const gate = { isOpen: false };
const PATIENCE_MS = 10_000;

async function* untilAllAreOpen(): AsyncGenerator<void> {
  const until = Date.now() + PATIENCE_MS;
  while (!gate.isOpen && Date.now() < until) {
    await sleep(100);
    yield;
  }
}

const STREAM: Readonly<Record<StreamName, (call: Call, event: (result: unknown) => void) => unknown>> = {
  'streams well': (call, event) => finish(call, event).end(),
  'stays open after the end': (call, event) => finish(call, event),
  async 'resets after the end'(call, event) {
    finish(call, event);
    await sleep(20);
    call.response.socket?.resetAndDestroy();
  },
  'is left by the caller': (call, event) => finish(call, event),
  'is stopped by the caller': () => {},
  'resets in the middle': ({ response }) => response.socket?.resetAndDestroy(),
  'stalls in the middle': () => {},
  'ends in an event': ({ response }) => response.end('data: {"jsonrpc":'),
  'sends junk': ({ response }) => response.end('data: \u0000<junk>\n\n'),
  'goes on after the end'(call, event) {
    finish(call, event);
    event(updateOf(call, 'TASK_STATE_WORKING'));
  },
};

const updateOf = ({ id }: Call, state: string): object => ({
  statusUpdate: { taskId: `t-${id}`, contextId: 'c', status: { state } },
});

function finish(call: Call, event: (result: unknown) => void): ServerResponse {
  event(updateOf(call, 'TASK_STATE_WORKING'));
  event(updateOf(call, 'TASK_STATE_COMPLETED'));
  return call.response;
}

async function stream(call: Call): Promise<void> {
  const { response, name, wrap } = call;
  response.writeHead(200, EVENTS_TYPE);
  const event = (result: unknown): void => void response.write(`data: ${wrap(result)}\n\n`);
  event({ task: taskOf(call, 'TASK_STATE_WORKING') });
  for await (const _ of untilAllAreOpen()) response.write(': waiting\n\n');
  await STREAM[name as StreamName](call, event);
}

interface Request {
  readonly id: number;
  readonly params: {
    readonly id?: string;
    readonly message?: { readonly parts: readonly { readonly text: string }[] };
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { id, params } = JSON.parse(text) as Request;
  const name = params.message?.parts[0]?.text ?? params.id ?? '';
  const wrap = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  const call: Call = { name, id, response, wrap };
  if (Object.hasOwn(STREAM, name)) await stream(call);
  else await ANSWER[name.replace(/#.*/, '') as AnswerName](call);
}

/** Connections that may wait to be taken: all streams come at once. */
const BACKLOG = 4096;

// The client may leave, or reset, at any point; that is its right here.
const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
// The caller has to close what it has no use for.
server.keepAliveTimeout = 120_000;
server.on('connection', (socket) => socket.on('error', () => {}));
server.listen(0, '127.0.0.1', BACKLOG, () => process.send?.((server.address() as AddressInfo).port));
process.on('message', (word) => {
  if (word === 'go') gate.isOpen = true;
  else server.getConnections((_error, count) => process.send?.(count));
});
process.on('disconnect', () => process.exit(0));
