import type { AgentCard, Message, Part, StreamResponse, Task } from '../dist/core.js';

const SENTENCES = [
  'Parcel 7 left the depot in Lyon this morning and is expected in Turin before noon.',
  'The courier could not find the door; a neighbour at number 12 took the parcel in.',
  'Customs asked for an invoice. Please send it as a PDF, “pro forma” is fine.',
  'The label was unreadable, so the parcel was weighed, measured and labelled again.',
];

function textPart(at: number): Part {
  return { text: `${SENTENCES[at % SENTENCES.length]} ${SENTENCES[(at + 1) % SENTENCES.length]}` };
}

function dataPart(at: number): Part {
  const scan = {
    depot: `FR-${at}`,
    weightGrams: 1200 + at,
    fragile: at % 2 === 0,
    route: ['LYS', 'TRN'],
    signedBy: null,
  };
  return { data: { scan, seen: at }, mediaType: 'application/json' };
}

export function makeMessage(at = 0): Message {
  return {
    messageId: `m-${String(at).padStart(8, '0')}`,
    contextId: 'c-3f2a',
    taskId: 't-1',
    role: at % 2 === 0 ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: at % 4 === 3 ? [textPart(at), dataPart(at)] : [textPart(at)],
    metadata: { 'https://parcels.example.com/extensions/tracking': { depot: at, lane: 'north' } },
  };
}

/** A task with this many turns of history, and an artifact for every eight of them. */
function makeTask(turns: number): Task {
  const artifacts = Array.from({ length: Math.ceil(turns / 8) }, (_, at) => ({
    artifactId: `a-${at}`,
    name: 'Tracking report',
    parts: [textPart(at), dataPart(at)],
  }));
  return {
    id: 't-1',
    contextId: 'c-3f2a',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-31T12:00:00.000Z', message: makeMessage(1) },
    ...(turns > 0 && { artifacts, history: Array.from({ length: turns }, (_, at) => makeMessage(at)) }),
  };
}

/** A task whose JSON text has about this many bytes. */
function taskOfBytes(bytes: number): Task {
  const bytesPerTurn = (JSON.stringify(makeTask(80)).length - JSON.stringify(makeTask(0)).length) / 80;
  return makeTask(Math.max(0, Math.round((bytes - JSON.stringify(makeTask(0)).length) / bytesPerTurn)));
}

export const TASKS: Readonly<Record<string, Task>> = {
  '0.6 KB': taskOfBytes(600),
  '35 KB': taskOfBytes(35_000),
  '650 KB': taskOfBytes(650_000),
};

/** One piece of an artifact, of about 1 KB. */
export const EVENT: StreamResponse = {
  artifactUpdate: {
    taskId: 't-1',
    contextId: 'c-3f2a',
    append: true,
    artifact: { artifactId: 'a-1', parts: Array.from({ length: 5 }, (_, at) => textPart(at)) },
  },
};

/** How a stream starts and ends. */
export const FIRST_EVENT: StreamResponse = {
  task: { id: 't-1', contextId: 'c-3f2a', status: { state: 'TASK_STATE_WORKING' } },
};
export const OPENING_EVENT: StreamResponse = {
  artifactUpdate: { taskId: 't-1', contextId: 'c-3f2a', artifact: { artifactId: 'a-1', parts: [textPart(0)] } },
};
export const LAST_EVENT: StreamResponse = {
  statusUpdate: { taskId: 't-1', contextId: 'c-3f2a', status: { state: 'TASK_STATE_COMPLETED' } },
};

export const CARD_URL = 'https://parcels.example.com/.well-known/agent-card.json';

const TOPICS = ['track', 'book', 'change', 'claim', 'weigh', 'insure', 'return', 'label', 'quote', 'store', 'scan'];

/** A card of about 5 KB in which there is nothing to find, whose interface is here. */
export function makeCard(url = 'https://parcels.example.com/a2a'): AgentCard {
  return {
    name: 'Parcel Desk',
    description: 'Answers questions about parcels and books pick-ups for a small courier in northern Italy.',
    version: '2.3.0',
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { organization: 'Parcel Desk Ltd', url: 'https://parcels.example.com/about' },
    documentationUrl: 'https://parcels.example.com/docs/agent',
    iconUrl: 'https://parcels.example.com/icon.png',
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [{ uri: 'https://parcels.example.com/extensions/tracking', required: false, params: { lanes: 3 } }],
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    securitySchemes: {
      apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
      partner: {
        oauth2SecurityScheme: {
          flows: {
            clientCredentials: {
              tokenUrl: 'https://parcels.example.com/oauth/token',
              scopes: { 'parcels:read': 'Read parcels', 'parcels:write': 'Book and change pick-ups' },
            },
          },
        },
      },
    },
    securityRequirements: [{ schemes: { apiKey: {} } }, { schemes: { partner: { list: ['parcels:read'] } } }],
    skills: TOPICS.map((topic, at) => ({
      id: `${topic}-parcel`,
      name: `Parcels: ${topic}`,
      description: SENTENCES[at % SENTENCES.length] ?? '',
      tags: ['parcels', topic, 'courier'],
      examples: [`Please ${topic} parcel ${at} for me.`, `Can you ${topic} what I sent yesterday?`],
      ...(at % 3 === 0 && { inputModes: ['text/plain'], outputModes: ['text/plain', 'image/png'] }),
    })),
  };
}

/** The same card for an agent that asks for no credentials, so that it can be called. */
export function makeOpenCard(url: string): object {
  const { securitySchemes: _schemes, securityRequirements: _requirements, ...rest } = makeCard(url);
  return rest;
}

/** The same card with a finding at most of its places: what is judged when there is something to say. */
export function makeFaultyCard(): object {
  const { skills, version: _version, ...rest } = makeCard();
  return { ...rest, name: 'AI Assistant', skills: skills.map(({ tags: _tags, ...skill }) => ({ ...skill, level: 3 })) };
}
