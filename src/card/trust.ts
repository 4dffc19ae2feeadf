import { placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import { hostOf, isSameHost, type Reach, reachOf } from './address.ts';
import type { CardFacts } from './facts.ts';
import { addressOf, type InterfaceEntry, readInterfaces } from './interfaces.ts';
import { checkSecrets } from './secrets.ts';

const WORDS: Readonly<Record<Exclude<Reach, 'public'>, string>> = {
  loopback: 'a loopback address',
  private: 'a private, link-local or reserved address',
  unspecified: 'the unspecified address',
  'local-name': 'a name that only a local network knows',
};

/** Secrets, and where the interfaces of the card point. Addresses are judged when it is known where the card came from. */
export function checkTrust(facts: CardFacts): Fault[] {
  const { card, cardUrl } = facts;
  const secrets = checkSecrets(card);
  if (cardUrl === undefined) return secrets;
  return [...secrets, ...readInterfaces(card).flatMap((entry) => checkAddress(entry, cardUrl, facts))];
}

function checkAddress(entry: InterfaceEntry, cardUrl: URL, { network }: CardFacts): Fault[] {
  const address = addressOf(entry);
  if (address === undefined || address.hostname === '') return [];
  const path = `${entry.path}/url`;
  const host = hostOf(address);
  const reach = reachOf(host);
  const cardIsPublic = reachOf(hostOf(cardUrl)) === 'public';
  const faults: Fault[] = [];
  if (reach !== 'public' && (cardIsPublic || reach === 'unspecified')) {
    const tolerated = !cardIsPublic || reach === 'local-name' || network.allowPrivate;
    const whose = cardIsPublic ? 'a public card' : 'a local card';
    const message = `${placeOf(path)} is ${WORDS[reach]} in ${whose}; a client elsewhere would call something else there.`;
    faults.push({ id: 'interface-private', path, message, ...(tolerated && { severity: 'warn' as const }) });
  }
  if (isForeign(address, cardUrl, network.allowOrigins)) {
    const message = `${placeOf(path)} is on another host than the card. Credentials go there only if you allow the origin.`;
    faults.push({ id: 'interface-origin', path, message });
  }
  return faults;
}

/** Whether an address is on another host than the card, and on no origin that the options allow. */
export function isForeign(address: URL, cardUrl: URL, allowOrigins: readonly string[]): boolean {
  return !isSameHost(hostOf(address), hostOf(cardUrl)) && !isAllowed(address, allowOrigins);
}

/** Origins are compared as they are; an address of a binding without origins is compared by its host. */
function isAllowed(address: URL, origins: readonly string[]): boolean {
  return origins.some((origin) =>
    address.origin === 'null' ? hostOf(new URL(origin)) === hostOf(address) : origin === address.origin,
  );
}
