/** The official SDK's client behind a guard: cards, calls and answers are judged; legal calls give the same results. */
import assert from 'node:assert/strict';
import { SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { InvalidAgentResponseError } from '@a2a-js/sdk/errors';
import { createGuard, findTicket, type Ticket } from 'a2a-guard';
import { guardedOptions } from 'a2a-guard/sdk';
import { startAgent } from './support/agent.ts';
import { startRubbishAgent } from './support/rubbish.ts';

const say = (text: string): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
  });
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail('it went through'),
    (error: unknown) => error,
  );

const server = await startAgent();
const quiet = await startAgent({ card: { capabilities: {} } });
const red = await startAgent({ card: { skills: [] } });
const liar = await startRubbishAgent({ task: {} });

const guard = createGuard({ network: { allowLoopback: true } });
const factory = new ClientFactory(guardedOptions(guard)); // the one line that changes

const client = await factory.createFromUrl(server.origin);
const sent = await client.sendMessage(say('Where is parcel 42?'));
assert('status' in sent && sent.status?.state === TaskState.TASK_STATE_COMPLETED);
console.log('legal:   a completed task, as without the guard');

// Alone, the SDK turns a stream that the card does not declare into a plain send, and says nothing.
const stream = (await factory.createFromUrl(quiet.origin)).sendMessageStream(say('hello'));
const refused = findTicket(await thrownBy(stream.next()));
console.log(`refused: ${refused?.layer}/${refused?.code}, ${quiet.requests.length} requests`);
assert.deepEqual([refused?.code, quiet.requests.length], ['UnsupportedOperationError', 0]);

const card = findTicket(await thrownBy(factory.createFromUrl(red.origin)));
console.log(`red:     ${card?.layer}/${card?.code}: ${card?.message}`);
assert.equal(card?.layer, 'spec');

// With refuse: 'answer' the program keeps its `instanceof` on the SDK's errors; the ticket id rides in their details.
const tickets: Ticket[] = [];
const onTicket = (ticket: Ticket): void => void tickets.push(ticket);
const answering = createGuard({ network: { allowLoopback: true }, refuse: 'answer', onTicket });
const trusting = await new ClientFactory(guardedOptions(answering)).createFromUrl(liar.origin);
const error = await thrownBy(trusting.sendMessage(say('hello')));
assert(error instanceof InvalidAgentResponseError);
assert(JSON.stringify(error).includes(tickets[0]?.id ?? 'no ticket'));
console.log(`answer:  ${error.name}: ${error.message}`);

await Promise.all([guard, answering, server, quiet, red, liar].map((started) => started.close()));
