/** undici: our own client on a dispatcher of yours, and what undici's own request() does not show to the guard. */
import assert from 'node:assert/strict';
import { createGuard, findTicket } from 'a2a-guard';
import { Agent, request } from 'undici';
import { startAgent } from './support/agent.ts';

const server = await startAgent();
const other = await startAgent();

// Any undici dispatcher will do: a ProxyAgent, an Agent with client certificates, or a pool with interceptors as here.
const pool = new Agent({ connections: 2, connect: { timeout: 1_000 } });
const paths: string[] = [];
const dispatcher = pool.compose((dispatch) => (options, handler) => {
  paths.push(`${options.method} ${options.path}`);
  return dispatch(options, handler);
});

const guard = createGuard({ network: { allowLoopback: true }, dispatcher });
const agent = await guard.discover(server.origin);
const message = {
  messageId: crypto.randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text: 'Where is parcel 42?' }],
} as const;
const { task } = await agent.sendMessage({ message });
console.log(`through the dispatcher: ${paths.join(', ')}`);
assert.equal(task?.status.state, 'TASK_STATE_COMPLETED');
assert.deepEqual(paths, ['GET /.well-known/agent-card.json', 'POST /a2a']);

const image = { ...message, parts: [{ raw: 'iVBORw0KGgo=', mediaType: 'image/png' }] };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: image } });
const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };

// undici's own request() takes no fetch, and a dispatcher does not judge: an image goes to an agent that takes text.
await (await request(other.url, { method: 'POST', headers, body, dispatcher })).body.dump();
console.log(`request():   ${other.requests.length} call went past the guard`);
assert.equal(other.requests.length, 1);

// The same call with guard.fetch does not. It carries with the global fetch, but it fetched the card that decided with
// the guard's own client, so through the dispatcher.
const call = guard.fetch(other.url, { method: 'POST', headers, body });
const refused = await call.then(() => assert.fail('it went through'), findTicket);
console.log(`guard.fetch: ${refused?.layer}/${refused?.code}, still ${other.requests.length}`);
assert.deepEqual([refused?.code, other.requests.length], ['ContentTypeNotSupportedError', 1]);
assert.equal(paths.at(-1), 'GET /.well-known/agent-card.json');

// The dispatcher stays yours: closing the guard does not close it.
await guard.close();
await (await request(server.origin, { dispatcher })).body.dump();
await pool.close();
await Promise.all([server, other].map((started) => started.close()));
