import { placeOf } from '../schema/pointer.ts';
import { parseUrl } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';
import { hostOf, isSameHost } from './address.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetText, type Json, readField, readObject, readObjects, readText, writtenName } from './read.ts';

const MIN_DESCRIPTION = 20;

/** Names that are made of nothing but what every agent is. */
const GENERIC_NAME =
  /^(?:(?:my|the|an?|new|test|demo|sample|example)\s+)?(?:(?:ai|a2a|llm|virtual|smart)\s+)?(?:assistant|chat ?bot|bot|helper)$/i;

interface Link {
  readonly path: string;
  /** Undefined for what is no URL. */
  readonly url: URL | undefined;
}

interface Links {
  readonly documentation: Link | undefined;
  readonly icon: Link | undefined;
  readonly provider: Link | undefined;
}

function readLinks(card: Json): Links {
  const provider = readObject('AgentCard', card, 'provider') ?? {};
  return {
    documentation: readLink('AgentCard', card, '', 'documentationUrl'),
    icon: readLink('AgentCard', card, '', 'iconUrl'),
    provider: readLink('AgentProvider', provider, '/provider', 'url'),
  };
}

function readLink(message: string, holder: Json, base: string, name: string): Link | undefined {
  const text = readText(message, holder, name);
  if (isUnsetText(text)) return undefined;
  return { path: `${base}/${writtenName(message, holder, name)}`, url: parseUrl(text) };
}

/** The provider is whole, and every extension can be told from others. */
export function checkParties({ card, shaped }: CardFacts): Fault[] {
  if (shaped) return [];
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
export function checkAdvice(facts: CardFacts): Fault[] {
  const { card, legacy } = facts;
  const faults: Fault[] = [];
  const links = readLinks(card);
  for (const link of [links.documentation, links.icon, links.provider]) {
    if (link === undefined || link.url?.protocol === 'https:') continue;
    faults.push({ id: 'url-https', path: link.path, message: `${placeOf(link.path)} is not an https URL.` });
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
  return [...faults, ...(legacy ? [] : checkIcon(links, facts)), ...checkDocumentation(links)];
}

function checkIcon({ icon, provider }: Links, { interfaces }: CardFacts): Fault[] {
  if (icon?.url === undefined || icon.url.hostname === '') return [];
  const host = hostOf(icon.url);
  const own = [provider?.url, ...interfaces.map(({ address }) => address)].filter((url) => url !== undefined);
  if (own.length === 0 || own.some((url) => isSameHost(hostOf(url), host))) return [];
  const message = `${placeOf(icon.path)} is on a host that neither an interface nor the provider has.`;
  return [{ id: 'icon-origin', path: icon.path, message }];
}

function checkDocumentation({ documentation }: Links): Fault[] {
  const { path = '', url } = documentation ?? {};
  if (url === undefined || url.pathname !== '/' || url.search !== '' || url.hash !== '') return [];
  return [{ id: 'documentation-url-root', path, message: `${placeOf(path)} is a home page, not documentation.` }];
}
