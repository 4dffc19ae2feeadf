/** Wraps an outgoing send (`message/send`, which 1.0 calls SendMessage): the caller gets a result or a ticket. */
import assert from 'node:assert/strict';
import {
  createGuard,
  findTicket,
  type Guard,
  type Part,
  type SendMessageResponse,
  type Ticket,
  taskPhase,
} from 'a2a-guard';
import { startAgent } from './support/agent.ts';

type Delegation = { readonly result: SendMessageResponse } | { readonly ticket: Ticket };

/** Delegates to the agent at this URL. What the guard refuses, and what fails, comes back as a ticket. */
async function delegate(guard: Guard, url: string, ...parts: Part[]): Promise<Delegation> {
  try {
    const agent = await guard.discover(url);
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts } as const;
    return { result: await agent.sendMessage({ message }, { timeoutMs: 10_000 }) };
  } catch (error) {
    const ticket = findTicket(error);
    if (ticket === undefined) throw error; // a mistake in this program, not a failed delegation
    return { ticket };
  }
}

const server = await startAgent();
const guard = createGuard({ network: { allowLoopback: true } });

const answered = await delegate(guard, server.origin, { text: 'Where is parcel 42?' });
assert('result' in answered && answered.result.task !== undefined);
assert.equal(taskPhase(answered.result.task), 'succeeded');
console.log(`answered: "${answered.result.task.artifacts?.[0]?.parts[0]?.text}"`);

const asked = await delegate(guard, server.origin, { text: 'ask me' });
assert('result' in asked && asked.result.task !== undefined);
assert.equal(taskPhase(asked.result.task), 'interrupted');
console.log(`asked:    "${asked.result.task.status.message?.parts[0]?.text}" (our move, not a failure)`);

const refused = await delegate(guard, server.origin, { raw: 'iVBORw0KGgo=', mediaType: 'image/png' });
assert('ticket' in refused);
assert.deepEqual([refused.ticket.code, refused.ticket.blocked], ['ContentTypeNotSupportedError', true]);
assert.equal(server.requests.length, 2);
console.log(`refused:  ${refused.ticket.layer}, next: ${refused.ticket.next}; ${refused.ticket.message}`);

await server.close();
const failed = await delegate(guard, server.origin, { text: 'Where is parcel 42?' });
assert('ticket' in failed);
// The card is still fresh, so it is not fetched again: what fails is the call.
assert.deepEqual([failed.ticket.layer, failed.ticket.code], ['transport', 'TransportError']);
console.log(`failed:   ${failed.ticket.layer}, next: ${failed.ticket.next}, retryable: ${failed.ticket.retryable}`);

await guard.close();
