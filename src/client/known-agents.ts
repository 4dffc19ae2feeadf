import { LRUCache } from 'lru-cache';
import { httpOf, OPERATIONS, type Operation } from '../call/operations.ts';
import type { ChosenInterface } from '../card/select.ts';
import { isJudged, type ProtocolVersion } from '../schema/fields.ts';
import { withoutTrailingSlashes } from '../schema/url.ts';
import type { AgentContext } from './context.ts';

/** A declared interface that a request goes to. */
export type Route =
  | { readonly kind: 'rpc'; readonly context: AgentContext }
  /** The path is that of an operation in another protocol version than the interface's. */
  | { readonly kind: 'other-version'; readonly context: AgentContext }
  | {
      readonly kind: 'http';
      readonly context: AgentContext;
      readonly operation: Operation;
      /** Params that stand in the path, the tenant among them. */
      readonly pathParams: Readonly<Record<string, string>>;
    };

/** The agents whose cards a guard has seen, by where their interfaces are. Bounded. */
export interface KnownAgents {
  /**
   * Remembers all declared interfaces of one card, in place of what was known of it. A card without a URL has a text that
   * tells it from others.
   */
  add(card: URL | string, contexts: readonly AgentContext[]): void;
  /** Forgets the card of a URL: it was red when it was last seen. */
  forget(cardUrl: URL): void;
  /** The declared interfaces that this request goes to: several when one URL speaks more than one version. */
  routes(method: string, url: URL): readonly Route[];
  /** Whether a URL is below an interface whose paths are not known here: HTTP+JSON of a version that nobody judges. */
  isUnreadable(url: URL): boolean;
  /** Whether a card of, or an interface on, this origin is known. */
  hasOrigin(origin: string): boolean;
  /** Any agent of this origin, to name in a refusal. */
  at(origin: string): AgentContext | undefined;
  /** Marks a URL as that of a card. */
  allow(cardUrl: URL): void;
  isCardUrl(url: URL): boolean;
}

/** Cards that are remembered at most. */
const MAX_AGENTS = 1000;

const WELL_KNOWN = /\/\.well-known\/agent(?:-card)?\.json$/;

interface PathPattern {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

/** The paths of the HTTP+JSON binding (§11.3); those of 1.0 may have a tenant in front. */
const pathsOf = (version: ProtocolVersion): readonly PathPattern[] =>
  (OPERATIONS as readonly Operation[]).flatMap((operation) => {
    const http = httpOf(operation, version);
    if (http === undefined) return [];
    const [method, template] = http;
    const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/:]+)');
    const tenant = version === '1.0' ? '(?:/(?<tenant>[^/:]+))?' : '';
    const pattern = new RegExp(`^${tenant}${source}$`);
    const methods = operation.name === 'SubscribeToTask' ? ['GET', 'POST'] : [method];
    return methods.map((each) => ({ method: each, pattern, operation }));
  });

const PATHS: Readonly<Record<ProtocolVersion, readonly PathPattern[]>> = {
  '1.0': pathsOf('1.0'),
  '0.3': pathsOf('0.3'),
};
const OTHER: Readonly<Record<ProtocolVersion, ProtocolVersion>> = { '1.0': '0.3', '0.3': '1.0' };

