import { placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import { parseUrl } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';
import { hostOf, reachOf } from './address.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetText, type Json, readField, readText, writtenName } from './read.ts';

/** Bindings of the specification, and spellings of them that are met in cards. */
const BINDINGS: Readonly<Record<string, RegExp>> = {
  JSONRPC: /^json[-_ ]?rpc(?:[-_ ]?v?2(?:[._]0)?)?(?:[-_ ]?http)?$/i,
  'HTTP+JSON': /^(?:https?|rest(?:ful)?|https?[-_+ /]?(?:json|rest)|json[-_+ /]?https?)$/i,
  GRPC: /^grpcs?$/i,
};

/** Protocol versions that exist. */
const VERSIONS = ['0.1', '0.2', '0.3', '1.0'];

/** Major.Minor, with a patch that does not count (§3.6). */
const VERSION = /^(\d{1,4}\.\d{1,4})(\.\d+(?:[-+][0-9A-Za-z.-]+)?)?$/;
/** What stands before an @ in front of the host, even when it is empty. */
const USER_INFO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;
const TEMPLATE = /[{}<>$]/;
const OPERATION_PATH = /\/(?:message:(?:send|stream)|tasks(?:\/[^/]*)?|extendedAgentCard)\/?$/;

export interface InterfaceEntry {
  readonly index: number;
  readonly path: string;
  /** The entry as it stands in the card; absent when it is no object. */
  readonly item: Json | undefined;
  readonly url: string | undefined;
  readonly binding: string | undefined;
  readonly version: string | undefined;
  /** Absent when unset or empty. */
  readonly tenant: string | undefined;
  /** The url as a URL, whatever its binding; `host:port` becomes one too. */
  readonly address: URL | undefined;
}

/** The entries of `supportedInterfaces` in card order. */
export function readInterfaces(card: Json): InterfaceEntry[] {
  const list = readField('AgentCard', card, 'supportedInterfaces');
  if (!Array.isArray(list)) return [];
  const base = `/${writtenName('AgentCard', card, 'supportedInterfaces')}`;
  return list.map((item, index) => readInterface(isObject(item) ? item : undefined, index, `${base}/${index}`));
}

function readInterface(item: Json | undefined, index: number, path: string): InterfaceEntry {
  const text = (name: string): string | undefined => readText('AgentInterface', item ?? {}, name);
  const url = text('url');
  const binding = text('protocolBinding');
  const tenant = text('tenant') || undefined;
  return {
    index,
    path,
    item,
    url,
    binding,
    version: text('protocolVersion'),
    tenant,
    address: toAddress(url, binding),
  };
}

/** Major.Minor of a version, or undefined for what is no version ("v1.0", "1"). */
export function majorMinor(version: string): string | undefined {
  return VERSION.exec(version)?.[1];
}

const isUriBinding = (binding: string): boolean => binding.includes(':') && parseUrl(binding) !== undefined;

/** GRPC and custom bindings name their endpoint in their own way; all others by an http URL. */
const speaksHttp = (binding: string | undefined): boolean =>
  binding !== 'GRPC' && !(binding !== undefined && isUriBinding(binding));

function toAddress(url = '', binding: string | undefined): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return parseUrl(url);
  return !speaksHttp(binding) && /^[^/\s]+$/.test(url) ? parseUrl(`grpc://${url}`) : undefined;
}

/** Three checks per interface, and advice on the form. */
export function checkInterfaces(facts: CardFacts): Fault[] {
  const agentVersion = readText('AgentCard', facts.card, 'version');
  return facts.interfaces.flatMap((entry) => {
    const { item } = entry;
    if (item === undefined) return [];
    return [...checkUrl(entry, item, facts), ...checkBinding(entry, item), ...checkVersion(entry, item, agentVersion)];
  });
}

const member = (entry: InterfaceEntry, object: Json, name: string): string =>
  `${entry.path}/${writtenName('AgentInterface', object, name)}`;

function urlProblem(entry: InterfaceEntry, url: string): string | undefined {
  if (TEMPLATE.test(url)) return 'has template characters; write the real URL';
  if (/\s/.test(url)) return 'has white space';
  if (speaksHttp(entry.binding) && !/^https?:\/\/[^/]/i.test(url)) return 'is not an absolute http(s) URL';
  const { address } = entry;
  if (address === undefined || address.hostname === '') return 'is not an absolute URL';
  if (address.username !== '' || address.password !== '' || USER_INFO.test(url))
    return 'has a user name or password in it';
  if (url.includes('#')) return 'has a fragment';
  return undefined;
}

