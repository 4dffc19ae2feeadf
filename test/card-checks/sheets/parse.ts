import { CARD_URL, nested, soundCard, soundSkill, soundText, withParams } from '../../support/cards.ts';
import { error, type Sheet, warn } from '../row.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sound = JSON.stringify(soundCard());

const cyclic = soundCard();
cyclic.capabilities = { extensions: [{ uri: 'https://parcels.example.com/x', params: { self: cyclic } }] };

/** Levels above the params of an extension: card, capabilities, extensions, extension. */
const ABOVE_PARAMS = 4;

export const PARSE: Sheet = {
  family: 'what came is one JSON object',
  fails: [
    { name: 'a text that is cut off', input: sound.slice(0, -1), want: { id: 'parse-json', path: '', ...error } },
    { name: 'an empty text', input: '', want: { id: 'parse-json', path: '', ...error } },
    { name: 'no bytes', input: new Uint8Array(), want: { id: 'parse-json', path: '', ...error } },
    { name: 'comments are not JSON', input: `// a card\n${sound}`, want: { id: 'parse-json', path: '', ...error } },
    { name: 'a trailing comma', input: `${sound.slice(0, -1)},}`, want: { id: 'parse-json', path: '', ...error } },
    { name: 'two objects in a row', input: `${sound}\n${sound}`, want: { id: 'parse-json', path: '', ...error } },
    { name: 'NaN is not JSON', input: '{"version": NaN}', want: { id: 'parse-json', path: '', ...error } },
    {
      name: 'UTF-16 with its mark',
      input: Buffer.from(`\ufeff${sound}`, 'utf16le'),
      want: { id: 'parse-json', path: '', ...error },
    },
    {
      name: 'UTF-16 without a mark',
      input: Buffer.from(sound, 'utf16le'),
      want: { id: 'parse-json', path: '', ...error },
    },
    {
      name: 'big-endian UTF-16 without a mark',
      input: Buffer.from(sound, 'utf16le').swap16(),
      want: { id: 'parse-json', path: '', ...error },
    },
    {
      name: 'a byte that UTF-8 does not have',
      input: Buffer.from(sound.replace('courier', 'c\u00e9urier'), 'latin1'),
      want: { id: 'parse-json', path: '', ...error },
    },
    {
      name: 'a surrogate in UTF-8',
      input: Buffer.concat([bytes('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), bytes('"}')]),
      want: { id: 'parse-json', path: '', ...error },
    },
    { name: 'a list', input: `[${sound}]`, want: { id: 'parse-object', path: '', ...error } },
    { name: 'a list of the language', input: [soundCard()], want: { id: 'parse-object', path: '', ...error } },
    { name: 'null', input: 'null', want: { id: 'parse-object', path: '', ...error } },
    { name: 'a text in quotes', input: JSON.stringify(sound), want: { id: 'parse-object', path: '', ...error } },
    { name: 'a number', input: '1.0', want: { id: 'parse-object', path: '', ...error } },
    {
      name: 'an object with a getter that throws',
      input: Object.defineProperty(soundCard(), 'name', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
      want: { id: 'parse-object', path: '', ...error },
    },
    {
      name: 'an object with a bigint in it',
      input: withParams({ count: 1n }),
      want: { id: 'parse-object', path: '', ...error },
    },
    {
      name: 'a key that stands twice',
      input: soundText('"version"', '"name":"Other","version"'),
      want: { id: 'parse-duplicate-key', path: '/name', ...error },
    },
    {
      name: 'a key that stands twice with the same value',
      input: soundText('"version"', '"name":"Parcel Desk","version"'),
      want: { id: 'parse-duplicate-key', path: '/name', ...error },
    },
    {
      name: 'a key that stands a second time in an escaped spelling',
      input: soundText('"version"', '"n\\u0061me":"Other","version"'),
      want: { id: 'parse-duplicate-key', path: '/name', ...error },
    },
    {
      name: 'a key that stands twice in a nested object, in text',
      input: soundText('"id":"track"', '"id":"track","tags":[]'),
      want: { id: 'parse-duplicate-key', path: '/skills/0/tags', ...error },
    },
    {
      name: 'a key that stands twice in a nested object, in bytes',
      input: bytes(
        soundText('"url":"https://parcels.example.com/a2a"', '"url":"https://a.example","url":"https://b.example"'),
      ),
      want: { id: 'parse-duplicate-key', path: '/supportedInterfaces/0/url', ...error },
    },
    {
      name: 'a second __proto__ key',
      input: soundText('"streaming":true', '"streaming":true,"__proto__":{},"__proto__":{}'),
      want: { id: 'parse-duplicate-key', path: '/capabilities/__proto__', ...error },
    },
    {
      name: 'a key with slashes that stands twice is named as a pointer',
      input: soundText('"version"', '"a/b~c":1,"a/b~c":1,"version"'),
      want: { id: 'parse-duplicate-key', path: '/a~1b~0c', ...error },
    },
    {
      name: 'a text that nests deeper than the limit',
      input: JSON.stringify(withParams(nested(65 - ABOVE_PARAMS))),
      want: { id: 'parse-limits', path: '', ...error },
    },
    {
      name: 'an object that nests deeper than the limit',
      input: withParams(nested(65 - ABOVE_PARAMS)),
      want: { id: 'parse-limits', path: '', ...error },
    },
    {
      name: 'a hundred thousand open brackets',
      input: '['.repeat(100_000),
      want: { id: 'parse-limits', path: '', ...error },
    },
    { name: 'an object that holds itself', input: cyclic, want: { id: 'parse-limits', path: '', ...error } },
    {
      name: 'a text larger than the limit',
      input: sound,
      options: { limits: { cardBytes: sound.length - 1 } },
      want: { id: 'parse-limits', path: '', ...error },
    },
    {
      name: 'bytes that are more than the limit',
      input: bytes(sound),
      options: { limits: { cardBytes: sound.length - 1 } },
      want: { id: 'parse-limits', path: '', ...error },
    },
    {
      name: 'an object whose texts are larger than the limit',
      input: withParams({ text: 'x'.repeat(300_000) }),
      want: { id: 'parse-limits', path: '', ...error },
    },
    {
      name: 'a lower jsonDepth is the limit',
      input: soundCard(),
      options: { limits: { jsonDepth: 3 } },
      want: { id: 'parse-limits', path: '', ...error },
    },
    { name: 'a byte order mark in a text', input: `\ufeff${sound}`, want: { id: 'parse-bom', path: '', ...warn } },
    {
      name: 'a byte order mark in bytes',
      input: bytes(`\ufeff${sound}`),
      want: { id: 'parse-bom', path: '', ...warn },
    },
    {
      name: 'an empty object behind a byte order mark is two findings',
      input: Buffer.from('77u/e30=', 'base64'),
      want: { id: 'parse-bom', path: '', ...warn, also: ['wrong-document'] },
    },
  ],
  passes: [
    { name: 'white space around the object', input: `\r\n\t ${sound} \n`, want: { not: 'parse-json' } },
    { name: 'a sound card in bytes', input: bytes(sound), want: { not: 'parse-json' } },
    {
      name: 'letters outside ASCII in bytes',
      input: bytes(JSON.stringify(soundCard({ name: 'P\u00e4ckchen \u{1f4e6}' }))),
      want: { not: 'parse-json' },
    },
    {
      name: 'an object without a prototype',
      input: Object.assign(Object.create(null) as object, soundCard()),
      want: { not: 'parse-object' },
    },
    { name: 'a frozen object', input: Object.freeze(soundCard()), want: { not: 'parse-object' } },
    {
      name: 'members that JSON has no form for are left out',
      input: withParams({ nothing: undefined, call: () => 1, mark: Symbol('m') }),
      want: { not: 'parse-object' },
    },
    {
      name: 'the same key in two objects',
      input: JSON.stringify(soundCard({ skills: [soundSkill(), soundSkill({ id: 'book' })] })),
      want: { not: 'parse-duplicate-key' },
    },
    {
      name: 'a key that stands again inside a text',
      input: soundText('Tells where a parcel is right now.', 'Answers {\\"id\\":1,\\"id\\":2} to a question.'),
      want: { not: 'parse-duplicate-key' },
    },
    {
      name: 'a value that is spelled like a key',
      input: soundText('"tags":["parcel"]', '"tags":["id","id","tags"]'),
      want: { not: 'parse-duplicate-key' },
    },
    {
      name: 'as many levels as the limit, in text',
      input: JSON.stringify(withParams(nested(64 - ABOVE_PARAMS))),
      want: { not: 'parse-limits' },
    },
    {
      name: 'as many levels as the limit, in an object',
      input: withParams(nested(64 - ABOVE_PARAMS)),
      want: { not: 'parse-limits' },
    },
    {
      name: 'brackets inside a text are no levels',
      input: soundText('Tells where a parcel is right now.', `Reads ${'[{'.repeat(100)} and \\"${'['.repeat(100)}`),
      want: { not: 'parse-limits' },
    },
    {
      name: 'as many bytes as the limit',
      input: bytes(sound),
      options: { limits: { cardBytes: sound.length } },
      want: { not: 'parse-limits' },
    },
    {
      name: 'an object that stands twice is no cycle',
      input: soundCard({ provider: { organization: 'Parcel Desk Ltd', url: CARD_URL }, documentationUrl: CARD_URL }),
      want: { not: 'parse-limits' },
    },
    {
      name: 'a byte order mark inside a text',
      input: JSON.stringify(soundCard({ name: 'Parcel\ufeff Desk' })),
      want: { not: 'parse-bom' },
    },
  ],
};
