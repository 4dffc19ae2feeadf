import type { CheckId } from '../../../src/index.ts';
import { type Json, soundCard, soundSkill, withScheme, withSkill } from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, warn } from '../row.ts';

const AT = '/securitySchemes/key';
const URL_OF_TOKENS = 'https://parcels.example.com/token';
const BEARER = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
const flows = (value: unknown): Json => ({ oauth2SecurityScheme: { flows: value } });
const FLOW = { tokenUrl: URL_OF_TOKENS, scopes: {} };

const scheme = (name: string, path: string, value: unknown, also: readonly CheckId[] = []): FailingRow => ({
  name,
  input: withScheme(value),
  want: { id: 'security-scheme-shape', path: `${AT}${path}`, ...error, also },
});

const sound = (name: string, value: unknown, also: readonly CheckId[] = []): NearMiss => ({
  name,
  input: withScheme(value),
  want: { not: 'security-scheme-shape', also },
});

const requiring = (...entries: unknown[]): Json =>
  soundCard({ securitySchemes: { key: BEARER }, securityRequirements: entries });

const requirement = (name: string, value: unknown, also: readonly CheckId[] = []): FailingRow => ({
  name,
  input: requiring(value),
  want: { id: 'security-requirement-shape', path: '/securityRequirements/0', ...error, also },
});

