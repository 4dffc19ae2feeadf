import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isReachable, type ReachPolicy } from '../card/address.ts';

/** Resolves a name to all its addresses. */
export type ResolveName = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The code of the error for a name whose addresses are all forbidden. */
export const FORBIDDEN_CODE = 'A2A_GUARD_FORBIDDEN_ADDRESS';

/**
 * A lookup for sockets that gives only addresses which the policy allows. The socket connects to what this lookup gave,
 * so there is no second lookup that could answer otherwise.
 */
export function createLookup(policy: ReachPolicy, resolve: ResolveName = systemLookup): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const allowed = addresses.filter(({ address }) => isReachable(address, policy));
      const [first] = allowed;
      if (first === undefined) return done(forbidden(hostname), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): NodeJS.ErrnoException {
  const message = `${hostname} leads to an address that the network option does not allow`;
  return Object.assign(new Error(message), { code: FORBIDDEN_CODE });
}
