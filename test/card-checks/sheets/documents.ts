import { soundCard, soundText } from '../../support/cards.ts';
import { type CardInput, error, type FailingRow, type Sheet } from '../row.ts';

const TOOLS = { tools: [{ name: 'track', description: 'Tracks a parcel', inputSchema: { type: 'object' } }] };
const TASK = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
const MESSAGE = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'At the depot.' }] };

/** Documents that are met at card URLs, and are none. */
const DOCUMENTS: Readonly<Record<string, CardInput>> = {
  'an HTML page': '<!doctype html>\n<html><head><title>Parcel Desk</title></head><body>Hello</body></html>',
  'an HTML page in capitals behind white space': '\r\n  <HTML><BODY>Sign in</BODY></HTML>',
  'an HTML page behind a comment': '<!-- built today -->\n<html></html>',
  'an HTML page full of open braces': `<!doctype html><script>${'{'.repeat(100)}</script>`,
  'an XML document': '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>',
  'a SKILL.md':
    '---\nname: parcels\ndescription: Tracks parcels for people.\n---\n\n# Parcels\n\nAsk for the number first.\n',
  'a SKILL.md with line ends of Windows': '---\r\nname: parcels\r\ndescription: Tracks parcels.\r\n---\r\n',
  'a Markdown page': '# Parcel Desk\n\nAn agent for parcels.\n',
  'an OpenAPI description in YAML': 'openapi: 3.1.0\ninfo:\n  title: Parcels\n  version: 1.0.0\npaths: {}\n',
  'a Swagger description in YAML': '# parcels\nswagger: "2.0"\ninfo:\n  title: Parcels\n',
  'an OpenAPI description in JSON': { openapi: '3.1.0', info: { title: 'Parcels', version: '1.0.0' }, paths: {} },
  'a Swagger description in JSON': { swagger: '2.0', info: { title: 'Parcels', version: '1' }, paths: {} },
  'an MCP tools/list result': TOOLS,
  'an MCP tools/list result in a JSON-RPC answer': { jsonrpc: '2.0', id: 1, result: TOOLS },
  'an MCP tools/list result without tools': { tools: [] },
  'an MCP server card': {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: 'com.example/parcels',
    description: 'Tracks parcels for people and programs.',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url: 'https://parcels.example.com/mcp' }],
  },
  'an MCP server card with capabilities': {
    serverInfo: { name: 'parcels', version: '1.0.0' },
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
  },
  'an MCP client configuration': { mcpServers: { parcels: { command: 'parcels' } } },
  'a registry entry with a host and no card': {
    host: 'parcels.example.com',
    name: 'Parcel Desk',
    status: 'NO_SPEC',
    agent_card: null,
  },
  'a Task': TASK,
  'a Message': MESSAGE,
  'an answer to SendMessage with a task': { task: TASK },
  'an answer to SendMessage with a message': { message: MESSAGE },
  'a card inside a JSON-RPC answer': { jsonrpc: '2.0', id: 1, result: soundCard() },
  'a JSON-RPC error': { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } },
  'an empty object': {},
  'a name and a url are not enough': { name: 'Parcel Desk', url: 'https://parcels.example.com' },
  'an error document': { error: 'not found', statusCode: 404 },
};

const fails: FailingRow[] = Object.entries(DOCUMENTS).map(([name, input]) => ({
  name,
  input,
  want: { id: 'wrong-document', path: '', ...error },
}));

export const WRONG_DOCUMENTS: Sheet = {
  family: 'the document is an Agent Card',
  fails: [
    ...fails,
    {
      name: 'an HTML page behind a byte order mark',
      input: '\ufeff<!doctype html><html></html>',
      want: { id: 'wrong-document', path: '', ...error, also: ['parse-bom'] },
    },
  ],
  passes: [
    {
      name: 'a card with an openapi member beside its skills',
      input: soundCard({ openapi: '3.1.0' }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card with tools beside its skills',
      input: soundCard({ ...TOOLS }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card with a stray jsonrpc member',
      input: soundCard({ jsonrpc: '2.0' }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card with a host member',
      input: soundCard({ host: 'parcels.example.com' }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card with the members of a task',
      input: soundCard({ ...TASK }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card with the members of an MCP server card beside its skills',
      input: soundCard({ packages: [], remotes: [] }),
      want: { not: 'wrong-document', also: ['schema-unknown-key'] },
    },
    {
      name: 'a card that describes HTML',
      input: soundText('Tells where a parcel is right now.', '<!doctype html> pages about parcels.'),
      want: { not: 'wrong-document' },
    },
    {
      name: 'it goes by the keys present, whatever their type',
      input: { capabilities: 'all of them' },
      want: {
        not: 'wrong-document',
        also: [
          'schema-type',
          'required-name',
          'required-description',
          'required-version',
          'required-defaultInputModes',
          'required-defaultOutputModes',
          'required-supportedInterfaces',
          'skills-nonempty',
        ],
      },
    },
    {
      name: 'a proto name is a key of a card too',
      input: { default_input_modes: ['text/plain'] },
      want: {
        not: 'wrong-document',
        also: [
          'camel-case',
          'required-name',
          'required-description',
          'required-version',
          'required-capabilities',
          'required-defaultOutputModes',
          'required-supportedInterfaces',
          'skills-nonempty',
        ],
      },
    },
  ],
};
