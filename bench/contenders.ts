import { readFileSync } from 'node:fs';
import { Message as SdkMessage, StreamResponse as SdkStreamResponse, Task as SdkTask } from '@a2a-js/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { DATE_TIME } from '../src/schema/bundle.ts';

/** What judges, or reads, a value at one definition. */
export type Judge = (value: unknown) => unknown;

/** The bundle as it is published: it asks for less than the guard does. */
export const BUNDLE: object = JSON.parse(readFileSync(new URL('../schemas/a2a-1.0.json', import.meta.url), 'utf8'));

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, formats: { 'date-time': DATE_TIME } });
ajv.addSchema({ ...BUNDLE, $id: 'bundle' });

function compiled(definition: string): Judge {
  const validate = ajv.getSchema(`bundle#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`the bundle has no ${definition}`);
  return validate;
}

const struct = z.record(z.string(), z.unknown());
const text = z.string().min(1);

const Part = z
  .strictObject({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().optional(),
    data: z.unknown().optional(),
    metadata: struct.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine(({ text, raw, url, data }) => [text, raw, url, data].filter((member) => member !== undefined).length === 1);

const Message = z.strictObject({
  messageId: text,
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts: z.array(Part).min(1),
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
});

const Artifact = z.strictObject({
  artifactId: text,
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(Part).min(1),
  metadata: struct.optional(),
  extensions: z.array(z.string()).optional(),
});

const TaskStatus = z.strictObject({
  state: z.enum([
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELED',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_REJECTED',
    'TASK_STATE_AUTH_REQUIRED',
  ]),
  message: Message.optional(),
  timestamp: z.iso.datetime().optional(),
});

const Task = z.strictObject({
  id: text,
  contextId: z.string().optional(),
  status: TaskStatus,
  artifacts: z.array(Artifact).optional(),
  history: z.array(Message).optional(),
  metadata: struct.optional(),
});

const ofEvent = { taskId: text, contextId: text, metadata: struct.optional() };

const StreamResponse = z
  .strictObject({
    task: Task.optional(),
    message: Message.optional(),
    statusUpdate: z.strictObject({ ...ofEvent, status: TaskStatus }).optional(),
    artifactUpdate: z
      .strictObject({
        ...ofEvent,
        artifact: Artifact,
        append: z.boolean().optional(),
        lastChunk: z.boolean().optional(),
      })
      .optional(),
  })
  .refine((event) => Object.values(event).filter((member) => member !== undefined).length === 1);

const shaped = (shape: z.ZodType): Judge => {
  return (value) => shape.safeParse(value).success;
};

export interface Contenders {
  /** Ajv on the bundle as published, listing all errors. */
  readonly ajv: Judge;
  /** zod, for the shape that the guard asks for. */
  readonly zod: Judge;
  /** What the official SDK reads with. It checks nothing. */
  readonly sdk: Judge;
}

export const CONTENDERS = {
  Task: { ajv: compiled('Task'), zod: shaped(Task), sdk: SdkTask.fromJSON },
  Message: { ajv: compiled('Message'), zod: shaped(Message), sdk: SdkMessage.fromJSON },
  StreamResponse: { ajv: compiled('StreamResponse'), zod: shaped(StreamResponse), sdk: SdkStreamResponse.fromJSON },
} as const satisfies Record<string, Contenders>;
