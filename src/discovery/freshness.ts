import CachePolicy from 'http-cache-semantics';
import type { HttpResponse } from '../exchange.ts';
import type { CacheOptions } from '../options.ts';
import { CARD_HEADERS } from './fetch-card.ts';

/** How long a stored card holds without a question to its server (RFC 9111). */
export interface Freshness {
  readonly isFresh: () => boolean;
  /** Whether a card that is no longer fresh may serve while its server fails. */
  readonly servesOnError: () => boolean;
  /** Headers of the question whether the card is still the same; without a validator they ask for all of it. */
  readonly conditions: () => Readonly<Record<string, string>>;
  /** The freshness after the server said that nothing changed. */
  readonly renewed: (answer: HttpResponse) => Freshness;
}

/** Response headers that decide about storing. */
const HEADERS = ['cache-control', 'pragma', 'expires', 'date', 'age', 'etag', 'last-modified', 'vary'];

function headersOf(answer: HttpResponse): Record<string, string> {
  const given = HEADERS.map((name) => [name, answer.header(name)] as const);
  return Object.fromEntries(given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** Reads the freshness of a card's answer; undefined when it must not be stored. */
export function readFreshness(url: URL, answer: HttpResponse, options: Required<CacheOptions>): Freshness | undefined {
  const request = { method: 'GET', url: `${url.pathname}${url.search}`, headers: { host: url.host, ...CARD_HEADERS } };
  const policy = new CachePolicy(request, { status: answer.status, headers: headersOf(answer) }, { shared: false });
  return policy.storable() ? toFreshness(policy, request, options) : undefined;
}

function toFreshness(
  policy: CachePolicy,
  request: CachePolicy.HttpRequest,
  options: Required<CacheOptions>,
): Freshness {
  const { 'cache-control': control = '', expires, pragma } = policy.responseHeaders();
  const says = /max-age|no-cache|no-store/i.test(String(control)) || expires !== undefined || pragma !== undefined;
  const lifetime = (): number => (says ? policy.maxAge() * 1000 : options.ttlMs);
  const storedAt = performance.now();
  const startAge = policy.age() * 1000;
  const age = (): number => startAge + performance.now() - storedAt;
  return {
    isFresh: () => (says ? policy.satisfiesWithoutRevalidation(request) : age() < lifetime()),
    servesOnError: () =>
      age() < lifetime() + options.staleIfErrorMs && !/must-revalidate|no-cache/i.test(String(control)),
    conditions: () => conditionsIn(policy.revalidationHeaders(request)),
    renewed: (answer) => {
      const next = policy.revalidatedPolicy(request, { status: 304, headers: headersOf(answer) }).policy;
      return toFreshness(next, request, options);
    },
  };
}

function conditionsIn(headers: CachePolicy.Headers): Record<string, string> {
  const names = ['if-none-match', 'if-modified-since'].filter((name) => typeof headers[name] === 'string');
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
