import type { CheckId } from '../../../src/index.ts';
import { type Json, soundCard, withSkill } from '../../support/cards.ts';
import { advice, type FailingRow, type NearMiss, type Sheet, warn } from '../row.ts';

const counsel = (
  name: string,
  id: CheckId,
  path: string,
  overrides: Json,
  also: readonly CheckId[] = [],
): FailingRow => ({
  name,
  input: soundCard(overrides),
  want: { id, path, ...advice, also },
});

const fine = (name: string, not: CheckId, overrides: Json, also: readonly CheckId[] = []): NearMiss => ({
  name,
  input: soundCard(overrides),
  want: { not, also },
});

const provider = (url: string): Json => ({ provider: { organization: 'Parcel Desk Ltd', url } });

const mode = (name: string, path: string, input: Json): FailingRow => ({
  name,
  input,
  want: { id: 'modes-media-type', path, ...warn },
});

export const ADVICE: Sheet = {
  family: 'what a careful owner would mend',
  fails: [
    mode('a bare word', '/defaultInputModes/0', soundCard({ defaultInputModes: ['text'] })),
    mode(
      'a bare word among media types',
      '/defaultOutputModes/1',
      soundCard({ defaultOutputModes: ['text/plain', 'json'] }),
    ),
    mode('a mode of a skill', '/skills/0/inputModes/0', withSkill({ inputModes: ['audio'] })),
    mode('an output mode of a skill', '/skills/0/outputModes/0', withSkill({ outputModes: ['file'] })),
    mode(
      'an empty mode among media types',
      '/defaultInputModes/1',
      soundCard({ defaultInputModes: ['text/plain', ''] }),
    ),
    mode('a type without a subtype', '/defaultInputModes/0', soundCard({ defaultInputModes: ['text/'] })),

    counsel('http documentation', 'url-https', '/documentationUrl', {
      documentationUrl: 'http://parcels.example.com/docs',
    }),
    counsel('an http icon', 'url-https', '/iconUrl', { iconUrl: 'http://parcels.example.com/icon.png' }),
    counsel('an http provider', 'url-https', '/provider/url', provider('http://parcels.example.com')),
    counsel('a link that is no URL', 'url-https', '/documentationUrl', { documentationUrl: 'docs/agent' }),
    counsel('a description under 20 characters', 'description-length', '/description', {
      description: 'Answers on parcels.',
    }),
    counsel('a description that white space makes long', 'description-length', '/description', {
      description: `${' '.repeat(30)}Parcels`,
    }),
    counsel('an icon on a foreign host', 'icon-origin', '/iconUrl', { iconUrl: 'https://images.example.net/icon.png' }),
    counsel('AI Assistant', 'name-generic', '/name', { name: 'AI Assistant' }),
    counsel('a generic name in another case', 'name-generic', '/name', { name: ' ai assistant ' }),
    counsel('a home page as documentation', 'documentation-url-root', '/documentationUrl', {
      documentationUrl: 'https://parcels.example.com/',
    }),
    counsel('a home page without the slash', 'documentation-url-root', '/documentationUrl', {
      documentationUrl: 'https://parcels.example.com',
    }),
    {
      name: 'an icon is read under its proto name',
      input: soundCard({ iconUrl: undefined, icon_url: 'http://parcels.example.com/icon.png' }),
      want: { id: 'url-https', path: '/icon_url', ...advice, also: ['camel-case'] },
    },
  ],
  passes: [
    fine('parameters are fine', 'modes-media-type', { defaultInputModes: ['text/plain; charset=utf-8'] }),
    fine('a media range', 'modes-media-type', { defaultInputModes: ['image/*', '*/*'] }),
    fine('a vendor type', 'modes-media-type', { defaultInputModes: ['application/vnd.parcels+json'] }),
    fine('a type in capitals', 'modes-media-type', { defaultInputModes: ['Text/Plain'] }),
    fine('only blank modes are no modes, which is one finding', 'modes-media-type', { defaultInputModes: [' '] }, [
      'required-defaultInputModes',
    ]),
    fine('an empty link', 'url-https', { documentationUrl: '', iconUrl: '' }),
    fine('a link that is null', 'url-https', { iconUrl: null }, ['null-as-unset']),
    fine('no links', 'url-https', { documentationUrl: undefined, iconUrl: undefined, provider: undefined }),
    fine('20 characters', 'description-length', { description: 'Answers on parcels..' }),
    fine('an empty description is another check', 'description-length', { description: '' }, ['required-description']),
    fine('an icon on the host of an interface', 'icon-origin', { ...provider('https://other.example.net') }),
    fine('an icon on the host of the provider', 'icon-origin', {
      ...provider('https://other.example.net/x'),
      iconUrl: 'https://other.example.net/icon.png',
    }),
    fine('an icon on another port', 'icon-origin', { iconUrl: 'https://parcels.example.com:8443/icon.png' }),
    fine('no icon', 'icon-origin', { iconUrl: undefined }),
    {
      name: 'a 0.x card names its interface elsewhere',
      input: soundCard({
        ...provider('https://other.example.net/x'),
        supportedInterfaces: undefined,
        url: 'https://parcels.example.com/a2a',
      }),
      want: { not: 'icon-origin', also: ['legacy-card', 'schema-unknown-key', 'no-top-level-url'] },
    },
    fine('a name with something of its own', 'name-generic', { name: 'Parcel AI Assistant' }),
    fine('no name is another check', 'name-generic', { name: undefined }, ['required-name']),
    fine('a page of documentation', 'documentation-url-root', { documentationUrl: 'https://parcels.example.com/docs' }),
    fine('a page named by its query', 'documentation-url-root', {
      documentationUrl: 'https://parcels.example.com/?page=agent',
    }),
    fine('a place in a page', 'documentation-url-root', { documentationUrl: 'https://parcels.example.com/#agent' }),
    fine('a host for documentation', 'documentation-url-root', {
      documentationUrl: 'https://docs.parcels.example.com/agent',
    }),
  ],
};