export const SECURITY: Sheet = {
  family: 'what the card asks for can be read',
  fails: [
    scheme('an empty scheme', '', {}),
    scheme('the flat style of 0.3', '', { type: 'http', scheme: 'bearer' }, ['schema-unknown-key']),
    scheme('a flat style of its own', '', { scheme: 'Bearer' }, ['schema-unknown-key']),
    scheme('type beside a scheme object of another name', '', { type: 'apiKey', in: 'header', name: 'X-API-Key' }, [
      'schema-unknown-key',
    ]),
    scheme('two of the five at once', '', { ...BEARER, mtlsSecurityScheme: {} }),
    scheme('a name of the five that is not one', '', { bearerSecurityScheme: {} }, ['schema-unknown-key']),
    scheme('the only one of the five is null', '', { mtlsSecurityScheme: null }, ['null-as-unset']),
    scheme('http without its scheme', '/httpAuthSecurityScheme', { httpAuthSecurityScheme: {} }),
    scheme('http with an empty scheme', '/httpAuthSecurityScheme', { httpAuthSecurityScheme: { scheme: '' } }),
    scheme('http with a scheme that is null', '/httpAuthSecurityScheme', { httpAuthSecurityScheme: { scheme: null } }),
    scheme('an API key without its name', '/apiKeySecurityScheme', { apiKeySecurityScheme: { location: 'header' } }),
    scheme('an API key without its location', '/apiKeySecurityScheme', { apiKeySecurityScheme: { name: 'X-API-Key' } }),
    scheme(
      'an API key with the 0.3 name of its location',
      '/apiKeySecurityScheme',
      { apiKeySecurityScheme: { in: 'header', name: 'X-API-Key' } },
      ['schema-unknown-key'],
    ),
    scheme('an API key in a place that is not known', '/apiKeySecurityScheme/location', {
      apiKeySecurityScheme: { location: 'body', name: 'key' },
    }),
    scheme('a location in capitals', '/apiKeySecurityScheme/location', {
      apiKeySecurityScheme: { location: 'Header', name: 'key' },
    }),
    scheme('OpenID Connect without its URL', '/openIdConnectSecurityScheme', { openIdConnectSecurityScheme: {} }),
    scheme('OAuth without flows', '/oauth2SecurityScheme', { oauth2SecurityScheme: {} }),
    scheme('OAuth with empty flows', '/oauth2SecurityScheme/flows', flows({})),
    scheme('OAuth with two flows', '/oauth2SecurityScheme/flows', flows({ clientCredentials: FLOW, implicit: {} })),
    scheme(
      'a flow without its token URL',
      '/oauth2SecurityScheme/flows/clientCredentials',
      flows({ clientCredentials: { scopes: {} } }),
    ),
    scheme(
      'a flow without scopes',
      '/oauth2SecurityScheme/flows/clientCredentials',
      flows({ clientCredentials: { tokenUrl: URL_OF_TOKENS } }),
    ),
    scheme(
      'a code flow without its authorization URL',
      '/oauth2SecurityScheme/flows/authorizationCode',
      flows({ authorizationCode: FLOW }),
    ),
    scheme(
      'a device flow without its device URL',
      '/oauth2SecurityScheme/flows/deviceCode',
      flows({ deviceCode: FLOW }),
    ),
    {
      name: 'a scheme under a name with a slash',
      input: soundCard({ securitySchemes: { 'a/b': {} }, securityRequirements: [{ schemes: { 'a/b': {} } }] }),
      want: { id: 'security-scheme-shape', path: '/securitySchemes/a~1b', ...error },
    },
    {
      name: 'a scheme under proto names',
      input: soundCard({
        security_schemes: { key: { api_key_security_scheme: { location: 'header' } } },
        securityRequirements: [{ schemes: { key: {} } }],
      }),
      want: {
        id: 'security-scheme-shape',
        path: '/security_schemes/key/api_key_security_scheme',
        ...error,
        also: ['camel-case'],
      },
    },

    requirement('an empty entry', {}),
    requirement('the flat style of 0.3', { key: [] }, ['schema-unknown-key']),
    requirement('no scheme at all', { schemes: {} }),
    requirement('schemes that are null', { schemes: null }, ['null-as-unset']),
    {
      name: 'one bad entry beside a good one',
      input: requiring({ schemes: { key: { list: [] } } }, {}),
      want: { id: 'security-requirement-shape', path: '/securityRequirements/1', ...error },
    },
    {
      name: 'the flat style on a skill',
      input: soundCard({
        securitySchemes: { key: BEARER },
        skills: [soundSkill({ securityRequirements: [{ key: [] }] })],
      }),
      want: {
        id: 'security-requirement-shape',
        path: '/skills/0/securityRequirements/0',
        ...error,
        also: ['schema-unknown-key'],
      },
    },

    {
      name: 'a scheme that is not declared',
      input: requiring({ schemes: { key: {}, other: {} } }),
      want: { id: 'security-requirement-declared', path: '/securityRequirements/0/schemes/other', ...error },
    },
    {
      name: 'no scheme is declared at all',
      input: soundCard({ securityRequirements: [{ schemes: { key: {} } }] }),
      want: { id: 'security-requirement-declared', path: '/securityRequirements/0/schemes/key', ...error },
    },
    {
      name: 'a skill asks for a scheme that is not declared',
      input: withSkill({ securityRequirements: [{ schemes: { key: {} } }] }),
      want: { id: 'security-requirement-declared', path: '/skills/0/securityRequirements/0/schemes/key', ...error },
    },
    {
      name: 'a name of the language is not declared',
      input: requiring({ schemes: { constructor: {} } }),
      want: { id: 'security-requirement-declared', path: '/securityRequirements/0/schemes/constructor', ...error },
    },

    {
      name: 'schemes that nothing requires',
      input: soundCard({ securitySchemes: { key: BEARER } }),
      want: { id: 'security-required', path: '/securitySchemes', ...warn },
    },
    {
      name: 'schemes beside an empty list of requirements',
      input: soundCard({ securitySchemes: { key: BEARER }, securityRequirements: [] }),
      want: { id: 'security-required', path: '/securitySchemes', ...warn },
    },
  ],
  passes: [
    sound('http with a scheme', BEARER),
    sound('mutual TLS, which has no member of its own', { mtlsSecurityScheme: {} }),
    ...['query', 'header', 'cookie'].map((location) =>
      sound(`an API key in a ${location}`, { apiKeySecurityScheme: { location, name: 'X-API-Key' } }),
    ),
    sound('OpenID Connect', {
      openIdConnectSecurityScheme: { openIdConnectUrl: 'https://parcels.example.com/.well-known/openid-configuration' },
    }),
    sound('a flow with an empty map of scopes', flows({ clientCredentials: FLOW })),
    sound(
      'a code flow',
      flows({
        authorizationCode: { ...FLOW, authorizationUrl: 'https://parcels.example.com/authorize', pkceRequired: true },
      }),
    ),
    sound('a flow whose fields are all optional', flows({ implicit: {} })),
    sound('a scheme whose others are null', { ...BEARER, mtlsSecurityScheme: null }, ['null-as-unset']),
    sound('a scheme that is null is schema-type', null, ['schema-type']),
    {
      name: 'scopes in their list',
      input: requiring({ schemes: { key: { list: ['read'] } } }),
      want: { not: 'security-requirement-shape' },
    },
    {
      name: 'a scheme without a list of scopes',
      input: requiring({ schemes: { key: {} } }),
      want: { not: 'security-requirement-shape' },
    },
    {
      name: 'an entry of the wrong type is schema-type',
      input: requiring({ schemes: { key: {} } }, 'key'),
      want: { not: 'security-requirement-shape', also: ['schema-type'] },
    },
    {
      name: 'an empty list of requirements',
      input: soundCard({ securityRequirements: [] }),
      want: { not: 'security-requirement-shape' },
    },
    {
      name: 'a declared scheme that a skill asks for',
      input: soundCard({
        securitySchemes: { key: BEARER },
        skills: [soundSkill({ securityRequirements: [{ schemes: { key: {} } }] })],
      }),
      want: { not: 'security-requirement-declared' },
    },
    {
      name: 'a scheme that is declared under the proto name',
      input: soundCard({ security_schemes: { key: BEARER }, securityRequirements: [{ schemes: { key: {} } }] }),
      want: { not: 'security-requirement-declared', also: ['camel-case'] },
    },
    {
      name: 'a requirement of a skill',
      input: soundCard({
        securitySchemes: { key: BEARER },
        skills: [soundSkill({ securityRequirements: [{ schemes: { key: {} } }] })],
      }),
      want: { not: 'security-required' },
    },
    {
      name: 'a requirement in the 0.3 way',
      input: soundCard({ securitySchemes: { key: BEARER }, security: [{ key: [] }] }),
      want: { not: 'security-required', also: ['schema-unknown-key', 'no-legacy-security'] },
    },
    { name: 'an empty map of schemes', input: soundCard({ securitySchemes: {} }), want: { not: 'security-required' } },
  ],
};
