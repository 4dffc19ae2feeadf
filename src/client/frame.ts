import type { Placement } from '../call/credentials.ts';
import type { Operation } from '../call/operations.ts';
import type { ChosenInterface } from '../card/select.ts';
import type { ExchangeLimits } from '../exchange.ts';

/** What a call is framed from. */
export interface FrameFacts {
  readonly operation: Operation;
  readonly params: unknown;
  readonly id: string | number;
  readonly interface: ChosenInterface;
  /** Extensions that this call activates. */
  readonly extensions: readonly string[];
  /** The caller's own headers, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly limits: ExchangeLimits;
  readonly signal?: AbortSignal;
}

/** Headers that every request of the protocol has (§3.2.6). No version header means 0.3. */
export function protocolHeaders(facts: FrameFacts): Record<string, string> {
  const { operation, extensions, placement } = facts;
  const isOld = facts.interface.version !== '1.0';
  const headers: Record<string, string> = { ...placement.headers, ...facts.headers };
  headers.accept = operation.streams ? 'text/event-stream, application/json' : 'application/json';
  headers['accept-encoding'] = 'identity';
  if (!isOld) headers['a2a-version'] = facts.interface.version;
  if (extensions.length > 0) headers[isOld ? 'x-a2a-extensions' : 'a2a-extensions'] = extensions.join(', ');
  return headers;
}

/** A URL with more in its query; what the card wrote there stays as it is. */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query);
  if (entries.length === 0) return url;
  const added = new URLSearchParams(entries).toString();
  return `${url}${url.includes('?') ? '&' : '?'}${added}`;
}

/** The params of a call without the tenant, which the binding adds in its own place. */
export function withoutTenant(params: unknown): Readonly<Record<string, unknown>> {
  const { tenant: _, ...rest } = (params ?? {}) as Readonly<Record<string, unknown>>;
  return rest;
}
