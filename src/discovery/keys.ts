import type { CryptoKey, JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { forbiddenAddress, hostOf, reachOf } from '../card/address.ts';
import { type Client, withinTime } from '../exchange.ts';
import type { ResolvedOptions, SignedHeader } from '../options.ts';
import { isObject } from '../schema/scalars.ts';
import { parseUrl } from '../schema/url.ts';
import type { FindKey } from './signatures.ts';

/** Key sets that are remembered at most, and for how long in milliseconds. */
const MAX_KEY_SETS = 100;
const KEY_SET_MS = 300_000;
/** A key that a remembered set lacks may be new; the set is asked for again, but not in every breath. */
const REFETCH_MS = 30_000;

type KeySet = (header: { readonly alg: string; readonly kid: string }) => Promise<CryptoKey>;

/**
 * Where keys come from, in this order: the key set of the options, the function of the options, and the `jku` of the
 * signature if its origin is trusted. A `jku` is fetched by https, from an address that policy allows, without redirects.
 */
export function createKeySource({ signatures, network, limits }: ResolvedOptions, client: Client | undefined): FindKey {
  const { jwks, resolveKey, jkuOrigins = [] } = signatures;
  const remote = new LRUCache<string, { readonly keys: Promise<KeySet>; readonly at: number }>({
    max: MAX_KEY_SETS,
    ttl: KEY_SET_MS,
  });
  let own: Promise<KeySet> | undefined;

  const fetchKeys = async (url: URL): Promise<KeySet> => {
    const answer = await client?.request({
      method: 'GET',
      url: url.href,
      headers: { accept: 'application/jwk-set+json, application/json', 'accept-encoding': 'identity' },
      limits: { ...limits, responseBytes: limits.cardBytes },
    });
    if (answer?.status !== 200) throw new Error('the key set could not be fetched');
    return readKeySet(JSON.parse(new TextDecoder().decode(answer.body)));
  };
  const fromJku = async (header: SignedHeader): Promise<CryptoKey | undefined> => {
    const url = parseUrl(header.jku);
    if (url === undefined || !jkuOrigins.includes(url.origin) || url.username !== '' || url.password !== '')
      return undefined;
    if (url.protocol !== 'https:' && reachOf(hostOf(url)) !== 'loopback') return undefined;
    if (forbiddenAddress(url, network) !== undefined) return undefined;
    const stored = remote.get(url.href);
    const known = stored && (await pick(await stored.keys, header));
    if (known !== undefined || (stored !== undefined && performance.now() - stored.at < REFETCH_MS)) return known;
    const keys = fetchKeys(url);
    remote.set(url.href, { keys, at: performance.now() });
    keys.catch(() => remote.delete(url.href));
    return pick(await keys, header);
  };
  return async (header) => {
    if (jwks !== undefined) {
      own ??= readKeySet(jwks);
      const key = await pick(await own, header);
      if (key !== undefined) return key;
    }
    const given: unknown = resolveKey && (await withinTime(Promise.resolve(resolveKey(header)), limits.totalMs));
    return (given as CryptoKey | JWK | undefined) ?? fromJku(header);
  };
}

async function readKeySet(value: unknown): Promise<KeySet> {
  const { createLocalJWKSet } = await import('jose');
  if (!isObject(value) || !Array.isArray(value.keys)) throw new Error('this is no key set');
  return createLocalJWKSet(value as unknown as JSONWebKeySet);
}

/** The one key with this kid. */
async function pick(keys: KeySet, { alg, kid }: SignedHeader): Promise<CryptoKey | undefined> {
  return keys({ alg, kid }).catch(() => undefined);
}
