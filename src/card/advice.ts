import { placeOf } from '../schema/pointer.ts';
import { parseUrl } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';
import { hostOf, isSameHost } from './address.ts';
import type { CardFacts } from './facts.ts';
import { addressOf, readInterfaces } from './interfaces.ts';
import { isUnsetText, type Json, readField, readObject, readObjects, readText, writtenName } from './read.ts';

const MIN_DESCRIPTION = 20;

/** Names that are made of nothing but what every agent is. */
const GENERIC_NAME =
  /^(?:(?:my|the|an?|new|test|demo|sample|example)\s+)?(?:(?:ai|a2a|llm|virtual|smart)\s+)?(?:assistant|chat ?bot|bot|helper)$/i;

interface Link {
  readonly path: string;
  readonly url: string;
}

function readLinks(card: Json): Link[] {
  const provider = readObject('AgentCard', card, 'provider') ?? {};
  const places: [message: string, holder: Json, base: string, name: string][] = [
    ['AgentCard', card, '', 'documentationUrl'],
    ['AgentCard', card, '', 'iconUrl'],
    ['AgentProvider', provider, '/provider', 'url'],
  ];
  return places.flatMap(([message, holder, base, name]) => {
    const url = readText(message, holder, name);
    return isUnsetText(url) ? [] : [{ path: `${base}/${writtenName(message, holder, name)}`, url: url as string }];
  });
}

/** The provider is whole, and every extension can be told from others. */
export function checkParties({ card }: CardFacts): Fault[] {
  const faults: Fault[] = [];
  const provider = readObject('AgentCard', card, 'provider');
  for (const name of provider === undefined ? [] : ['organization', 'url']) {
    const renamed = name === 'organization' && Object.hasOwn(provider as Json, 'name');
    if (renamed || !isUnsetText(readField('AgentProvider', provider as Json, name))) continue;
    const message = `provider has no ${name}; A2A 1.0 requires organization and url.`;
    faults.push({ id: 'provider-shape', path: `/provider/${name}`, keyword: 'required', message });
  }
  const capabilities = readObject('AgentCard', card, 'capabilities') ?? {};
  for (const { item, path } of readObjects('AgentCapabilities', capabilities, 'extensions')) {
    if (!isUnsetText(readField('AgentExtension', item, 'uri'))) continue;
    const message = `capabilities${path} has no uri, so it cannot be told from other extensions.`;
    faults.push({ id: 'extension-uri', path: `/capabilities${path}/uri`, keyword: 'required', message });
  }
  return faults;
}

/** What a careful owner would mend although nothing breaks. */
export function checkAdvice({ card, legacy }: CardFacts): Fault[] {
  const faults: Fault[] = [];
  for (const { path, url } of readLinks(card)) {
    if (parseUrl(url)?.protocol !== 'https:') {
      faults.push({ id: 'url-https', path, message: `${placeOf(path)} is not an https URL.` });
    }
  }
  const description = readText('AgentCard', card, 'description');
  if (description !== undefined && !isUnsetText(description) && description.trim().length < MIN_DESCRIPTION) {
    const message = `The description has fewer than ${MIN_DESCRIPTION} characters; nobody can choose an agent by it.`;
    faults.push({ id: 'description-length', path: '/description', message });
  }
  if (GENERIC_NAME.test(readText('AgentCard', card, 'name')?.trim() ?? '')) {
    faults.push({
      id: 'name-generic',
      path: '/name',
      message: 'The name is generic; it tells this agent from no other.',
    });
  }
  return [...faults, ...(legacy ? [] : checkIcon(card)), ...checkDocumentation(card)];
}

function checkIcon(card: Json): Fault[] {
  const icon = parseUrl(readText('AgentCard', card, 'iconUrl'));
  if (icon === undefined || icon.hostname === '') return [];
  const provider = parseUrl(readText('AgentProvider', readObject('AgentCard', card, 'provider') ?? {}, 'url'));
  const own = [provider, ...readInterfaces(card).map(addressOf)].filter((url) => url !== undefined);
  if (own.length === 0 || own.some((url) => isSameHost(hostOf(url), hostOf(icon)))) return [];
  const path = `/${writtenName('AgentCard', card, 'iconUrl')}`;
  return [
    {
      id: 'icon-origin',
      path,
      message: `${placeOf(path)} is on a host that neither an interface nor the provider has.`,
    },
  ];
}

function checkDocumentation(card: Json): Fault[] {
  const url = parseUrl(readText('AgentCard', card, 'documentationUrl'));
  if (url === undefined || url.pathname !== '/' || url.search !== '' || url.hash !== '') return [];
  const path = `/${writtenName('AgentCard', card, 'documentationUrl')}`;
  return [{ id: 'documentation-url-root', path, message: `${placeOf(path)} is a home page, not documentation.` }];
}
