import type CachePolicy from 'http-cache-semantics';
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
  /** The freshness after the server said that nothing changed; undefined when it may not be stored any more. */
  readonly renewed: (answer: HttpResponse) => Freshness | undefined;
}

/** Response headers that decide about storing. */
const HEADERS = ['cache-control', 'pragma', 'expires', 'date', 'age', 'etag', 'last-modified', 'vary'];

function headersOf(answer: HttpResponse): Record<string, string> {
  const given = HEADERS.map((name) => [name, answer.header(name)] as const);
  const headers = Object.fromEntries(
    given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  );
  const control = headers['cache-control'];
  return control === undefined ? headers : { ...headers, 'cache-control': control.toLowerCase() };
}

/** Reads the freshness of an answer; undefined when it must not be stored. */
export type ReadFreshness = (url: URL, answer: HttpResponse) => Freshness | undefined;

let semantics: Promise<{ readonly default: typeof CachePolicy }> | undefined;

/** Loads what HTTP says of caches, once. A process that only judges cards does not wait for it. */
export async function loadFreshness(options: Required<CacheOptions>): Promise<ReadFreshness> {
  semantics ??= import('http-cache-semantics');
  const { default: Policy } = await semantics;
  return (url, answer) => toFreshness(Policy, url, answer.status, headersOf(answer), options);
}

/** What is not fresh for a moment: a redirect that nobody may keep. */
const NEVER = { isFresh: () => false };

/** A card holds no longer than the redirects that led to it. */
export function throughHops(
  freshness: Freshness,
  hops: readonly { readonly url: URL; readonly answer: HttpResponse }[],
  read: ReadFreshness,
): Freshness {
  if (hops.length === 0) return freshness;
  const all = [freshness, ...hops.map(({ url, answer }) => read(url, answer) ?? NEVER)];
  return { ...freshness, isFresh: () => all.every(({ isFresh }) => isFresh()) };
}

function toFreshness(
  Policy: typeof CachePolicy,
  url: URL,
  status: number,
  headers: Readonly<Record<string, string>>,
  options: Required<CacheOptions>,
): Freshness | undefined {
  const request = { method: 'GET', url: `${url.pathname}${url.search}`, headers: { host: url.host, ...CARD_HEADERS } };
  const policy = new Policy(request, { status, headers: { ...headers } }, { shared: false });
  if (!policy.storable()) return undefined;
  const { 'cache-control': control = '', expires, pragma, vary } = headers;
  const says = /max-age|no-cache/.test(control) || [expires, pragma].some((text) => text !== undefined) || vary === '*';
  const lifetime = says ? policy.maxAge() * 1000 : options.ttlMs;
  const reusable = !says || policy.satisfiesWithoutRevalidation(request);
  const storedAt = performance.now();
  const startAge = policy.age() * 1000;
  const age = (): number => startAge + performance.now() - storedAt;
  return {
    isFresh: () => reusable && age() < lifetime,
    servesOnError: () => age() < lifetime + options.staleIfErrorMs && !/must-revalidate|no-cache/.test(control),
    conditions: () => conditionsIn(policy.revalidationHeaders(request)),
    renewed: (answer) => {
      const { age: _, ...kept } = headers;
      return toFreshness(Policy, url, status, { ...kept, ...headersOf(answer) }, options);
    },
  };
}

function conditionsIn(headers: CachePolicy.Headers): Record<string, string> {
  const names = ['if-none-match', 'if-modified-since'].filter((name) => typeof headers[name] === 'string');
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
