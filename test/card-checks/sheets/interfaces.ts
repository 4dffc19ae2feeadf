import type { CheckId } from '../../../src/index.ts';
import { type Json, withInterface, withTwoInterfaces } from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, softer, warn } from '../row.ts';

const FIRST = '/supportedInterfaces/0';
const HOST = 'parcels.example.com';

/** An `entry` check: error in either preset while it is the only interface, a warning in interop beside a sound one. */
function entry(
  name: string,
  id: CheckId,
  member: string,
  overrides: Json,
  also: readonly CheckId[] = [],
): FailingRow[] {
  const want = { id, path: `${FIRST}/${member}`, also } as const;
  return [
    { name: `${name}, and no other interface`, input: withInterface(overrides), want: { ...want, ...error } },
    { name: `${name}, beside a sound interface`, input: withTwoInterfaces(overrides), want: { ...want, ...softer } },
  ];
}

const passes = (name: string, not: CheckId, overrides: Json, also: readonly CheckId[] = []): NearMiss => ({
  name,
  input: withInterface(overrides),
  cardUrl: null,
  want: { not, also },
});

const plain = (
  name: string,
  id: CheckId,
  member: string,
  overrides: Json,
  severity: typeof warn | typeof softer,
  also: readonly CheckId[] = [],
): FailingRow => ({
  name,
  input: withInterface(overrides),
  want: { id, path: `${FIRST}/${member}`, ...severity, also },
});

const GRPC = { protocolBinding: 'GRPC' };
const REST = { protocolBinding: 'HTTP+JSON' };
const CUSTOM = { protocolBinding: 'https://parcels.example.com/bindings/queue' };

/** URLs of an HTTP binding that cannot be called. */
const UNUSABLE: Readonly<Record<string, unknown>> = {
  'no url': undefined,
  'a url that is null': null,
  'an empty url': '',
  'a blank url': '  ',
  'a path': '/a2a',
  'a host without a scheme': `${HOST}/a2a`,
  'a url without a scheme': `//${HOST}/a2a`,
  'host:port for JSONRPC': `${HOST}:443`,
  'a file URL': 'file:///srv/a2a',
  'a web socket': `wss://${HOST}/a2a`,
  'a scheme without a host': 'https:///a2a',
  'a user name': `https://user@${HOST}/a2a`,
  'a fragment': `https://${HOST}/a2a#top`,
  'an empty fragment': `https://${HOST}/a2a#`,
  'a template in braces': `https://${HOST}/{tenant}/a2a`,
  'a template in angle brackets': `https://${HOST}/<tenant>/a2a`,
  'a shell variable': `https://${HOST}/$TENANT/a2a`,
  'white space inside': `https://${HOST}/a 2a`,
  'a line end behind': `https://${HOST}/a2a\n`,
};