interface PathMatch {
  readonly operation: Operation;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** The operation that a method and a path below the base of an interface name. */
export function matchPath(version: ProtocolVersion, method: string, path: string): PathMatch | undefined {
  for (const { method: expected, pattern, operation } of PATHS[version]) {
    const match = method === expected ? pattern.exec(path) : null;
    if (match === null) continue;
    const groups = Object.entries(match.groups ?? {});
    const given = groups.filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { operation, pathParams: Object.fromEntries(given.map(([name, text]) => [name, decode(text)])) };
  }
  return undefined;
}

/** Where a request below an HTTP+JSON interface goes. "/v1" may be a tenant of 1.0, but is the prefix of 0.3 elsewhere. */
function routeBelow(context: AgentContext, method: string, path: string): Route | undefined {
  const { version, tenant } = context.interface;
  if (!isJudged(version)) return undefined;
  const match = matchPath(version, method, path);
  if (match !== undefined && match.pathParams.tenant === tenant) return { kind: 'http', context, ...match };
  const other = matchPath(OTHER[version], method, path);
  if (other !== undefined && other.pathParams.tenant === undefined) return { kind: 'other-version', context };
  return match === undefined ? undefined : { kind: 'http', context, ...match };
}

/** A path in the spelling of the table: letters and the colon before a verb plain, no slash at the end. */
function plain(path: string): string {
  return withoutTrailingSlashes(path)
    .replace(/%([0-7][0-9a-f])/gi, (whole, hex: string) => {
      const letter = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~-]/.test(letter) ? letter : whole;
    })
    .replace(/%3a(?=(?:send|stream|cancel|subscribe)$)/i, ':');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An interface of a known agent, and where it is: read once, for every request is compared with every one of them. */
interface Known {
  readonly context: AgentContext;
  readonly isRpc: boolean;
  readonly origin: string;
  readonly key: string;
  /** Path without slashes at its end, below which the paths of operations are. */
  readonly base: string;
}

interface KnownAgent {
  readonly cardUrl: URL | undefined;
  readonly interfaces: readonly Known[];
}

function toKnown(context: AgentContext): Known {
  const url = new URL(context.interface.url);
  const isRpc = context.interface.binding === 'JSONRPC';
  return { context, isRpc, origin: url.origin, key: keyOf(url), base: withoutTrailingSlashes(url.pathname) };
}

/** Lists by a text, the last that was added first. */
interface Index<T> {
  on(text: string): readonly T[];
  add(text: string, item: T): void;
  remove(text: string, item: T): void;
}

function createIndex<T>(): Index<T> {
  const lists = new Map<string, readonly T[]>();
  const on = (text: string): readonly T[] => lists.get(text) ?? [];
  return {
    on,
    add: (text, item) => void lists.set(text, [item, ...on(text)]),
    remove(text, item) {
      const others = on(text).filter((other) => other !== item);
      if (others.length > 0) lists.set(text, others);
      else lists.delete(text);
    },
  };
}

const keyOf = (url: URL): string => `${url.origin}${url.pathname}${url.search}`;
const isBelow = (path: string, base: string): boolean => path.startsWith(base) && path.charAt(base.length) === '/';

export function createKnownAgents(): KnownAgents {
  /** One host may serve a thousand agents, so that an interface of JSON-RPC is found by its whole URL. */
  const byUrl = createIndex<Known>();
  const httpByOrigin = createIndex<Known>();
  const byOrigin = createIndex<Known>();
  const cards = createIndex<KnownAgent>();
  const index = (change: 'add' | 'remove', known: Known): void => {
    byOrigin[change](known.origin, known);
    if (known.isRpc) byUrl[change](known.key, known);
    else httpByOrigin[change](known.origin, known);
  };
  const agents = new LRUCache<string, KnownAgent>({
    max: MAX_AGENTS,
    dispose(agent) {
      for (const known of agent.interfaces) index('remove', known);
      if (agent.cardUrl !== undefined) cards.remove(agent.cardUrl.origin, agent);
    },
  });
  const cardUrls = new LRUCache<string, true>({ max: MAX_AGENTS });
  const at = (origin: string): AgentContext | undefined =>
    (byOrigin.on(origin)[0] ?? cards.on(origin)[0]?.interfaces[0])?.context;
  return {
    add(card, contexts) {
      const cardUrl = typeof card === 'string' ? undefined : card;
      const agent = { cardUrl, interfaces: contexts.map(toKnown) };
      agents.set(typeof card === 'string' ? card : keyOf(card), agent);
      for (const known of [...agent.interfaces].reverse()) index('add', known);
      if (cardUrl !== undefined) cards.add(cardUrl.origin, agent);
      if (cardUrl !== undefined) cardUrls.set(keyOf(cardUrl), true);
    },
    forget: (cardUrl) => void agents.delete(keyOf(cardUrl)),
    routes(method, url) {
      const { origin, pathname } = url;
      const called = method === 'POST' ? byUrl.on(keyOf(url)) : [];
      const routes = called.map(({ context }): Route => ({ kind: 'rpc', context }));
      for (const { context, base } of httpByOrigin.on(origin)) {
        if (!isBelow(pathname, base)) continue;
        const route = routeBelow(context, method, plain(pathname.slice(base.length)));
        if (route !== undefined) routes.push(route);
      }
      return routes;
    },
    isUnreadable({ origin, pathname }) {
      const isUnread = ({ binding, version }: ChosenInterface): boolean =>
        binding === 'HTTP+JSON' && !isJudged(version);
      return httpByOrigin
        .on(origin)
        .some(({ context, base }) => isUnread(context.interface) && isBelow(pathname, base));
    },
    hasOrigin: (origin) => at(origin) !== undefined,
    at,
    allow: (cardUrl) => void cardUrls.set(keyOf(cardUrl), true),
    isCardUrl: (url) => WELL_KNOWN.test(url.pathname) || cardUrls.has(keyOf(url)),
  };
}
