/** This file only compiles: every line is a statement about the types of the package, and a wrong use is an error. */

import type { createGuard as createCoreGuard } from '../src/core.ts';
import {
  type Agent,
  type AgentCard,
  type CardReport,
  type CHECKS,
  type CheckId,
  createGuard,
  type Finding,
  findTicket,
  type GuardError,
  type GuardOptions,
  isGuardError,
  type Layer,
  type ListTasksResponse,
  type Message,
  type Part,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPhase,
  type TaskState,
  type Ticket,
  type TicketCode,
  type taskPhase,
  type Verdict,
} from '../src/index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_T extends true>(): void => {};

/** Never called. */
export async function guards(options: GuardOptions): Promise<void> {
  const guard = createGuard(options);
  is<Equal<typeof guard, ReturnType<typeof createCoreGuard>>>();
  is<Equal<ReturnType<typeof guard.checkCard>, CardReport>>();
  is<Equal<ReturnType<typeof guard.check>, readonly Finding[]>>();
  is<Equal<Awaited<ReturnType<typeof guard.discover>>, Agent>>();
  is<Equal<Awaited<ReturnType<typeof guard.agent>>, Agent>>();

  guard.checkCard('{}', { target: 'a', cardUrl: new URL('https://a.example'), plan: { streaming: true } });
  guard.checkCard(new Uint8Array());
  // @ts-expect-error a card is text, bytes or an object
  guard.checkCard(5);
  // @ts-expect-error a flag of the plan is true or false
  guard.checkCard('{}', { plan: { streaming: 'yes' } });
  // @ts-expect-error an unknown option
  guard.checkCard('{}', { url: 'https://a.example' });
  // @ts-expect-error there are two directions
  guard.check('#/$defs/Task', {}, { direction: 'in' });
  // @ts-expect-error discover needs a URL
  await guard.discover();
}

/** Never called. */
export function optionsOfGuards(): void {
  createGuard();
  createGuard({ preset: 'interop', rules: { 'modes-media-type': 'error', 'interface-url': 'entry' } });
  createGuard({ credentials: { key: 'text', other: async () => 'text' }, onTicket: (ticket: Ticket) => void ticket });
  // @ts-expect-error there are two presets
  createGuard({ preset: 'lenient' });
  // @ts-expect-error there are four severities
  createGuard({ rules: { 'modes-media-type': 'fatal' } });
  // @ts-expect-error an unknown option
  createGuard({ strict: true });
  // @ts-expect-error an unknown limit
  createGuard({ limits: { bytes: 1 } });
  // @ts-expect-error sizes are numbers
  createGuard({ limits: { cardBytes: '1' } });
  // @ts-expect-error flags are true or false
  createGuard({ network: { allowLoopback: 'yes' } });
  // @ts-expect-error options are not changed afterwards
  (({}) as GuardOptions).preset = 'strict';
}

