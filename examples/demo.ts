import assert from 'node:assert/strict';
import { type CardReport, createGuard, findTicket, type Part, type SendMessageRequest, type Ticket } from 'a2a-guard';
import { type CardChanges, sampleCard, startAgent } from './support/agent.ts';
import { heading, json, row } from './support/print.ts';
import { startRubbishAgent } from './support/rubbish.ts';

const tickets: Ticket[] = [];
const guard = createGuard({
  network: { allowLoopback: true },
  onTicket: (ticket) => tickets.push(ticket),
});

const message = (...parts: Part[]): SendMessageRequest => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts },
});

/** The ticket of a call that must not go through. */
async function refusal(call: Promise<unknown>): Promise<Ticket> {
  const error = await call.then(
    () => assert.fail('the call went through'),
    (thrown: unknown) => thrown,
  );
  const ticket = findTicket(error);
  if (ticket === undefined) throw error;
  row('refused', `${ticket.layer} / ${ticket.code}${ticket.jsonRpcCode ? ` (${ticket.jsonRpcCode})` : ''}`);
  row('because', ticket.message);
  return ticket;
}

const threeBindings = (url: string): CardChanges => ({
  supportedInterfaces: [
    { url: new URL(url).host, protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: url.replace('/a2a', '/rest'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
});

console.log('a2a-guard: what stands between "we found an agent" and "we delegated to it"');
const desk = await startAgent({ card: threeBindings });
const quiet = await startAgent({ card: { name: 'Night Desk', capabilities: {} } });
const liar = await startRubbishAgent({ task: {} });

heading('1  Discovery of a real agent: which interface is called, and why');
const agent = await guard.discover(desk.origin);
for (const { binding, version, chosen, why } of agent.considered) {
  console.log(` ${chosen ? '>' : ' '} ${binding.padEnd(10)}${version}  ${why}`);
}
assert.equal(agent.interface.binding, 'JSONRPC');
assert.equal(agent.report.ok, true);

heading('2  A guarded send: what goes out and what comes back is checked');
const { task } = await agent.sendMessage(message({ text: 'Where is parcel 42?' }));
const answer = task?.artifacts?.[0]?.parts[0]?.text;
row('task', `${task?.status.state}: "${answer}"`);
row('tickets', String(tickets.length));
assert.equal(task?.status.state, 'TASK_STATE_COMPLETED');
assert.equal(answer, 'Parcel 42 is in Turin.');
assert.equal(tickets.length, 0);

heading('3  A subscription to an agent whose card does not declare streaming');
const night = await guard.discover(quiet.origin);
const unsubscribed = await refusal(night.subscribeToTask({ id: task.id }).next());
row('requests', `${quiet.requests.length} seen by the agent`);
assert.deepEqual([unsubscribed.layer, unsubscribed.code], ['capability', 'UnsupportedOperationError']);
assert.equal(quiet.requests.length, 0);

heading('4  An image to an agent that takes text/plain');
const unseen = await refusal(night.sendMessage(message({ raw: 'iVBORw0KGgo=', mediaType: 'image/png' })));
row('requests', `${quiet.requests.length} seen by the agent`);
assert.equal(unseen.code, 'ContentTypeNotSupportedError');
assert.equal(quiet.requests.length, 0);

heading('5  A red card: leftovers of 0.x, a skill without tags, the shape of an MCP tool');
const [skill] = sampleCard('').skills;
const redCard = {
  ...sampleCard('https://invoices.example.com/a2a'),
  name: 'Invoice Desk',
  url: 'https://invoices.example.com/a2a',
  protocolVersion: '1.0',
  skills: [
    { ...skill, tags: [] },
    { ...skill, id: 'book', inputSchema: { type: 'object' } },
  ],
};
const report: CardReport = guard.checkCard(redCard, { target: 'invoice-desk.json' });
row('report', `schemaPass: ${report.schemaPass}, ok: ${report.ok}, next: ${report.next}`);
for (const { layer, id, path } of report.findings) row(layer, `${id.padEnd(30)}${path}`);
await refusal(guard.agent(redCard));
const failed = report.specChecks.filter(({ pass }) => !pass).map(({ id }) => id);
assert.deepEqual(failed.sort(), [
  'no-skill-inputSchema',
  'no-top-level-protocolVersion',
  'no-top-level-url',
  'skills-tags-nonempty',
]);
assert.deepEqual([report.schemaPass, report.ok, report.next], [false, false, 'fix-card']);

heading('6  An agent with a perfect card that answers {"task":{}}');
const nonsense = await refusal((await guard.discover(liar.origin)).sendMessage(message({ text: 'hello' })));
assert.deepEqual([nonsense.layer, nonsense.direction], ['traffic', 'incoming']);
assert.deepEqual([nonsense.code, nonsense.blocked], ['InvalidAgentResponseError', false]);

heading('7  What the person on call reads (tickets have more: findings, agent, ids ...)');
for (const { layer, code, blocked, next, id, message: text } of tickets) {
  const short = text.length > 58 ? `${text.slice(0, 57)}…` : text;
  json({ layer, code, blocked, next, id: id.slice(0, 8), message: short });
}
assert.deepEqual(
  tickets.map(({ layer }) => layer),
  ['capability', 'traffic', 'schema', 'traffic'],
);

await guard.close();
await Promise.all([desk, quiet, liar].map((server) => server.close()));
