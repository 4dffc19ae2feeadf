import { LRUCache } from 'lru-cache';
import { checkChanges } from '../card/changes.ts';
import type { CardLocation } from '../card/discover.ts';
import type { AgentContext } from '../client/context.ts';
import { agentFacts } from '../client/ticket-facts.ts';
import { sha256Hex } from '../schema/bytes.ts';
import {
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  type GuardError,
  isGuardError,
  type Ticket,
  toFindings,
} from '../ticket.ts';
import { type FetchedCard, type FetchFacts, fetchCard, refetchCard, type UnchangedCard } from './fetch-card.ts';
import { type Freshness, loadFreshness, throughHops } from './freshness.ts';

/** What a fetched card was made into. */
export interface Established<T> {
  readonly value: T;
  readonly context: AgentContext;
}

export interface DiscoveryFacts<T> extends FetchFacts {
  readonly emit: (ticket: Ticket) => void;
  /** Judges the card; throws for a red one. */
  readonly establish: (fetched: FetchedCard) => Promise<Established<T>>;
}

interface Entry<T> extends Established<T> {
  readonly url: URL;
  readonly sha256: string;
  readonly freshness: Freshness;
}

/**
 * Finds agents by their URLs: one fetch for all that wait for the same card, no fetch while the stored card is fresh, and
 * no second judgement of a card that did not change. A red card is never stored, and takes the one before it away.
 */
export function createDiscovery<T>(facts: DiscoveryFacts<T>): (location: CardLocation) => Promise<T> {
  const { cache } = facts.options;
  const flights = new Map<string, Promise<T>>();
  const store = cache === false ? undefined : new LRUCache<string, Entry<T>>({ max: cache.maxEntries });
  return (location) => {
    const { key } = location;
    const entry = store?.get(key);
    if (entry?.freshness.isFresh()) return Promise.resolve(entry.value);
    const flight = flights.get(key) ?? find(location, key, store, facts).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

async function find<T>(
  location: CardLocation,
  key: string,
  store: LRUCache<string, Entry<T>> | undefined,
  facts: DiscoveryFacts<T>,
): Promise<T> {
  const entry = store?.get(key);
  const fetched = await ask(location, entry, facts);
  if (isGuardError(fetched)) {
    if (entry !== undefined && mayServe(entry, fetched)) return serveStale(entry, fetched, facts);
    if (isAnswer(fetched)) store?.delete(key);
    facts.emit(fetched.ticket);
    throw fetched;
  }
  const { cache } = facts.options;
  const read = cache === false ? undefined : await loadFreshness(cache);
  const hold = (own: Freshness | undefined): Freshness | undefined =>
    own && read && throughHops(own, fetched.hops, read);
  if ('entry' in fetched) return keep(fetched.entry, hold(fetched.entry.freshness.renewed(fetched.answer)), key, store);
  const { bytes, url, answer } = fetched;
  const freshness = hold(read?.(url, answer));
  const hash = store === undefined ? '' : sha256Hex(bytes);
  if (entry !== undefined && entry.sha256 === hash && entry.url.href === url.href)
    return keep(entry, freshness, key, store);
  store?.delete(key);
  const established = await facts.establish(fetched);
  if (entry !== undefined) reportChanges(entry.context, established.context, entry.url.origin !== url.origin, facts);
  const sound = established.context.report.ok;
  if (sound && freshness !== undefined) store?.set(key, { ...established, url, sha256: hash, freshness });
  return established.value;
}

/** A stored card that its server says is the same. */
interface Kept<T> extends UnchangedCard {
  readonly entry: Entry<T>;
}

/** A failure comes back as a value: it may be answered with what is stored. */
async function ask<T>(
  location: CardLocation,
  entry: Entry<T> | undefined,
  facts: DiscoveryFacts<T>,
): Promise<FetchedCard | Kept<T> | GuardError> {
  try {
    if (entry === undefined) return await fetchCard(location, facts);
    const conditions = { url: entry.url.href, headers: entry.freshness.conditions() };
    const fetched = await refetchCard(location, facts, conditions);
    return fetched.bytes === undefined ? { ...fetched, entry } : fetched;
  } catch (error) {
    if (isGuardError(error)) return error;
    throw error;
  }
}

/** The same card for longer; one that must not be stored any more is forgotten. */
function keep<T>(
  entry: Entry<T>,
  freshness: Freshness | undefined,
  key: string,
  store: LRUCache<string, Entry<T>> | undefined,
): T {
  if (freshness === undefined) store?.delete(key);
  else store?.set(key, { ...entry, freshness });
  return entry.value;
}

/** Whether the server spoke: then what it said before does not count any more. */
function isAnswer({ ticket }: GuardError): boolean {
  return ticket.httpStatus !== undefined && !ticket.retryable;
}

function mayServe<T>({ freshness }: Entry<T>, { ticket }: GuardError): boolean {
  return ticket.layer === 'discovery' && ticket.retryable && freshness.servesOnError();
}

/** The failure is reported as a warning, and the stored card serves on. */
function serveStale<T>({ value, context }: Entry<T>, { ticket }: GuardError, { emit, options }: DiscoveryFacts<T>): T {
  const { layer, code, httpStatus, attempts, findings } = ticket;
  const warnings = findings.map((finding): Finding => ({ ...finding, severity: 'warn' }));
  emit(
    createTicket(
      {
        ...agentFacts(context),
        layer,
        code,
        ...(httpStatus !== undefined && { httpStatus }),
        ...(attempts !== undefined && { attempts }),
        severity: 'warn',
        message: `${ticket.message} The stored card serves on, as cache.staleIfErrorMs allows.`,
        findings: warnings,
        retryable: true,
        next: 'retry',
      },
      options.limits.findings,
    ),
  );
  return value;
}

const MOVED: Fault = {
  id: 'card-changed',
  path: '',
  message: 'The card comes from another origin than it did when it was last fetched.',
};

/** A card that changed during the life of an agent. */
function reportChanges<T>(
  before: AgentContext,
  after: AgentContext,
  moved: boolean,
  { emit, options }: DiscoveryFacts<T>,
): void {
  const faults = [...(moved ? [MOVED] : []), ...checkChanges(before.effective, after.effective)];
  const findings = toFindings(faults, options.grades.outgoing);
  const [lead] = findings;
  if (lead === undefined) return;
  emit(
    createTicket(
      {
        ...agentFacts(after),
        layer: lead.layer,
        code: codeOf(lead, 'incoming'),
        severity: lead.severity,
        message: lead.message,
        findings,
      },
      options.limits.findings,
    ),
  );
}
