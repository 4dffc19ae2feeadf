/** Subscribes where the card declares streaming, and asks again and again where it does not. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, createGuard, findTicket, type TaskState, taskPhase } from 'a2a-guard';
import { type SampleAgent, startAgent } from './support/agent.ts';

/** Follows a task to its end. The verdict costs no request: it comes from the card. */
async function follow(agent: Agent, id: string): Promise<TaskState | undefined> {
  let state: TaskState | undefined;
  if (agent.admit('SubscribeToTask', { id }).ok) {
    for await (const { task, statusUpdate } of agent.subscribeToTask({ id })) {
      state = (task ?? statusUpdate)?.status.state ?? state;
    }
    return state;
  }
  for (let tries = 0; tries < 100; tries += 1) {
    const task = await agent.getTask({ id });
    state = task.status.state;
    if (taskPhase(task) !== 'active') break;
    await sleep(20);
  }
  return state;
}

async function run(server: SampleAgent): Promise<string[]> {
  const agent = await guard.discover(server.origin);
  const { task } = await agent.sendMessage({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'slow' }] },
    configuration: { returnImmediately: true },
  });
  assert(task !== undefined);
  const followed = follow(agent, task.id);
  while (server.requests.length < 2) await sleep(5);
  await agent.cancelTask({ id: task.id });
  assert.equal(await followed, 'TASK_STATE_CANCELED');
  return [...new Set(server.requests.map(({ method }) => String(method)))];
}

const guard = createGuard({ network: { allowLoopback: true } });
const streams = await startAgent();
const polls = await startAgent({ card: { capabilities: { streaming: false } } });

const streamed = await run(streams);
const polled = await run(polls);
console.log(`declared:   ${streamed.join(', ')}`);
console.log(`undeclared: ${polled.join(', ')}`);
assert(streamed.includes('SubscribeToTask') && !streamed.includes('GetTask'));
assert(polled.includes('GetTask') && !polled.includes('SubscribeToTask'));

// Who subscribes without asking is stopped all the same, before anything is sent.
const before = polls.requests.length;
const events = (await guard.discover(polls.origin)).subscribeToTask({ id: 'any' });
const ticket = findTicket(await events.next().catch((error: unknown) => error));
console.log(`not asked:  ${ticket?.layer}/${ticket?.code}, ${polls.requests.length - before} requests`);
assert.deepEqual([ticket?.code, ticket?.blocked, polls.requests.length], ['UnsupportedOperationError', true, before]);

await Promise.all([guard, streams, polls].map((started) => started.close()));
