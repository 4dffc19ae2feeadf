const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame the exchange: setting them would contradict what the guard sends. */
const OWNED: Readonly<Record<string, string>> = {
  'a2a-version': 'the interface decides it',
  'a2a-extensions': 'use the extensions option',
  'x-a2a-extensions': 'use the extensions option',
  'content-type': 'the binding decides it',
  'content-length': 'the body decides it',
  'transfer-encoding': 'the body decides it',
  accept: 'the operation decides it',
  'accept-encoding': 'answers are read as they are',
  host: 'the interface decides it',
  connection: 'the pool decides it',
  'keep-alive': 'the pool decides it',
  upgrade: 'the protocol has none',
  expect: 'the body is sent at once',
  te: 'the protocol has none',
  trailer: 'the protocol has none',
};

/** Whether a text can be the name of a header (RFC 9110). */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

/** Whether a text can stand in a header: no line ends or control characters, nothing beyond Latin-1. */
export function isHeaderText(text: unknown): text is string {
  return typeof text === 'string' && TEXT.test(text);
}

/** Why a header is not the caller's or the card's to set; undefined when it is. */
export function isOwnedHeader(name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(OWNED, lower) ? OWNED[lower] : undefined;
}
