import type { CheckId, GuardOptions } from '../../../src/index.ts';
import {
  type Json,
  soundCard,
  soundSkill,
  withInterface,
  withParams,
  withScheme,
  withSkill,
  withTwoInterfaces,
} from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, softer, warn } from '../row.ts';

const FIRST = '/supportedInterfaces/0/url';
const LOCAL_CARD = 'http://127.0.0.1:9999/.well-known/agent-card.json';

/** Made up at run time, so that no scanner takes this file for a leak. */
const filler = (length: number): string => 'Ab1'.repeat(length).slice(0, length);
const TOKENS: Readonly<Record<string, string>> = {
  'a cloud access key': `AKIA${'A1'.repeat(8)}`,
  'a token of a forge': `ghp_${filler(36)}`,
  'a key of a model service': `sk-${filler(40)}`,
  'a live payment key': `sk_live_${filler(24)}`,
  'a token of a chat service': `xoxb-${'1'.repeat(12)}-${filler(12)}`,
  'a private key': `-----BEGIN RSA PRIVATE ${'KEY'}-----`,
  'a signed web token': `eyJ${filler(20)}.eyJ${filler(20)}.${filler(30)}`,
  'a bearer header': `Bearer ${filler(32)}`,
  'a URL with a password in it': `https://user:${filler(10)}@parcels.example.com/`,
};

const privateEntry = (name: string, url: string): FailingRow[] => {
  const want = { id: 'interface-private', path: FIRST, also: ['interface-origin'] } as const;
  return [
    { name: `${name}, and no other interface`, input: withInterface({ url }), want: { ...want, ...error } },
    { name: `${name}, beside a sound interface`, input: withTwoInterfaces({ url }), want: { ...want, ...softer } },
  ];
};

const tolerated = (name: string, url: string, rest: { options?: GuardOptions; cardUrl?: string } = {}): FailingRow => ({
  name,
  input: withInterface({ url }),
  ...rest,
  want: { id: 'interface-private', path: FIRST, ...warn, also: ['interface-origin'] },
});

const origin = (
  name: string,
  overrides: Json,
  rest: { options?: GuardOptions; cardUrl?: string } = {},
): FailingRow => ({
  name,
  input: withInterface(overrides),
  ...rest,
  want: { id: 'interface-origin', path: FIRST, ...warn },
});

const near = (
  name: string,
  not: CheckId,
  url: string,
  cardUrl: string | null,
  options?: GuardOptions,
  also: readonly CheckId[] = [],
): NearMiss => ({
  name,
  input: withInterface({ url }),
  cardUrl,
  ...(options !== undefined && { options }),
  want: { not, also },
});

const noSecret = (name: string, input: object, also: readonly CheckId[] = []): NearMiss => ({
  name,
  input,
  want: { not: 'no-secret', also },
});

