import {
  nested,
  soundCard,
  soundInterface,
  soundSkill,
  soundText,
  withInterface,
  withParams,
  withScheme,
  withSkill,
  withTwoInterfaces,
} from '../../support/cards.ts';
import { error, type FailingRow, type Sheet, softer, warn } from '../row.ts';

const OAUTH = (flow: object): object => ({ oauth2SecurityScheme: { flows: { clientCredentials: flow } } });
const TOKEN_URL = 'https://parcels.example.com/token';

const unknownKey = (name: string, path: string, input: object | string): FailingRow => ({
  name,
  input,
  want: { id: 'schema-unknown-key', path, keyword: 'additionalProperties', ...softer },
});

const wrongType = (name: string, path: string, input: object | string): FailingRow => ({
  name,
  input,
  want: { id: 'schema-type', path, keyword: 'type', ...error },
});

/** Pass 1: names and types. */
export const SCHEMA: Sheet = {
  family: 'the card has the names and types of A2A 1.0',
  fails: [
    unknownKey('a member that 1.0 does not define', '/author', soundCard({ author: 'me' })),
    unknownKey('a vendor member', '/x-vendor', soundCard({ 'x-vendor': {} })),
    unknownKey('a $schema member', '/$schema', soundCard({ $schema: 'https://example.com/card.json' })),
    unknownKey('a misspelt field', '/iconURL', soundCard({ iconURL: 'https://parcels.example.com/i.png' })),
    unknownKey('an extra key whose value is null', '/author', soundCard({ author: null })),
    unknownKey('a member in an interface', '/supportedInterfaces/0/transport', withInterface({ transport: 'JSONRPC' })),
    unknownKey('a member in a skill', '/skills/0/price', withSkill({ price: 1 })),
    unknownKey('a member in the capabilities', '/capabilities/tools', soundCard({ capabilities: { tools: true } })),
    unknownKey(
      'a member in the provider',
      '/provider/email',
      soundCard({ provider: { organization: 'P', url: 'https://parcels.example.com', email: 'a@b.example' } }),
    ),
    unknownKey(
      'a member beside the scheme object',
      '/securitySchemes/key/note',
      withScheme({ mtlsSecurityScheme: {}, note: '' }),
    ),
    unknownKey(
      'a member of a requirement beside its schemes',
      '/securityRequirements/0/note',
      soundCard({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { key: {} }, note: '' }],
      }),
    ),
    unknownKey('a key with a slash and a tilde is escaped in the path', '/a~1b~0c', soundCard({ 'a/b~c': 1 })),
    unknownKey(
      'a __proto__ key of its own',
      '/__proto__',
      soundText('"version"', '"__proto__":{"streaming":true},"version"'),
    ),
    unknownKey('a constructor key', '/constructor', soundText('"version"', '"constructor":{"prototype":{}},"version"')),
    unknownKey('an empty key', '/', soundCard({ '': 1 })),

    wrongType('a name that is a number', '/name', soundCard({ name: 5 })),
    wrongType('a description that is a list', '/description', soundCard({ description: ['a'] })),
    wrongType('a version that is a number', '/version', soundCard({ version: 2 })),
    wrongType(
      'interfaces as a map',
      '/supportedInterfaces',
      soundCard({ supportedInterfaces: { main: soundInterface() } }),
    ),
    wrongType(
      'an interface that is a text',
      '/supportedInterfaces/0',
      soundCard({ supportedInterfaces: ['https://parcels.example.com'] }),
    ),
    wrongType(
      'an interface that is null',
      '/supportedInterfaces/1',
      soundCard({ supportedInterfaces: [soundInterface(), null] }),
    ),
    wrongType('an interface url that is a number', '/supportedInterfaces/0/url', withTwoInterfaces({ url: 8080 })),
    wrongType(
      'a binding that is a list',
      '/supportedInterfaces/0/protocolBinding',
      withTwoInterfaces({ protocolBinding: ['JSONRPC'] }),
    ),
    wrongType(
      'a protocol version that is a number',
      '/supportedInterfaces/0/protocolVersion',
      withTwoInterfaces({ protocolVersion: 1 }),
    ),
    wrongType('a tenant that is a number', '/supportedInterfaces/0/tenant', withInterface({ tenant: 7 })),
    wrongType('a flag in quotes', '/capabilities/streaming', soundCard({ capabilities: { streaming: 'true' } })),
    wrongType(
      'a flag that is a number',
      '/capabilities/pushNotifications',
      soundCard({ capabilities: { pushNotifications: 1 } }),
    ),
    wrongType('a flag that is an object', '/capabilities/streaming', soundCard({ capabilities: { streaming: {} } })),
    wrongType('capabilities as a list', '/capabilities', soundCard({ capabilities: [] })),
    wrongType('capabilities as a text', '/capabilities', soundCard({ capabilities: 'streaming' })),
    wrongType('modes as a text', '/defaultInputModes', soundCard({ defaultInputModes: 'text/plain' })),
    wrongType(
      'null inside a list of modes',
      '/defaultOutputModes/1',
      soundCard({ defaultOutputModes: ['text/plain', null] }),
    ),
    wrongType('skills as a map', '/skills', soundCard({ skills: { track: soundSkill() } })),
    wrongType('a skill that is a text', '/skills/0', soundCard({ skills: ['track'] })),
    wrongType('a skill that is null', '/skills/0', soundCard({ skills: [null] })),
    wrongType('a skill id that is a number', '/skills/0/id', withSkill({ id: 1 })),
    wrongType('tags as a text', '/skills/0/tags', withSkill({ tags: 'parcel' })),
    wrongType('null inside a list of tags', '/skills/0/tags/1', withSkill({ tags: ['parcel', null] })),
    wrongType('a provider that is a text', '/provider', soundCard({ provider: 'Parcel Desk Ltd' })),
    wrongType(
      'an extension that is a text',
      '/capabilities/extensions/0',
      soundCard({ capabilities: { extensions: ['https://parcels.example.com/x'] } }),
    ),
    wrongType(
      'params of an extension that are a list',
      '/capabilities/extensions/0/params',
      soundCard({ capabilities: { extensions: [{ uri: 'https://parcels.example.com/x', params: [] }] } }),
    ),
    wrongType('a scheme that is null', '/securitySchemes/key', withScheme(null)),
    wrongType(
      'a scope whose description is null',
      '/securitySchemes/key/oauth2SecurityScheme/flows/clientCredentials/scopes/read',
      withScheme(OAUTH({ tokenUrl: TOKEN_URL, scopes: { read: null } })),
    ),
    wrongType(
      'scopes as a bare list in a requirement',
      '/securityRequirements/0/schemes/key',
      soundCard({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { key: ['read'] } }],
      }),
    ),
    wrongType(
      'a requirement whose scheme is null',
      '/securityRequirements/0/schemes/key',
      soundCard({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { key: null } }],
      }),
    ),
    wrongType('an icon that is an object', '/iconUrl', soundCard({ iconUrl: {} })),

    {
      name: 'a field under its proto name',
      input: soundCard({ defaultInputModes: undefined, default_input_modes: ['text/plain'] }),
      want: { id: 'camel-case', path: '/default_input_modes', ...softer },
    },
    {
      name: 'a field of an interface under its proto name',
      input: withInterface({ protocolBinding: undefined, protocol_binding: 'JSONRPC' }),
      want: { id: 'camel-case', path: '/supportedInterfaces/0/protocol_binding', ...softer },
    },
    {
      name: 'a flag under its proto name',
      input: soundCard({ capabilities: { push_notifications: true } }),
      want: { id: 'camel-case', path: '/capabilities/push_notifications', ...softer },
    },
    {
      name: 'a field of a skill inside skills',
      input: withSkill({ input_modes: ['text/plain'] }),
      want: { id: 'camel-case', path: '/skills/0/input_modes', ...softer },
    },
    {
      name: 'a scheme under its proto name is read',
      input: withScheme({ http_auth_security_scheme: { scheme: 'Bearer', bearer_format: 'JWT' } }),
      want: { id: 'camel-case', path: '/securitySchemes/key/http_auth_security_scheme/bearer_format', ...softer },
    },
    {
      name: 'both spellings at once are an error in either preset',
      input: soundCard({ default_input_modes: ['text/plain'] }),
      want: { id: 'camel-case', path: '/default_input_modes', ...error },
    },
    {
      name: 'both spellings of a flag at once are an error in either preset',
      input: soundCard({ capabilities: { pushNotifications: false, push_notifications: true } }),
      want: { id: 'camel-case', path: '/capabilities/push_notifications', ...error },
    },

    ...[
      ['an optional field that is null', '/iconUrl', soundCard({ iconUrl: null })],
      ['a provider that is null', '/provider', soundCard({ provider: null })],
      [
        'a flag that is null',
        '/capabilities/pushNotifications',
        soundCard({ capabilities: { pushNotifications: null } }),
      ],
      ['optional lists that are null', '/skills/0/examples', withSkill({ examples: null, inputModes: null })],
      ['a tenant that is null', '/supportedInterfaces/0/tenant', withInterface({ tenant: null })],
      [
        'schemes and requirements that are null',
        '/securitySchemes',
        soundCard({ securitySchemes: null, securityRequirements: null }),
      ],
      ['signatures that are null', '/signatures', soundCard({ signatures: null })],
      [
        'the other members of a scheme that are null',
        '/securitySchemes/key/httpAuthSecurityScheme',
        withScheme({ mtlsSecurityScheme: {}, httpAuthSecurityScheme: null }),
      ],
    ].map(
      ([name, path, input]): FailingRow => ({
        name: name as string,
        input: input as object,
        want: { id: 'null-as-unset', path: path as string, keyword: 'null-as-unset', ...warn },
      }),
    ),
  ],
  passes: [
    {
      name: 'anything in the params of an extension',
      input: withParams({ author: 1, 'x/y': null, deep: nested(5) }),
      want: { not: 'schema-unknown-key' },
    },
    {
      name: 'any name of a scheme',
      input: soundCard({
        securitySchemes: { 'a/b': { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { 'a/b': {} } }],
      }),
      want: { not: 'schema-unknown-key' },
    },
    {
      name: 'any name of a scope',
      input: withScheme(OAUTH({ tokenUrl: TOKEN_URL, scopes: { 'parcels:read': 'Read' } })),
      want: { not: 'schema-unknown-key' },
    },
    {
      name: 'numbers, lists and nulls in the params of an extension',
      input: withParams({ a: 1, b: [null], c: null }),
      want: { not: 'schema-type' },
    },
    {
      name: 'an optional field that is null has no wrong type',
      input: soundCard({ iconUrl: null }),
      want: { not: 'schema-type', also: ['null-as-unset'] },
    },
    {
      name: 'a REQUIRED field that is null has no wrong type',
      input: soundCard({ name: null }),
      want: { not: 'schema-type', also: ['required-name'] },
    },
    {
      name: 'snake case in the params of an extension',
      input: withParams({ input_modes: [] }),
      want: { not: 'camel-case' },
    },
    {
      name: 'a snake case name of a scheme',
      input: soundCard({
        securitySchemes: { input_modes: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { input_modes: {} } }],
      }),
      want: { not: 'camel-case' },
    },
    {
      name: 'a proto name at a place that has no such field',
      input: withSkill({ default_input_modes: [] }),
      want: { not: 'camel-case', also: ['schema-unknown-key'] },
    },
    {
      name: 'null in the params of an extension',
      input: withParams({ a: null, b: { c: [null] } }),
      want: { not: 'null-as-unset' },
    },
    {
      name: 'null in a REQUIRED field is its own news',
      input: withSkill({ tags: null }),
      want: { not: 'null-as-unset', also: ['skills-tags-nonempty'] },
    },
    { name: 'an empty text in an optional field', input: soundCard({ iconUrl: '' }), want: { not: 'null-as-unset' } },
  ],
};
