import { MIMEType } from 'whatwg-mimetype';
import { parseUrl } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';

/** Characters of a foreign body that a message shows at most. */
const MAX_EXCERPT = 80;
/** Bytes of a body that an excerpt is taken from. */
const EXCERPT_BYTES = 16_384;

/**
 * The start of a body that is not JSON or not a success, safe to print: control characters escaped, at most 80 long.
 * What of the request's secrets an agent echoes is left out.
 */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  const head = secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
    .slice(0, MAX_EXCERPT * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_EXCERPT);
  const safe = [...head].map((char) =>
    isPrintable(char) ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return safe.join('').slice(0, MAX_EXCERPT);
}

function isPrintable(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return code >= 0x20 && !(code >= 0x7f && code <= 0x9f) && code !== 0x2028 && code !== 0x2029 && code !== 0xfeff;
}

/** Reads what is UTF-8 and refuses the rest; a byte order mark is skipped. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** How a content type reads: a right one, one to report and read all the same, or one that is not JSON. */
export type ContentKind = 'json' | 'almost-json' | 'event-stream' | 'other';

/** Reads a Content-Type header. JSON is `application/json`; text/plain, `+json` types and none at all are read with a warning. */
export function readContentType(header: string | undefined): { kind: ContentKind; name: string } {
  if (header === 'application/json') return { kind: 'json', name: header };
  const type = header === undefined || header === '' ? null : MIMEType.parse(header);
  if (type === null) return { kind: 'almost-json', name: header ? 'unreadable' : 'none' };
  const name = type.essence;
  if (name === 'application/json') return { kind: 'json', name };
  if (name === 'text/event-stream') return { kind: 'event-stream', name };
  const almost = name === 'text/plain' || name === 'text/json' || type.subtype.endsWith('+json');
  return { kind: almost ? 'almost-json' : 'other', name };
}

/** Judges the content type of a 2xx answer that should be JSON. */
export function checkJsonType(header: string | undefined, ofBinding = 'application/json'): Fault[] {
  const { kind, name } = readContentType(header);
  if (kind === 'json' || name === ofBinding) return [];
  const message = `The answer has the content type ${name}, not application/json.`;
  return [{ id: 'wire-content-type', path: '', message, ...(kind === 'almost-json' && { severity: 'warn' as const }) }];
}

/** Judges the content encoding: none was asked for, so a packed body would be read as rubbish. */
export function checkEncoding(header: string | undefined): Fault[] {
  if (header === undefined || header === '' || header.toLowerCase() === 'identity') return [];
  const message = `The answer is packed (${excerpt(header)}), although it was asked for as it is.`;
  return [{ id: 'wire-content-type', path: '', message }];
}

/** A text as JSON, or the fault that says what it is. */
export type Parsed = { readonly value: unknown } | { readonly fault: Fault };

/** A body as JSON, or the fault that says what it is. A byte order mark is skipped. */
export function parseBody(bytes: Uint8Array, secrets?: readonly string[]): Parsed {
  if (bytes.length === 0) return { fault: { id: 'wire-json', path: '', message: 'The answer has no body.' } };
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return { fault: { id: 'wire-json', path: '', message: 'The answer is not UTF-8 text.' } };
  }
  return parseText(text, secrets);
}

/** A text as JSON, or the fault that says what it is. */
export function parseText(text: string, secrets?: readonly string[]): Parsed {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: { id: 'wire-json', path: '', message: `The answer is not JSON: ${excerpt(text, secrets)}` } };
  }
}

/** Says what an answer outside 2xx without a readable error is. */
export function describeStatus(
  status: number,
  contentType: string | undefined,
  body: Uint8Array,
  location?: string,
  secrets?: readonly string[],
): Fault {
  const { name } = readContentType(contentType);
  const text = excerpt(new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES)), secrets);
  const kind = text.startsWith('<') || name === 'text/html' ? ' with an HTML page' : '';
  const target = status >= 300 && status < 400 ? ` to ${originOf(location)}; redirects of calls are not followed` : '';
  const shown = text === '' || target !== '' || kind !== '' ? '' : `: ${text}`;
  return {
    id: 'wire-status',
    path: '',
    message: `The agent answered HTTP ${status}${kind}${target}${shown}`,
    ...hintOf(status),
  };
}

/** The move that a status asks for, where it is another one than looking at the server. */
function hintOf(status: number): { hint?: string } {
  if (status === 401 || status === 403)
    return { hint: 'Give the credentials that the card or the WWW-Authenticate header asks for.' };
  return status === 413 ? { hint: 'Send less; the agent does not take a request of this size.' } : {};
}

/** Scheme, host and path of a redirect target, without what may be secret in it. */
export function originOf(location: string | undefined): string {
  if (location === undefined || location === '') return 'nowhere';
  const url = parseUrl(location);
  if (url === undefined) return `"${excerpt(location.replace(/[?#].*$/s, ''))}"`;
  return excerpt(`${url.protocol}//${url.host}${url.pathname}`);
}
