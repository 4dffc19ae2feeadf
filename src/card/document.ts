import { SHAPES } from '../schema/fields.ts';
import { describeDefinition } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of which an Agent Card, of whatever version, has at least one. */
const CARD_MARKS = [
  'supportedInterfaces',
  'skills',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'supported_interfaces',
  'default_input_modes',
  'default_output_modes',
];

const has = (value: Json, ...keys: readonly string[]): boolean => keys.every((key) => Object.hasOwn(value, key));
const hasAny = (value: Json, ...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(value, key));
const notSkilled = (value: Json): boolean => !hasAny(value, 'skills', 'supportedInterfaces', 'supported_interfaces');
const isMcpSchema = (value: Json): boolean =>
  typeof value.$schema === 'string' && value.$schema.includes('modelcontextprotocol');

interface KnownDocument {
  readonly name: string;
  readonly move: string;
  readonly matches: (value: Json) => boolean;
}

/** Documents that are served in a card's place, most telling first. */
const KNOWN_DOCUMENTS: readonly KnownDocument[] = [
  {
    name: 'an OpenAPI description',
    move: 'An HTTP API is not an A2A agent; ask its owner for the Agent Card.',
    matches: (value) => hasAny(value, 'openapi', 'swagger') && notSkilled(value),
  },
  {
    name: 'an MCP tools/list result',
    move: 'MCP tools are called with an MCP client.',
    matches: (value) => {
      const result = isObject(value.result) ? value.result : value;
      return Array.isArray(result.tools) && notSkilled(result);
    },
  },
  {
    name: 'an MCP server card',
    move: 'An MCP server is called with an MCP client.',
    matches: (value) =>
      notSkilled(value) &&
      (isMcpSchema(value) ||
        hasAny(value, 'serverInfo', 'mcpServers') ||
        (hasAny(value, 'packages', 'remotes') && has(value, 'name'))),
  },
  {
    name: 'a JSON-RPC answer',
    move: 'Serve the card itself, not an answer that holds one.',
    matches: (value) => has(value, 'jsonrpc') && !hasAny(value, ...CARD_MARKS),
  },
];

/** Definitions of A2A itself that are mistaken for a card, and the members that give them away. */
const A2A_VALUES = [
  { name: 'Task', marks: ['id', 'status'] },
  { name: 'Message', marks: ['role', 'parts'] },
  { name: 'SendMessageResponse', marks: ['task'] },
  { name: 'SendMessageResponse', marks: ['message'] },
] as const;

function wrongDocument(message: string, hint: string): Fault {
  return { id: 'wrong-document', path: '', message, hint };
}

/** Says what a JSON object is when it is no card. It goes by the keys present, whatever their type. */
export function recognizeDocument(value: Json): Fault | undefined {
  const known = KNOWN_DOCUMENTS.find((document) => document.matches(value));
  if (known !== undefined) return wrongDocument(`This is ${known.name}, not an Agent Card.`, known.move);
  if (hasAny(value, ...CARD_MARKS)) return undefined;
  const own = A2A_VALUES.find(({ marks }) => has(value, ...marks));
  if (own !== undefined && SHAPES.messages.has(own.name)) {
    const message = `This looks like ${describeDefinition(own.name)}. It is not an Agent Card.`;
    return wrongDocument(message, 'Judge it with check() at its own pointer.');
  }
  if (hasAny(value, 'host', 'hostname', 'domain')) {
    const message = 'This is a registry entry: it names a host and holds no card (NO_SPEC).';
    return wrongDocument(message, 'Discover the agent at the host that the entry names.');
  }
  const message =
    'This object has none of supportedInterfaces, skills, capabilities and default modes: it is no Agent Card.';
  return wrongDocument(message, 'Serve an A2A Agent Card at this URL.');
}

/** Says what a text that is not JSON is; undefined when it is nothing that is known. */
export function recognizeText(text: string): Fault | undefined {
  const head = text.trimStart().slice(0, 512);
  if (head.startsWith('{') || head.startsWith('[')) return undefined;
  if (head.startsWith('<')) {
    const kind = /^<(?:!doctype html|html|head|body)/i.test(head) ? 'an HTML page' : 'markup (HTML or XML)';
    return wrongDocument(
      `This is ${kind}, not an Agent Card.`,
      'Serve the card as JSON; a login or error page may stand in its place.',
    );
  }
  if (/^---\r?\n/.test(head) && /^(?:name|description):/m.test(head)) {
    return wrongDocument(
      'This is a SKILL.md file, not an Agent Card.',
      'A skill file describes instructions; serve the Agent Card of the agent.',
    );
  }
  if (/^(?:openapi|swagger):/m.test(head)) {
    return wrongDocument('This is an OpenAPI description in YAML, not an Agent Card.', 'Serve the Agent Card as JSON.');
  }
  if (/^# \S/.test(head))
    return wrongDocument('This is a Markdown page, not an Agent Card.', 'Serve the Agent Card as JSON.');
  return undefined;
}