function checkUrl(entry: InterfaceEntry, object: Json, facts: CardFacts): Fault[] {
  const value = readField('AgentInterface', object, 'url');
  const path = member(entry, object, 'url');
  if (isUnsetText(value)) {
    return [
      {
        id: 'interface-url',
        path,
        keyword: 'required',
        message: `${placeOf(entry.path)} has no url, so it cannot be called.`,
      },
    ];
  }
  if (typeof value !== 'string') return [];
  const problem = urlProblem(entry, value);
  if (problem !== undefined) {
    return [{ id: 'interface-url', path, keyword: 'format', message: `${placeOf(path)} ${problem}.` }];
  }
  const { address } = entry;
  if (address === undefined) return [];
  const faults: Fault[] = [];
  if (speaksHttp(entry.binding) && address.protocol === 'http:' && reachOf(hostOf(address)) !== 'loopback') {
    const message = `${placeOf(path)} is http; what is sent there can be read and changed on the way.`;
    faults.push({
      id: 'interface-https',
      path,
      message,
      ...(facts.network.allowInsecure && { severity: 'warn' as const }),
    });
  }
  if (entry.binding === 'GRPC' && address.protocol !== 'grpc:') {
    faults.push({ id: 'interface-url-form', path, message: `${placeOf(path)} is a URL; gRPC clients dial host:port.` });
  }
  if (entry.binding === 'HTTP+JSON' && OPERATION_PATH.test(address.pathname)) {
    const message = `${placeOf(path)} ends in the path of an operation; clients add that path to the base URL themselves.`;
    faults.push({ id: 'interface-url-form', path, message });
  }
  return faults;
}

function checkBinding(entry: InterfaceEntry, object: Json): Fault[] {
  const value = readField('AgentInterface', object, 'protocolBinding');
  const path = member(entry, object, 'protocolBinding');
  if (isUnsetText(value)) {
    const message = `${placeOf(entry.path)} has no protocolBinding, so no client can tell how to call it.`;
    return [{ id: 'interface-binding', path, keyword: 'required', message }];
  }
  if (typeof value !== 'string' || Object.hasOwn(BINDINGS, value) || isUriBinding(value)) return [];
  const right = Object.entries(BINDINGS).find(([, spelling]) => spelling.test(value.trim()))?.[0];
  const move = right === undefined ? 'Known are JSONRPC, HTTP+JSON, GRPC and URIs.' : `It is spelled "${right}".`;
  return [{ id: 'interface-binding', path, keyword: 'enum', message: `${placeOf(path)} is no known binding. ${move}` }];
}

function checkVersion(entry: InterfaceEntry, object: Json, agentVersion: string | undefined): Fault[] {
  const value = readField('AgentInterface', object, 'protocolVersion');
  const path = member(entry, object, 'protocolVersion');
  if (isUnsetText(value)) {
    const message = `${placeOf(entry.path)} has no protocolVersion; without it a client would have to guess the shapes.`;
    return [{ id: 'interface-version', path, keyword: 'required', message }];
  }
  if (typeof value !== 'string') return [];
  const [, version, patch] = VERSION.exec(value) ?? [];
  if (version === undefined) {
    return [
      {
        id: 'interface-version',
        path,
        keyword: 'pattern',
        message: `${placeOf(path)} is not of the form Major.Minor, such as "1.0".`,
      },
    ];
  }
  const faults: Fault[] = [];
  if (patch !== undefined) {
    const message = `${placeOf(path)} has a patch number; versions are compared by Major.Minor. Write "${version}".`;
    faults.push({ id: 'interface-version', path, keyword: 'pattern', message, severity: 'warn' });
  }
  if (!VERSIONS.includes(version)) {
    const own = value === agentVersion ? ' It is the version of the agent.' : '';
    const message = `${placeOf(path)} names an A2A version that does not exist (${VERSIONS.join(', ')} do).${own}`;
    faults.push({ id: 'interface-version-known', path, message });
  }
  return faults;
}
