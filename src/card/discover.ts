import { parseUrl, withoutTrailingSlashes } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';

/** Where a card is served (§8.2), and where agents before 0.3 served it. */
const WELL_KNOWN = '.well-known/agent-card.json';
const LEGACY_WELL_KNOWN = '.well-known/agent.json';

export interface CardLocation {
  /** Tells this location from every other. */
  readonly key: string;
  readonly url: URL;
  /** The pre-0.3 location, asked only after a 404; absent for a full card URL. */
  readonly legacyUrl?: URL;
}

/**
 * Where the card of an agent is. A path that ends in .json or lies under /.well-known/ is the card's own URL, as is any
 * with `exact`; else the URL is a base, whose path is kept (§8.2).
 * @throws TypeError for what is no http(s) URL, and for a URL with a user name or password in it.
 */
export function locateCard(input: unknown, exact: boolean): CardLocation {
  const text = input instanceof URL ? input.href : input;
  const url = typeof text === 'string' ? parseUrl(text) : undefined;
  if (url === undefined) {
    throw new TypeError('discover: expected an absolute URL such as "https://agents.example.com"');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`discover: expected an http or https URL, got ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('discover: leave user name and password out of the URL; use the credentials option');
  }
  url.hash = '';
  if (exact || url.pathname.endsWith('.json') || url.pathname.includes('/.well-known/')) return { key: url.href, url };
  const base = `${url.origin}${withoutTrailingSlashes(url.pathname)}/`;
  return { key: `${base} base`, url: new URL(WELL_KNOWN, base), legacyUrl: new URL(LEGACY_WELL_KNOWN, base) };
}

/** What a card URL answered. */
export interface CardAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** Scheme, host and path of a redirect's target. */
  readonly location: string | undefined;
}

/** Judges the HTTP side of a card answer. The body of a 200 decides the rest, whatever its content type. */
export function checkCardAnswer({ status, contentType, contentEncoding, location }: CardAnswer): Fault[] {
  if (status >= 300 && status < 400 && status !== 304) {
    const message = `The card URL answered HTTP ${status} with a redirect to ${location ?? 'nowhere'}, which is not followed.`;
    return [{ id: 'discovery-redirect', path: '', message }];
  }
  if (status !== 200) {
    return [{ id: 'discovery-status', path: '', message: `The card URL answered HTTP ${status}.` }];
  }
  if (!/^(?:identity)?$/i.test(contentEncoding ?? '')) {
    const message = 'The card came packed, although it was asked for as it is.';
    return [{ id: 'discovery-content-type', path: '', message, severity: 'error' }];
  }
  if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) return [];
  const message = `The card came as ${contentType === undefined ? 'no content type' : contentType.slice(0, 80)}, not as application/json.`;
  return [{ id: 'discovery-content-type', path: '', message }];
}
