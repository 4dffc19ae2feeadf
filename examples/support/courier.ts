import { setTimeout as sleep } from 'node:timers/promises';
import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

/** Words that a message can start with, and the state in which they leave the task. */
const ENDINGS: ReadonlyMap<string, { readonly state: string; readonly says: string }> = new Map([
  ['fail', { state: 'TASK_STATE_FAILED', says: 'The courier system is down.' }],
  ['reject', { state: 'TASK_STATE_REJECTED', says: 'This courier does not carry pianos.' }],
  ['ask', { state: 'TASK_STATE_INPUT_REQUIRED', says: 'Which parcel do you mean?' }],
  ['login', { state: 'TASK_STATE_AUTH_REQUIRED', says: 'Log in at the courier first.' }],
]);

/** The ids that every event of one turn carries. */
interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly bus: ExecutionEventBus;
}

/**
 * What the sample agent does with the first word of a message: "message" is answered with a lone message, the words of
 * ENDINGS end the task as they say, "slow" works until it is canceled, "odd" answers with an image, "twice" shows the
 * task again, which the SDK allows in no stream, "crash" throws, and anything else is completed with a text artifact.
 */
export function createCourier(): AgentExecutor & { stop(): void } {
  const slow = new Map<string, AbortController>();
  return {
    async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
      const { taskId, contextId, userMessage, task } = context;
      const turn: Turn = { taskId, contextId, bus };
      const word = firstWord(userMessage);
      if (word === 'crash') throw new Error('the courier crashed');
      if (word === 'message') {
        bus.publish(AgentEvent.message(toMessage(turn, 'We are open from 8 to 18.')));
        return;
      }
      bus.publish(AgentEvent.task(task ?? toTask(turn, userMessage)));
      publishStatus(turn, 'TASK_STATE_WORKING');
      if (word === 'twice') bus.publish(AgentEvent.task(task ?? toTask(turn, userMessage)));
      if (word === 'slow') {
        const stopped = new AbortController();
        slow.set(taskId, stopped);
        await sleep(60_000, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
        slow.delete(taskId);
        publishStatus(turn, 'TASK_STATE_CANCELED');
        return;
      }
      const ending = ENDINGS.get(word);
      if (ending !== undefined) {
        publishStatus(turn, ending.state, ending.says);
        return;
      }
      publishArtifact(turn, word === 'odd' ? { raw: 'iVBORw0KGgo=', mediaType: 'image/png' } : ANSWER);
      publishStatus(turn, 'TASK_STATE_COMPLETED');
    },
    async cancelTask(taskId: string): Promise<void> {
      slow.get(taskId)?.abort();
    },
    stop(): void {
      for (const stopped of slow.values()) stopped.abort();
    },
  };
}

const ANSWER = { text: 'Parcel 42 is in Turin.', mediaType: 'text/plain' };

function firstWord({ parts }: Message): string {
  const content = parts.map((part) => part.content).find((candidate) => candidate?.$case === 'text');
  return content?.$case === 'text' ? (content.value.toLowerCase().split(/\W/)[0] ?? '') : '';
}

function toMessage({ taskId, contextId }: Turn, text: string, ofTask = false): Message {
  return Message.fromJSON({
    messageId: crypto.randomUUID(),
    role: 'ROLE_AGENT',
    contextId,
    ...(ofTask && { taskId }),
    parts: [{ text, mediaType: 'text/plain' }],
  });
}

function toTask({ taskId, contextId }: Turn, asked: Message): Task {
  const status = { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() };
  return { ...Task.fromJSON({ id: taskId, contextId, status }), history: [asked] };
}

function publishStatus(turn: Turn, state: string, says?: string): void {
  const { taskId, contextId, bus } = turn;
  const event = TaskStatusUpdateEvent.fromJSON({
    taskId,
    contextId,
    status: { state, timestamp: new Date().toISOString() },
  });
  if (event.status !== undefined && says !== undefined) event.status.message = toMessage(turn, says, true);
  bus.publish(AgentEvent.statusUpdate(event));
}

function publishArtifact({ taskId, contextId, bus }: Turn, part: Readonly<Record<string, string>>): void {
  const artifact = { artifactId: crypto.randomUUID(), name: 'answer', parts: [part] };
  bus.publish(
    AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, lastChunk: true })),
  );
}
