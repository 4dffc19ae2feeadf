import type { CheckId } from '../../../src/index.ts';
import { type Json, soundCard, withInterface, withSkill } from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, softer } from '../row.ts';

const URL_OF_CALLS = 'https://parcels.example.com/a2a';

const legacy = (
  name: string,
  overrides: Json,
  leftovers: readonly CheckId[] = [],
  interfaces?: unknown,
): FailingRow => ({
  name,
  input: soundCard({ supportedInterfaces: interfaces, ...overrides }),
  want: { id: 'legacy-card', path: '', ...error, also: ['schema-unknown-key', ...leftovers] },
});

/** Leftovers at the top of a card; each is a schema-unknown-key as well. */
const leftover = (name: string, id: CheckId, path: string, input: object): FailingRow => ({
  name,
  input,
  want: { id, path, ...softer, also: ['schema-unknown-key'] },
});

const snakeAlone = (not: CheckId, key: string, value: unknown): NearMiss => ({
  name: `${key} is an extra key alone`,
  input: soundCard({ [key]: value }),
  want: { not, also: ['schema-unknown-key'] },
});

const provider = (members: Json): Json => soundCard({ provider: members });
const HOME = 'https://parcels.example.com/about';

export const LEGACY: Sheet = {
  family: 'the card is of 1.0, with nothing left over from 0.x',
  fails: [
    legacy(
      'url, transport and version at the top and no interfaces',
      { url: URL_OF_CALLS, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' },
      ['no-top-level-url', 'no-preferredTransport', 'no-top-level-protocolVersion'],
    ),
    legacy('an empty list of interfaces', { url: URL_OF_CALLS }, ['no-top-level-url'], []),
    legacy('interfaces that are null', { url: URL_OF_CALLS }, ['no-top-level-url'], null),
    legacy('a list of endpoints', { endpoints: [{ url: URL_OF_CALLS }] }),
    legacy('additional interfaces', { additionalInterfaces: [] }, ['no-additionalInterfaces']),
    legacy('a preferred transport under its proto name', { preferred_transport: 'JSONRPC' }),
    legacy('additional interfaces under their proto name', { additional_interfaces: [] }),
    legacy('a 0.x protocol version alone', { protocolVersion: '0.2.5' }, ['no-top-level-protocolVersion']),
    legacy('a 0.x protocol version under its proto name', { protocol_version: '0.3' }),
    legacy('a list of 0.x protocol versions', { protocolVersions: ['0.3.0'] }),
    legacy('a list of 0.x protocol versions under its proto name', { protocol_versions: ['0.3.0'] }),
    legacy(
      'schemes and requirements of 0.3 are not judged by the shape of 1.0',
      { url: URL_OF_CALLS, securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, security: [{ key: [] }] },
      ['no-top-level-url', 'no-legacy-security'],
    ),
    legacy(
      'what has the same place in both versions is judged',
      { url: URL_OF_CALLS, name: '', defaultInputModes: ['text'], signatures: [{}] },
      ['no-top-level-url', 'required-name', 'modes-media-type', 'signatures-shape'],
    ),

    leftover('a url beside the interfaces', 'no-top-level-url', '/url', soundCard({ url: URL_OF_CALLS })),
    leftover('a url that is null', 'no-top-level-url', '/url', soundCard({ url: null })),
    leftover(
      'a 1.0 version at the top',
      'no-top-level-protocolVersion',
      '/protocolVersion',
      soundCard({ protocolVersion: '1.0' }),
    ),
    leftover(
      'a preferred transport',
      'no-preferredTransport',
      '/preferredTransport',
      soundCard({ preferredTransport: 'JSONRPC' }),
    ),
    leftover(
      'an empty preferred transport',
      'no-preferredTransport',
      '/preferredTransport',
      soundCard({ preferredTransport: '' }),
    ),
    leftover(
      'additional interfaces beside the interfaces',
      'no-additionalInterfaces',
      '/additionalInterfaces',
      soundCard({ additionalInterfaces: [] }),
    ),
    leftover(
      'the flag of the extended card',
      'no-supportsAuthenticatedExtendedCard',
      '/supportsAuthenticatedExtendedCard',
      soundCard({ supportsAuthenticatedExtendedCard: false }),
    ),
    leftover(
      'the other name of that flag',
      'no-supportsAuthenticatedExtendedCard',
      '/supportsExtendedAgentCard',
      soundCard({ supportsExtendedAgentCard: true }),
    ),
    leftover(
      'a provider with a name and no organization',
      'no-provider-name',
      '/provider/name',
      provider({ name: 'Parcel Desk Ltd', url: HOME }),
    ),
    leftover(
      'a provider with a name and an organization',
      'no-provider-name',
      '/provider/name',
      provider({ name: 'P', organization: 'P', url: HOME }),
    ),
    leftover(
      'a provider whose name is null',
      'no-provider-name',
      '/provider/name',
      provider({ name: null, organization: 'P', url: HOME }),
    ),
    leftover(
      'a state transition history',
      'no-stateTransitionHistory',
      '/capabilities/stateTransitionHistory',
      soundCard({ capabilities: { stateTransitionHistory: false } }),
    ),
    leftover(
      'authentication of 0.2',
      'no-legacy-authentication',
      '/authentication',
      soundCard({ authentication: { schemes: ['Bearer'] } }),
    ),
    leftover('security on the card', 'no-legacy-security', '/security', soundCard({ security: [{ key: [] }] })),
    leftover('an empty security list', 'no-legacy-security', '/security', soundCard({ security: [] })),
    leftover(
      'a security that is null is a leftover too',
      'no-legacy-security',
      '/security',
      soundCard({ security: null }),
    ),
    leftover('security on a skill', 'no-legacy-security', '/skills/0/security', withSkill({ security: [{ key: [] }] })),
    leftover(
      'the 1.0 shape under the 0.3 name',
      'no-legacy-security',
      '/security',
      soundCard({ security: [{ schemes: { key: { list: [] } } }] }),
    ),
  ],
  passes: [
    {
      name: 'a card of both shapes',
      input: soundCard({ url: URL_OF_CALLS, protocolVersion: '0.3.0' }),
      want: { not: 'legacy-card', also: ['schema-unknown-key', 'no-top-level-url', 'no-top-level-protocolVersion'] },
    },
    {
      name: 'no interfaces and a 1.0 version at the top',
      input: soundCard({ supportedInterfaces: [], protocolVersion: '1.0' }),
      want: {
        not: 'legacy-card',
        also: ['schema-unknown-key', 'no-top-level-protocolVersion', 'required-supportedInterfaces'],
      },
    },
    {
      name: 'interfaces of the wrong type',
      input: soundCard({ supportedInterfaces: {}, url: URL_OF_CALLS }),
      want: { not: 'legacy-card', also: ['schema-type', 'schema-unknown-key', 'no-top-level-url'] },
    },
    {
      name: 'no interfaces and no mark of 0.x',
      input: soundCard({ supportedInterfaces: undefined }),
      want: { not: 'legacy-card', also: ['required-supportedInterfaces'] },
    },
    {
      name: 'a 1.0 card with an interface of 0.3',
      input: withInterface({ protocolVersion: '0.3' }),
      want: { not: 'legacy-card' },
    },
    { name: 'the url of the provider', input: soundCard(), want: { not: 'no-top-level-url' } },
    { name: 'the version of an interface', input: soundCard(), want: { not: 'no-top-level-protocolVersion' } },
    snakeAlone('no-top-level-protocolVersion', 'protocol_version', '1.0'),
    snakeAlone('no-preferredTransport', 'preferred_transport', 'JSONRPC'),
    snakeAlone('no-additionalInterfaces', 'additional_interfaces', []),
    snakeAlone('no-supportsAuthenticatedExtendedCard', 'supports_authenticated_extended_card', true),
    {
      name: 'the flag at its place',
      input: soundCard({ capabilities: { extendedAgentCard: true } }),
      want: { not: 'no-supportsAuthenticatedExtendedCard' },
    },
    { name: 'the name of the card', input: soundCard(), want: { not: 'no-provider-name' } },
    {
      name: 'its proto name is an extra key alone',
      input: soundCard({ capabilities: { state_transition_history: true } }),
      want: { not: 'no-stateTransitionHistory', also: ['schema-unknown-key'] },
    },
    {
      name: 'a skill that is about authentication',
      input: withSkill({ id: 'authentication', tags: ['authentication'] }),
      want: { not: 'no-legacy-authentication' },
    },
    {
      name: 'requirements under their own name',
      input: soundCard({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { key: {} } }],
      }),
      want: { not: 'no-legacy-security' },
    },
    {
      name: 'a skill that is about security',
      input: withSkill({ id: 'security', tags: ['security'] }),
      want: { not: 'no-legacy-security' },
    },
  ],
};