export const TRUST: Sheet = {
  family: 'the card can be trusted as far as it shows',
  fails: [
    ...Object.entries(TOKENS).map(
      ([name, token]): FailingRow => ({
        name,
        input: withSkill({ examples: [`Use ${token} to try it`] }),
        want: { id: 'no-secret', path: '/skills/0/examples/0', ...error },
      }),
    ),
    {
      name: 'a password in the params of an extension',
      input: withParams({ login: { password: 'correct-horse-battery' } }),
      want: { id: 'no-secret', path: '/capabilities/extensions/0/params/login/password', ...error },
    },
    {
      name: 'a client secret in a place that 1.0 does not define',
      input: soundCard({ client_secret: filler(16) }),
      want: { id: 'no-secret', path: '/client_secret', ...error, also: ['schema-unknown-key'] },
    },
    {
      name: 'a password in an interface URL',
      input: withInterface({ url: `https://user:${filler(10)}@parcels.example.com/a2a` }),
      want: { id: 'no-secret', path: FIRST, ...error, also: ['interface-url'] },
    },

    {
      name: 'a token among the scopes of a scheme',
      input: withScheme({
        oauth2SecurityScheme: {
          flows: { implicit: { scopes: { read: `Read with ${TOKENS['a token of a forge']}` } } },
        },
      }),
      want: {
        id: 'no-secret',
        path: '/securitySchemes/key/oauth2SecurityScheme/flows/implicit/scopes/read',
        ...error,
      },
    },
    {
      name: 'a list of passwords',
      input: withParams({ password: ['correct-horse-battery'] }),
      want: { id: 'no-secret', path: '/capabilities/extensions/0/params/password/0', ...error },
    },

    ...privateEntry('loopback', 'https://127.0.0.1:8080/a2a'),
    ...privateEntry('localhost', 'https://localhost/a2a'),
    ...privateEntry('loopback written as one number', 'https://2130706433/a2a'),
    ...privateEntry('IPv6 loopback', 'https://[::1]/a2a'),
    ...privateEntry('a private address', 'https://10.1.2.3/a2a'),
    ...privateEntry('a private address in IPv6 form', 'https://[::ffff:192.168.1.1]/a2a'),
    ...privateEntry('a unique local address', 'https://[fd00::1]/a2a'),
    ...privateEntry('link-local', 'https://169.254.169.254/a2a'),
    ...privateEntry('IPv6 link-local', 'https://[fe80::1]/a2a'),
    ...privateEntry('the address of a carrier network', 'https://100.64.0.1/a2a'),
    ...privateEntry('the unspecified address', 'https://0.0.0.0/a2a'),
    ...privateEntry('the unspecified IPv6 address', 'https://[::]/a2a'),
    ...[
      'https://backend/a2a',
      'https://agent.local/a2a',
      'https://agent.internal/a2a',
      'https://agent.default.svc/a2a',
    ].map((url) => tolerated(`${new URL(url).hostname} is a local name, which is a warning`, url)),
    tolerated('network.allowPrivate makes it a warning', 'https://10.1.2.3/a2a', {
      options: { network: { allowPrivate: true } },
    }),
    tolerated('network.allowPrivate covers loopback too', 'https://127.0.0.1/a2a', {
      options: { network: { allowPrivate: true } },
    }),
    ...privateEntry('network.allowLoopback does not soften it', 'https://127.0.0.1/a2a').map((row) => ({
      ...row,
      options: { network: { allowLoopback: true } },
    })),
    tolerated('the unspecified address in a local card is a warning', 'https://0.0.0.0/a2a', { cardUrl: LOCAL_CARD }),

    origin('another host', { url: 'https://calls.example.net/a2a' }),
    origin('a subdomain is another host', { url: 'https://api.parcels.example.com/a2a' }),
    origin(
      'a loopback card with a public interface',
      { url: 'https://parcels.example.com/a2a' },
      { cardUrl: LOCAL_CARD },
    ),
    origin('host:port of another host for gRPC', { protocolBinding: 'GRPC', url: 'calls.example.net:443' }),
    origin(
      'an allowed origin of another port',
      { url: 'https://calls.example.net:8443/a2a' },
      { options: { network: { allowOrigins: ['https://calls.example.net'] } } },
    ),
  ],
  passes: [
    noSecret(
      'the name of an API key header',
      soundCard({
        securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
        securityRequirements: [{ schemes: { apiKey: {} } }],
      }),
    ),
    noSecret('a placeholder in angle brackets', withParams({ apiKey: '<your-key-here>' })),
    noSecret('a placeholder that names a variable', withParams({ api_key: '$PARCELS_API_KEY' })),
    noSecret('a placeholder in words', withParams({ token: 'your-token-here', password: 'example-password' })),
    noSecret('an empty password', withParams({ password: '' })),
    noSecret('a link to where tokens are made', withParams({ access_token: 'https://parcels.example.com/token' })),
    noSecret(
      'talk about bearer tokens',
      withSkill({ description: 'Needs a Bearer token in the Authorization header.' }),
    ),
    noSecret('a long word after Basic', withSkill({ description: 'Basic internationalization of parcel labels.' })),
    noSecret(
      'a long word after Bearer',
      withSkill({ description: 'Explains Bearer authentication/authorization to people.' }),
    ),
    noSecret(
      'the names of two standards after Bearer',
      withSkill({ description: 'Uses Bearer OAuth2/OpenID-Connect tokens.' }),
    ),
    noSecret(
      'scopes under a scheme called apiKey',
      soundCard({ securitySchemes: { apiKey: { mtlsSecurityScheme: {} } }, security: [{ apiKey: ['parcels:read'] }] }),
      ['schema-unknown-key', 'no-legacy-security'],
    ),
    noSecret(
      'a scope that is called password',
      soundCard({
        securitySchemes: {
          key: { oauth2SecurityScheme: { flows: { implicit: { scopes: { password: 'Passwords' } } } } },
        },
        securityRequirements: [{ schemes: { key: {} } }],
      }),
    ),
    noSecret(
      'signatures are public',
      soundCard({
        signatures: [
          {
            protected: Buffer.from('{"alg":"ES256","kid":"k1"}').toString('base64url'),
            signature: `AKIA${'A1'.repeat(8)}`,
          },
        ],
      }),
    ),
    noSecret(
      'a skill about passwords',
      soundCard({ skills: [soundSkill({ id: 'password', name: 'Password reset', tags: ['password', 'api_key'] })] }),
    ),

    near('a public address', 'interface-private', 'https://93.184.215.14/a2a', null),
    near('where the card came from is not known', 'interface-private', 'https://127.0.0.1/a2a', null),
    near('a loopback card with a loopback interface', 'interface-private', 'http://localhost:8080/a2a', LOCAL_CARD),
    near(
      'a private card with a private interface',
      'interface-private',
      'https://10.1.2.3/a2a',
      'https://10.1.2.3/.well-known/agent-card.json',
    ),
    near(
      'a link-local card is not public',
      'interface-private',
      'https://169.254.10.10/a2a',
      'https://169.254.10.10/.well-known/agent-card.json',
    ),
    near(
      'a card on a host without a dot is not public',
      'interface-private',
      'https://backend:8443/a2a',
      'https://backend/.well-known/agent-card.json',
    ),

    near(
      'another scheme and port',
      'interface-origin',
      'https://parcels.example.com:8443/a2a',
      'http://parcels.example.com:9999/card.json',
    ),
    near(
      'another case and a final dot',
      'interface-origin',
      'https://PARCELS.example.com./a2a',
      'https://parcels.example.com/card.json',
    ),
    near('loopback names are one host', 'interface-origin', 'http://[::1]:8080/a2a', LOCAL_CARD),
    near('where the card came from is not known', 'interface-origin', 'https://calls.example.net/a2a', null),
    near(
      'a card from a file has no host to compare',
      'interface-origin',
      'https://parcels.example.com/a2a',
      'file:///srv/agent-card.json',
    ),
    near(
      'an allowed origin',
      'interface-origin',
      'https://calls.example.net/a2a',
      'https://parcels.example.com/card.json',
      { network: { allowOrigins: ['https://calls.example.net/'] } },
    ),
  ],
};
