/** Writes tickets to a log: by the guard's own sink, and by a diagnostics channel for code that has no guard at hand. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { createGuard, type Ticket } from 'a2a-guard';
import { pino } from 'pino';
import { startAgent } from './support/agent.ts';

const lines: string[] = [];
const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });

/** One line per ticket, at the ticket's own severity. Tickets hold no texts, parts or credentials. */
function logTicket(ticket: Ticket): void {
  const { id, layer, code, blocked, operation, taskId, durationMs, next } = ticket;
  log[ticket.severity]({ id, layer, code, blocked, operation, taskId, durationMs, next }, ticket.message);
}

// Every ticket of every guard in the process, for a tracer or a counter.
const counted = new Map<string, number>();
subscribe('a2a-guard:ticket', (message) => {
  const { layer, code } = message as Ticket;
  counted.set(`${layer}/${code}`, (counted.get(`${layer}/${code}`) ?? 0) + 1);
});

const server = await startAgent();
const guard = createGuard({ network: { allowLoopback: true }, onTicket: logTicket });
const agent = await guard.discover(server.origin);
const send = (text: string, mediaType = 'text/plain') =>
  agent.sendMessage({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text, mediaType }] },
  });

await send('hello'); // nothing to tell
await send('fail'); // delivered, and logged as a warning: the task ended FAILED
await send('my secret plan', 'text/markdown').catch(() => {}); // refused
await agent.getTask({ id: 'nowhere' }).catch(() => {}); // the agent says that there is no such task
await agent.getTask({ id: 'nowhere' }).catch(() => {});

for (const line of lines) console.log(line.trimEnd());
console.log(Object.fromEntries(counted));

const logged = lines.map((line) => JSON.parse(line) as { level: number; layer: string; code: string });
assert.deepEqual(
  logged.map(({ level, layer, code }) => `${log.levels.labels[level]} ${layer}/${code}`),
  [
    'warn agent/TaskFailed',
    'error traffic/ContentTypeNotSupportedError',
    'error agent/TaskNotFoundError',
    'error agent/TaskNotFoundError',
  ],
);
assert.equal(counted.get('agent/TaskNotFoundError'), 2);
assert(!lines.join().includes('secret'));

await guard.close();
await server.close();
