import { type Json, soundCard } from '../../support/cards.ts';
import { error, type FailingRow, type NearMiss, type Sheet, softer } from '../row.ts';

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const SIGNATURE = encode('not a real signature');
const GOOD = { protected: encode({ alg: 'ES256', kid: 'k1' }), signature: SIGNATURE };

const signed = (...signatures: unknown[]): Json => soundCard({ signatures });
const header = (value: unknown): Json =>
  signed({ ...GOOD, protected: typeof value === 'string' ? value : encode(value) });

const shape = (name: string, input: Json, also: FailingRow['want']['also'] = []): FailingRow => ({
  name,
  input,
  want: { id: 'signatures-shape', path: '/signatures/0', ...error, also },
});

const HOME = 'https://parcels.example.com/about';
const provider = (members: Json): Json => soundCard({ provider: members });
const extensions = (...list: unknown[]): Json => soundCard({ capabilities: { extensions: list } });
const readable = (name: string, input: Json): NearMiss => ({ name, input, want: { not: 'signatures-shape' } });

export const PARTIES: Sheet = {
  family: 'signatures, provider and extensions are whole',
  fails: [
    shape('a signature without its protected header', signed({ signature: SIGNATURE })),
    shape('an empty protected header', signed({ ...GOOD, protected: '' })),
    shape('a protected header that is null', signed({ ...GOOD, protected: null })),
    shape('a protected header without its signature', signed({ protected: GOOD.protected })),
    shape('an empty signature', signed({ ...GOOD, signature: '' })),
    shape('an empty entry', signed({})),
    shape('an entry that is null', signed(null), ['schema-type']),
    shape('a signature in the standard alphabet', signed({ ...GOOD, signature: '+/+/' })),
    shape('a signature with padding', signed({ ...GOOD, signature: 'AAA=' })),
    shape('a header as plain JSON', header('{"alg":"ES256","kid":"k1"}')),
    shape('a header that decodes to no JSON', header(encode('alg=ES256'))),
    shape('a header that decodes to a list', header(['ES256', 'k1'])),
    shape('a header without kid', header({ alg: 'ES256' })),
    shape('a header with an empty kid', header({ alg: 'ES256', kid: '' })),
    shape('a header with a kid that is a number', header({ alg: 'ES256', kid: 1 })),
    shape('a header without alg', header({ kid: 'k1' })),
    ...['none', 'HS256', 'HS512', 'es256', 'RS1', 'dir', 'ECDH-ES', 'A256GCM'].map((alg) =>
      shape(`the algorithm ${alg}`, header({ alg, kid: 'k1' })),
    ),
    {
      name: 'one bad entry among good ones',
      input: signed(GOOD, { ...GOOD, signature: '' }),
      want: { id: 'signatures-shape', path: '/signatures/1', ...error },
    },
    {
      name: 'no organization',
      input: provider({ url: HOME }),
      want: { id: 'provider-shape', path: '/provider/organization', keyword: 'required', ...softer },
    },
    {
      name: 'no url',
      input: provider({ organization: 'Parcel Desk Ltd' }),
      want: { id: 'provider-shape', path: '/provider/url', keyword: 'required', ...softer },
    },
    {
      name: 'an empty provider',
      input: provider({}),
      want: { id: 'provider-shape', path: '/provider/url', ...softer },
    },
    {
      name: 'a blank organization',
      input: provider({ organization: ' ', url: HOME }),
      want: { id: 'provider-shape', path: '/provider/organization', ...softer },
    },
    {
      name: 'null in a REQUIRED field of the provider',
      input: provider({ organization: 'Parcel Desk Ltd', url: null }),
      want: { id: 'provider-shape', path: '/provider/url', ...softer },
    },
    {
      name: 'an extension without its uri',
      input: extensions({ description: 'Tracks' }),
      want: { id: 'extension-uri', path: '/capabilities/extensions/0/uri', keyword: 'required', ...softer },
    },
    {
      name: 'an extension with an empty uri',
      input: extensions({ uri: 'https://parcels.example.com/x' }, { uri: '' }),
      want: { id: 'extension-uri', path: '/capabilities/extensions/1/uri', ...softer },
    },
  ],
  passes: [
    readable('no signatures', soundCard()),
    readable('an empty list of signatures', soundCard({ signatures: [] })),
    ...['ES256', 'ES384', 'ES512', 'RS256', 'PS512', 'EdDSA'].map((alg) =>
      readable(`the algorithm ${alg}`, header({ alg, kid: 'k1' })),
    ),
    readable('an unprotected header beside it', signed({ ...GOOD, header: { note: null } })),
    readable('further members of the protected header', header({ alg: 'ES256', kid: 'k1', jku: HOME, typ: 'JOSE' })),
    { name: 'no provider', input: soundCard({ provider: undefined }), want: { not: 'provider-shape' } },
    {
      name: 'a name in place of the organization is a leftover alone',
      input: provider({ name: 'Parcel Desk Ltd', url: HOME }),
      want: { not: 'provider-shape', also: ['no-provider-name', 'schema-unknown-key'] },
    },
    {
      name: 'an organization of the wrong type is schema-type alone',
      input: provider({ organization: 5, url: HOME }),
      want: { not: 'provider-shape', also: ['schema-type'] },
    },
    { name: 'a uri of any scheme', input: extensions({ uri: 'urn:example:tracking' }), want: { not: 'extension-uri' } },
    { name: 'no extensions', input: extensions(), want: { not: 'extension-uri' } },
    {
      name: 'a uri of the wrong type is schema-type alone',
      input: extensions({ uri: 5 }),
      want: { not: 'extension-uri', also: ['schema-type'] },
    },
  ],
};
