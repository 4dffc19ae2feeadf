import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { forbiddenAddress, hostOf, reachOf } from '../card/address.ts';
import { type Client, isHttpAnswer, readable, withinTime } from '../exchange.ts';
import type { ResolvedOptions, SignedHeader } from '../options.ts';
import { isObject } from '../schema/scalars.ts';
import { parseUrl } from '../schema/url.ts';
import { type FindKeys, type Key, loadJose } from './signatures.ts';

/** Key sets that are remembered at most, and for how long in milliseconds. */
const MAX_KEY_SETS = 100;
const KEY_SET_MS = 300_000;
/** Keys may be new or changed under their name; a remembered set is asked for again, but not in every breath. */
const REFETCH_MS = 30_000;

/** Keys of one name in one set that are tried. */
const MAX_SAME_NAME = 3;

interface RememberedSet {
  readonly keys: Promise<readonly JWK[]>;
  readonly at: number;
}

/**
 * Where keys come from, in this order: the key set of the options, the function of the options, and the `jku` of the
 * signature if its origin is trusted. A `jku` is fetched by https, from an address that policy allows, without redirects.
 */
export function createKeySource(
  { signatures, network, limits }: ResolvedOptions,
  client: Client | undefined,
): FindKeys {
  const { jwks, resolveKey, jkuOrigins = [] } = signatures;
  const remote = new LRUCache<string, RememberedSet>({ max: MAX_KEY_SETS, ttl: KEY_SET_MS });

  const fetchKeys = async (url: URL): Promise<readonly JWK[]> => {
    if (client === undefined) return [];
    const answer = await client.request({
      method: 'GET',
      url: url.href,
      headers: { accept: 'application/jwk-set+json, application/json', 'accept-encoding': 'identity' },
      limits: { ...limits, responseBytes: limits.cardBytes },
    });
    const { status, body } = readable(answer, isHttpAnswer);
    if (status !== 200) throw new Error('the key set could not be fetched');
    return readKeySet(JSON.parse(new TextDecoder().decode(body)));
  };
  const remember = (url: URL): RememberedSet => {
    const set = { keys: fetchKeys(url), at: performance.now() };
    remote.set(url.href, set);
    set.keys.catch(() => remote.delete(url.href));
    return set;
  };
  const trusted = (text: string | undefined): URL | undefined => {
    const url = parseUrl(text);
    if (url === undefined || !jkuOrigins.includes(url.origin) || url.username !== '' || url.password !== '')
      return undefined;
    if (url.protocol !== 'https:' && reachOf(hostOf(url)) !== 'loopback') return undefined;
    url.hash = '';
    return forbiddenAddress(url, network) === undefined ? url : undefined;
  };
  return async function* findKeys(header) {
    yield* named(jwks?.keys ?? [], header);
    const given: unknown = resolveKey && (await withinTime(Promise.resolve(resolveKey(header)), limits.totalMs));
    if (given !== undefined && given !== null) yield given as Key;
    const url = trusted(header.jku);
    if (url === undefined) return;
    const stored = remote.get(url.href);
    yield* named(await (stored ?? remember(url)).keys, header);
    const isOld = stored !== undefined && performance.now() - stored.at > REFETCH_MS;
    if (isOld) yield* named(await remember(url).keys, header);
  };
}

/** The keys of a set that have this name: one, as a rule. */
async function* named(keys: readonly object[], { alg, kid }: SignedHeader): AsyncGenerator<CryptoKey> {
  const { createLocalJWKSet } = await loadJose();
  for (const key of keys.filter((each) => (each as JWK).kid === kid).slice(0, MAX_SAME_NAME)) {
    try {
      yield await createLocalJWKSet({ keys: [key as JWK] } satisfies JSONWebKeySet)({ alg, kid });
    } catch {
      // It is not for this algorithm, or no public key for signatures.
    }
  }
}

function readKeySet(value: unknown): readonly JWK[] {
  if (!isObject(value) || !Array.isArray(value.keys)) throw new Error('this is no key set');
  return value.keys.filter(isObject) as JWK[];
}