/** Never called. */
export async function agents(agent: Agent, message: Message): Promise<void> {
  is<Equal<typeof agent.card, AgentCard>>();
  is<Equal<ReturnType<typeof agent.admit>, Verdict>>();

  const sent = await agent.sendMessage({ message }, { timeoutMs: 1000, skillId: 'track' });
  is<Equal<typeof sent, SendMessageResponse>>();
  if (sent.task !== undefined) {
    is<Equal<typeof sent.task, Task>>();
    is<Equal<typeof sent.message, undefined>>();
    is<Equal<typeof sent.task.status.state, TaskState>>();
  } else {
    is<Equal<typeof sent.message, Message>>();
  }

  for await (const event of agent.sendStreamingMessage({ message })) {
    is<Equal<typeof event, StreamResponse>>();
    if (event.statusUpdate !== undefined) is<Equal<typeof event.statusUpdate.status.state, TaskState>>();
    if (event.artifactUpdate !== undefined) is<Equal<typeof event.task, undefined>>();
    // @ts-expect-error an event of 1.0 has no kind
    void event.kind;
  }

  const task = await agent.getTask({ id: 't-1', historyLength: 0 });
  is<Equal<typeof task, Task>>();
  is<Equal<Awaited<ReturnType<typeof agent.cancelTask>>, Task>>();
  is<Equal<Awaited<ReturnType<typeof agent.listTasks>>, ListTasksResponse>>();
  is<Equal<Awaited<ReturnType<typeof agent.getExtendedAgentCard>>, AgentCard>>();
  is<Equal<Awaited<ReturnType<typeof agent.deleteTaskPushNotificationConfig>>, void>>();
  is<Equal<ReturnType<typeof taskPhase>, TaskPhase>>();

  agent.admit('SendMessage', { message });
  agent.call('message/send', { message });
  // @ts-expect-error GetTask needs an id
  await agent.getTask({});
  // @ts-expect-error 0.3 called it taskId
  await agent.getTask({ taskId: 't-1' });
  // @ts-expect-error the message is wrapped
  await agent.sendMessage(message);
  // @ts-expect-error an unknown option of a call
  await agent.sendMessage({ message }, { timeout: 1000 });
  // @ts-expect-error the card is read only
  agent.card.name = 'Other';
  // @ts-expect-error a task is read only
  task.status = { state: 'TASK_STATE_COMPLETED' };
  // @ts-expect-error an answer has a task or a message, it is neither itself
  void sent.status;
}

/** Never called. */
export function parts(): void {
  const good: readonly Part[] = [
    { text: '' },
    { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
    { url: 'https://a.example/a.png' },
    { data: null },
    { data: [1, { a: true }], metadata: { note: 'x' } },
  ];
  void good;
  // @ts-expect-error a part has a content
  const none: Part = { mediaType: 'text/plain' };
  // @ts-expect-error exactly one content
  const two: Part = { text: 'a', url: 'https://a.example' };
  // @ts-expect-error 0.3 named the sort of a part by kind
  const old: Part = { kind: 'text', text: 'a' };
  // @ts-expect-error bytes travel as base64 text
  const bytes: Part = { raw: new Uint8Array() };
  // @ts-expect-error data is JSON
  const date: Part = { data: new Date() };
  void [none, two, old, bytes, date];

  const message: Message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'a' }] };
  // @ts-expect-error a role by its full name
  const role: Message = { ...message, role: 'user' };
  // @ts-expect-error the UNSPECIFIED name means not set
  const unset: Task = { id: 't-1', status: { state: 'TASK_STATE_UNSPECIFIED' } };
  // @ts-expect-error a state is not the state of 0.3
  const state: TaskState = 'completed';
  void [role, unset, state];
}

/** Never called. */
export function tickets(error: unknown): void {
  if (isGuardError(error)) {
    is<Equal<typeof error, GuardError>>();
    is<Equal<typeof error.ticket, Ticket>>();
    is<Equal<typeof error.layer, Layer>>();
    is<Equal<typeof error.code, TicketCode>>();
  }
  const ticket = findTicket(error);
  is<Equal<typeof ticket, Ticket | undefined>>();
  // @ts-expect-error there may be none
  void ticket.layer;
  if (ticket === undefined) return;
  is<Equal<typeof ticket.kind, 'a2a-failure-ticket'>>();
  is<Equal<typeof ticket.v, 1>>();
  is<Equal<typeof ticket.direction, 'outgoing' | 'incoming' | undefined>>();
  is<Equal<(typeof ticket.findings)[number]['id'], CheckId>>();
  is<Equal<(typeof CHECKS)[number]['id'], CheckId>>();
  // @ts-expect-error a ticket is frozen
  ticket.message = '';
  // @ts-expect-error so are its findings
  ticket.findings.push(ticket.findings[0]);
  // @ts-expect-error the layer is one of ten
  const layer: Layer = 'network';
  // @ts-expect-error an id of a check is one of the table
  const id: CheckId = 'required-nam';
  void [layer, id];
}
