import { LRUCache } from 'lru-cache';
import { OPERATIONS, type Operation } from '../call/operations.ts';
import { withoutTrailingSlashes } from '../schema/url.ts';
import type { AgentContext } from './context.ts';

/** A declared interface that a request goes to. */
export type Route =
  | { readonly kind: 'rpc'; readonly context: AgentContext }
  | {
      readonly kind: 'http';
      readonly context: AgentContext;
      readonly operation: Operation;
      /** Params that stand in the path, the tenant among them. */
      readonly pathParams: Readonly<Record<string, string>>;
    };

/** The agents whose cards a guard has seen, by where their interfaces are. Bounded. */
export interface KnownAgents {
  /** Remembers all declared interfaces of one card, in place of what was known of it. */
  add(key: string, cardUrl: URL | undefined, contexts: readonly AgentContext[]): void;
  /** The declared interfaces that this request goes to: several when one URL speaks more than one version. */
  routes(method: string, url: URL): readonly Route[];
  /** Whether a URL is below an interface whose paths are not known here: HTTP+JSON of another version than 1.0. */
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

/** The paths of the HTTP+JSON binding, with an optional tenant in front (§11.3). */
const PATHS: readonly PathPattern[] = (OPERATIONS as readonly Operation[]).flatMap((operation) => {
  const [method, template] = operation.http;
  const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/:]+)');
  const pattern = new RegExp(`^(?:/(?<tenant>[^/:]+))?${source}$`);
  const methods = operation.name === 'SubscribeToTask' ? ['GET', 'POST'] : [method];
  return methods.map((each) => ({ method: each, pattern, operation }));
});

/** The operation that a method and a path below the base of an interface name. */
export function matchPath(
  method: string,
  path: string,
): { operation: Operation; pathParams: Record<string, string> } | undefined {
  for (const { method: expected, pattern, operation } of PATHS) {
    const groups = method === expected ? pattern.exec(path)?.groups : undefined;
    if (groups === undefined) continue;
    const given = Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { operation, pathParams: Object.fromEntries(given.map(([name, text]) => [name, decode(text)])) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const keyOf = (url: URL): string => `${url.origin}${url.pathname}${url.search}`;
const basePath = (url: URL): string => withoutTrailingSlashes(url.pathname);
const isBelow = (url: URL, base: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(`${basePath(base)}/`);

export function createKnownAgents(): KnownAgents {
  const agents = new LRUCache<string, { cardUrl: URL | undefined; contexts: readonly AgentContext[] }>({
    max: MAX_AGENTS,
  });
  const cardUrls = new LRUCache<string, true>({ max: MAX_AGENTS });
  const all = function* (): Generator<{ context: AgentContext; url: URL }> {
    for (const { contexts } of agents.values()) {
      for (const context of contexts) yield { context, url: new URL(context.interface.url) };
    }
  };
  const at = (origin: string): AgentContext | undefined => {
    for (const { context, url } of all()) if (url.origin === origin) return context;
    for (const { cardUrl, contexts } of agents.values()) if (cardUrl?.origin === origin) return contexts[0];
    return undefined;
  };
  return {
    add(key, cardUrl, contexts) {
      agents.set(cardUrl === undefined ? key : keyOf(cardUrl), { cardUrl, contexts });
      if (cardUrl !== undefined) cardUrls.set(keyOf(cardUrl), true);
    },
    routes(method, url) {
      const routes: Route[] = [];
      for (const { context, url: declared } of all()) {
        if (declared.origin !== url.origin) continue;
        if (context.interface.binding === 'JSONRPC') {
          if (method === 'POST' && keyOf(declared) === keyOf(url)) routes.push({ kind: 'rpc', context });
        } else if (context.interface.version === '1.0' && isBelow(url, declared)) {
          const match = matchPath(method, url.pathname.slice(basePath(declared).length));
          if (match !== undefined) routes.push({ kind: 'http', context, ...match });
        }
      }
      return routes;
    },
    isUnreadable(url) {
      for (const { context, url: declared } of all()) {
        const { binding, version } = context.interface;
        if (binding === 'HTTP+JSON' && version !== '1.0' && isBelow(url, declared)) return true;
      }
      return false;
    },
    hasOrigin: (origin) => at(origin) !== undefined,
    at,
    allow: (cardUrl) => void cardUrls.set(keyOf(cardUrl), true),
    isCardUrl: (url) => WELL_KNOWN.test(url.pathname) || cardUrls.has(keyOf(url)),
  };
}
