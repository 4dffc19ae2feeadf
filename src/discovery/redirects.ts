import { forbiddenAddress, type ReachPolicy } from '../card/address.ts';
import type { HttpResponse } from '../exchange.ts';
import { parseUrl, withoutSecrets } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';

/** What follows from one answer on the way to a card. */
export type Hop =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'follow'; readonly url: URL }
  | { readonly kind: 'refused'; readonly fault: Fault };

export interface HopPolicy {
  readonly network: ReachPolicy;
  /** Redirects that are followed at most. */
  readonly redirects: number;
}

/** Statuses that name another place of the same thing; 300, 304, 305 and 306 are answers. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Judges a redirect by the policy that the first address had to meet as well (RFC 9110 §15.4). */
export function nextHop(from: URL, answer: HttpResponse, followed: number, policy: HopPolicy): Hop {
  if (!REDIRECTS.has(answer.status)) return { kind: 'arrived' };
  const location = answer.header('location');
  const url = location === undefined ? undefined : parseUrl(location, from);
  const refused = (why: string): Hop => {
    const message = `The card URL answered HTTP ${answer.status} with a redirect ${why}`;
    return { kind: 'refused', fault: { id: 'discovery-redirect', path: '', message } };
  };
  if (url === undefined) return refused('to nowhere.');
  const target = withoutSecrets(url.href);
  if (followed >= policy.redirects) {
    return refused(`to ${target}, and limits.redirects allows ${policy.redirects}.`);
  }
  if (url.username !== '' || url.password !== '') return refused(`to ${target} with a user name in it.`);
  if (from.protocol === 'https:' && url.protocol !== 'https:') return refused(`from https to ${target}.`);
  const forbidden = forbiddenAddress(url, policy.network);
  return forbidden === undefined ? { kind: 'follow', url } : { kind: 'refused', fault: forbidden };
}

/** Headers that may go to another origin: nothing that tells who asks, and no conditions about another resource. */
const EVERYWHERE = ['accept', 'accept-language', 'accept-encoding', 'user-agent'];

/** The headers of a request that goes to another origin: without credentials. */
export function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => EVERYWHERE.includes(name)));
}
