import { placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import { hostOf, isSameHost, type Reach, reachOf } from './address.ts';
import type { CardFacts } from './facts.ts';
import type { InterfaceEntry } from './interfaces.ts';
import { checkSecrets } from './secrets.ts';

const WORDS: Readonly<Record<Exclude<Reach, 'public'>, string>> = {
  loopback: 'a loopback address',
  private: 'a private, link-local or reserved address',
  unspecified: 'the unspecified address',
  'local-name': 'a name that only a local network knows',
};

/** Secrets, and where the interfaces of the card point. Addresses are judged when it is known where the card came from. */
export function checkTrust(facts: CardFacts): Fault[] {
  const { card, cardUrl, interfaces } = facts;
  const secrets = checkSecrets(card);
  if (cardUrl === undefined) return secrets;
  const cardHost = hostOf(cardUrl);
  const cardIsPublic = reachOf(cardHost) === 'public';
  return [...secrets, ...interfaces.flatMap((entry) => checkAddress(entry, { cardHost, cardIsPublic }, facts))];
}

interface Source {
  readonly cardHost: string;
  readonly cardIsPublic: boolean;
}

function checkAddress(entry: InterfaceEntry, { cardHost, cardIsPublic }: Source, { network }: CardFacts): Fault[] {
  const { address } = entry;
  if (address === undefined || address.hostname === '') return [];
  const path = `${entry.path}/url`;
  const host = hostOf(address);
  const reach = reachOf(host);
  const faults: Fault[] = [];
  if (reach !== 'public' && (cardIsPublic || reach === 'unspecified')) {
    const tolerated = !cardIsPublic || reach === 'local-name' || network.allowPrivate;
    const whose = cardIsPublic ? 'a public card' : 'a local card';
    const message = `${placeOf(path)} is ${WORDS[reach]} in ${whose}; a client elsewhere would call something else there.`;
    faults.push({ id: 'interface-private', path, message, ...(tolerated && { severity: 'warn' as const }) });
  }
  if (isElsewhere(address, host, cardHost, network.allowOrigins)) {
    const message = `${placeOf(path)} is on another host than the card. Credentials go there only if you allow the origin.`;
    faults.push({ id: 'interface-origin', path, message });
  }
  return faults;
}

/** Whether an address is on another host than the card, and on no origin that the options allow. */
export function isForeign(address: URL, cardUrl: URL, allowOrigins: readonly string[]): boolean {
  return isElsewhere(address, hostOf(address), hostOf(cardUrl), allowOrigins);
}

function isElsewhere(address: URL, host: string, cardHost: string, allowOrigins: readonly string[]): boolean {
  return !isSameHost(host, cardHost) && !isAllowed(address, allowOrigins);
}

/** Origins are compared as they are; an address of a binding without origins is compared by its host. */
function isAllowed(address: URL, origins: readonly string[]): boolean {
  return origins.some((origin) =>
    address.origin === 'null' ? hostOf(new URL(origin)) === hostOf(address) : origin === address.origin,
  );
}
