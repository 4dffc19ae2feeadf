import ipaddr from 'ipaddr.js';
import type { Fault } from '../ticket.ts';

/** How far a host can be seen: on this machine, on this network, or from anywhere. */
export type Reach = 'loopback' | 'private' | 'unspecified' | 'local-name' | 'public';

const LOCAL_SUFFIXES = ['.local', '.internal', '.svc', '.localdomain', '.home.arpa'];

/** The host of a URL without brackets, trailing dot or capitals. */
export function hostOf(url: URL): string {
  const host = url.hostname;
  if (host.startsWith('[')) return host.replace(/^\[|\]$/g, '').toLowerCase();
  return (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
}

/** What may be an address literal: an IPv4 one starts with a digit, an IPv6 one has a colon. */
const MAY_BE_ADDRESS = /^\d|:/;

function reachOfAddress(host: string): Reach {
  const parsed = ipaddr.parse(host);
  const address = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
  const range = address.range();
  if (range === 'loopback' || range === 'unspecified') return range;
  return range === 'unicast' ? 'public' : 'private';
}

/** The reach of a host name or address literal. Names are judged by their form; nothing is looked up. */
export function reachOf(host: string): Reach {
  if (MAY_BE_ADDRESS.test(host) && ipaddr.isValid(host)) return reachOfAddress(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (!host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) return 'local-name';
  return 'public';
}

/** Loopback names and addresses count as one host. */
export function isSameHost(a: string, b: string): boolean {
  return a === b || (reachOf(a) === 'loopback' && reachOf(b) === 'loopback');
}

export interface ReachPolicy {
  readonly allowLoopback: boolean;
  readonly allowPrivate: boolean;
  readonly allowInsecure: boolean;
}

const ALLOWED_BY: Readonly<Record<Exclude<Reach, 'public'>, readonly (keyof ReachPolicy)[]>> = {
  loopback: ['allowLoopback'],
  unspecified: ['allowLoopback', 'allowPrivate'],
  private: ['allowPrivate'],
  'local-name': ['allowPrivate'],
};

/** Whether an address that a name led to may be connected to. */
export function isReachable(address: string, policy: ReachPolicy): boolean {
  const reach = reachOf(address);
  return reach === 'public' || ALLOWED_BY[reach].some((flag) => policy[flag]);
}

/** Why an address must not be reached under this policy, or undefined. The literal is judged; nothing is looked up. */
export function forbiddenAddress(url: URL, policy: ReachPolicy): Fault | undefined {
  const reach = reachOf(hostOf(url));
  const fault = (message: string): Fault => ({ id: 'network-address', path: '', message });
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return fault(`${url.protocol.slice(0, 40)} is not a scheme that can be called; https is.`);
  }
  if (reach !== 'public') {
    const flags = ALLOWED_BY[reach];
    if (flags.some((flag) => policy[flag])) return undefined;
    return fault(`${url.host} is a ${reach} address, which the network option does not allow (${flags.join(' or ')}).`);
  }
  if (url.protocol === 'https:' || policy.allowInsecure) return undefined;
  return fault(`${url.host} would be called over http, which the network option does not allow (allowInsecure).`);
}