export const INTERFACES: Sheet = {
  family: 'every interface can be called',
  fails: [
    ...Object.entries(UNUSABLE).flatMap(([name, url]) =>
      entry(name, 'interface-url', 'url', { url }).map((row) => ({ ...row, cardUrl: null })),
    ),
    ...entry('host:port for HTTP+JSON', 'interface-url', 'url', { ...REST, url: `${HOST}:443` }),
    ...entry('a user name and a password', 'interface-url', 'url', { url: `https://user:pass-word@${HOST}/a2a` }, [
      'no-secret',
    ]),
    {
      name: 'host:port for a token that is not known',
      input: withTwoInterfaces({ protocolBinding: 'WEBSOCKET', url: `${HOST}:443` }),
      want: { id: 'interface-url', path: `${FIRST}/url`, ...softer, also: ['interface-binding'] },
    },
    ...entry('a user name for gRPC', 'interface-url', 'url', { ...GRPC, url: `user@${HOST}:443` }),
    ...entry('a path alone for gRPC', 'interface-url', 'url', { ...GRPC, url: '/a2a' }),

    ...entry('http on a public host', 'interface-https', 'url', { url: `http://${HOST}/a2a` }),
    ...entry('http on a public host for HTTP+JSON', 'interface-https', 'url', { ...REST, url: `http://${HOST}/v1` }),
    ...['http://0.0.0.0:8080/a2a', 'http://[::]:8080/a2a'].flatMap((url) =>
      entry(`${url} is not loopback`, 'interface-https', 'url', { url }).map((row) => ({ ...row, cardUrl: null })),
    ),
    ...[
      { name: 'network.allowInsecure makes it a warning', input: withInterface({ url: `http://${HOST}/a2a` }) },
      {
        name: 'network.allowInsecure makes it a warning beside a sound one',
        input: withTwoInterfaces({ url: `http://${HOST}/a2a` }),
      },
    ].map(
      (row): FailingRow => ({
        ...row,
        options: { network: { allowInsecure: true } },
        want: { id: 'interface-https', path: `${FIRST}/url`, ...warn },
      }),
    ),

    plain('an https URL for gRPC', 'interface-url-form', 'url', { ...GRPC, url: `https://${HOST}/grpc` }, warn),
    plain(
      'a base that ends in message:send',
      'interface-url-form',
      'url',
      { ...REST, url: `https://${HOST}/v1/message:send` },
      warn,
    ),
    plain(
      'a base that ends in message:stream',
      'interface-url-form',
      'url',
      { ...REST, url: `https://${HOST}/message:stream` },
      warn,
    ),
    plain('a base that ends in tasks', 'interface-url-form', 'url', { ...REST, url: `https://${HOST}/v1/tasks` }, warn),

    plain('no binding', 'interface-binding', 'protocolBinding', { protocolBinding: undefined }, softer),
    plain('an empty binding', 'interface-binding', 'protocolBinding', { protocolBinding: '' }, softer),
    plain('a binding that is null', 'interface-binding', 'protocolBinding', { protocolBinding: null }, softer),
    ...['jsonrpc', 'JSON-RPC', 'rest', 'http', 'grpc', 'WEBSOCKET', ' JSONRPC'].map((protocolBinding) =>
      plain(
        `"${protocolBinding}" is no known binding`,
        'interface-binding',
        'protocolBinding',
        { protocolBinding },
        softer,
      ),
    ),

    ...entry('no version', 'interface-version', 'protocolVersion', { protocolVersion: undefined }),
    ...entry('a version that is null', 'interface-version', 'protocolVersion', { protocolVersion: null }),
    ...['', 'v1.0', '1', '1.x', 'latest', '1.0 ', '1,0'].flatMap((protocolVersion) =>
      entry(`the version "${protocolVersion}"`, 'interface-version', 'protocolVersion', { protocolVersion }),
    ),
    plain('a patch number is a warning', 'interface-version', 'protocolVersion', { protocolVersion: '1.0.1' }, warn),
    plain(
      'a patch number of 0.3 is a warning',
      'interface-version',
      'protocolVersion',
      { protocolVersion: '0.3.0' },
      warn,
    ),

    ...['1.1', '2.0', '0.4', '10.0'].map((protocolVersion) =>
      plain(
        `${protocolVersion} does not exist`,
        'interface-version-known',
        'protocolVersion',
        { protocolVersion },
        warn,
      ),
    ),
    {
      name: "the agent's own version in its place, which also has a patch number",
      input: withInterface({ protocolVersion: '2.3.0' }),
      want: {
        id: 'interface-version-known',
        path: `${FIRST}/protocolVersion`,
        ...warn,
        also: ['interface-version'],
        ok: { strict: true, interop: true },
      },
    },
  ],
  passes: [
    passes('a port, a path and a query', 'interface-url', { url: `https://${HOST}:8443/a/b?c=d` }),
    passes('an IPv6 address', 'interface-url', { url: 'https://[2606:4700::1111]/a2a' }),
    passes('a scheme in capitals', 'interface-url', { url: `HTTPS://${HOST}/a2a` }),
    passes('letters outside ASCII in a host', 'interface-url', { url: 'https://päckchen.example.com/a2a' }),
    passes('host:port for gRPC', 'interface-url', { ...GRPC, url: `${HOST}:443` }),
    passes('a URL for gRPC', 'interface-url', { ...GRPC, url: `https://${HOST}:443` }, ['interface-url-form']),
    passes('host:port for a binding of its own', 'interface-url', { ...CUSTOM, url: `${HOST}:5672` }),
    passes('a URL of another scheme for a binding of its own', 'interface-url', {
      ...CUSTOM,
      url: `amqps://${HOST}/a2a`,
    }),
    ...[
      'http://localhost:8080/a2a',
      'http://127.0.0.1/a2a',
      'http://127.8.8.8/a2a',
      'http://[::1]:8080/a2a',
      'http://a.localhost/a2a',
    ].map((url) => passes(`${url} is loopback`, 'interface-https', { url })),
    passes('http for gRPC is a matter of form', 'interface-https', { ...GRPC, url: `http://${HOST}:50051` }, [
      'interface-url-form',
    ]),
    passes('http for a binding of its own', 'interface-https', { ...CUSTOM, url: `http://${HOST}/queue` }),
    passes('host:port for gRPC', 'interface-url-form', { ...GRPC, url: `${HOST}:443` }),
    passes('a base that ends in /v1', 'interface-url-form', { ...REST, url: `https://${HOST}/v1` }),
    passes('a JSONRPC endpoint may be called anything', 'interface-url-form', {
      url: `https://${HOST}/v1/message:send`,
    }),
    passes('a base with tasks in the middle', 'interface-url-form', { ...REST, url: `https://${HOST}/tasks/api/v1` }),
    ...['JSONRPC', 'HTTP+JSON'].map((protocolBinding) =>
      passes(`${protocolBinding} is one of the three`, 'interface-binding', { protocolBinding }),
    ),
    passes('GRPC is one of the three', 'interface-binding', { ...GRPC, url: `${HOST}:443` }),
    passes('a URI', 'interface-binding', CUSTOM),
    passes('a URN', 'interface-binding', { protocolBinding: 'urn:example:queue' }),
    ...['1.0', '0.3', '0.2', '0.1'].map((protocolVersion) =>
      passes(`${protocolVersion} is a version`, 'interface-version', { protocolVersion }),
    ),
    ...['1.0', '0.3', '0.2', '0.1'].map((protocolVersion) =>
      passes(`${protocolVersion} exists`, 'interface-version-known', { protocolVersion }),
    ),
    passes('a version that is none is another check', 'interface-version-known', { protocolVersion: 'v9' }, [
      'interface-version',
    ]),
  ],
};
