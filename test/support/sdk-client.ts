import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import { expect } from 'vitest';

/** A request as the official SDK wants it: every field is there. */
export function say(text: string, mediaType = ''): SendMessageRequest {
  return {
    tenant: '',
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

/** The same without the id that a message must have. */
export function sayWithoutId(): SendMessageRequest {
  const request = say('hello');
  if (request.message !== undefined) request.message.messageId = '';
  return request;
}

export const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('the call went through'),
    (error: unknown) => error,
  );

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
