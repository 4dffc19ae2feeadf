import type { Ajv2020 } from 'ajv/dist/2020.js';
import { checkDiscover, checkInput, resolveContext, toUrl } from './arguments.ts';
import type { Plan } from './card/capability.ts';
import { type CardLocation, locateCard } from './card/discover.ts';
import { type CardPolicy, type CardReport, judgeCard } from './card/report.ts';
import { type Agent, createAgent } from './client/agent.ts';
import {
  type AgentFacts,
  admitCardNow,
  createContext,
  requireInterface,
  type SoundCard,
  withMeans,
} from './client/establish.ts';
import { admitKnown, createFetch, rememberCard } from './client/fetch.ts';
import type { Fetch } from './client/fetch-carry.ts';
import { setInternals } from './client/internals.ts';
import { createKnownAgents } from './client/known-agents.ts';
import { createDiscovery, type Established } from './discovery/discover.ts';
import { createKeySource } from './discovery/keys.ts';
import { type Client, onAbort } from './exchange.ts';
import { checkNames } from './option-checks.ts';
import { type GuardOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { remembered } from './remembered.ts';
import { type CompiledBundle, compileBundle } from './schema/bundle.ts';
import { sha256Hex } from './schema/bytes.ts';
import { validateCard } from './schema/generated/card-1.0.ts';
import { PINNED_BUNDLE } from './schema/generated/pinned.ts';
import { resolvePointer } from './schema/pointer.ts';
import type { Finding, Ticket } from './ticket.ts';
import { createPayloadJudge, type PayloadJudge } from './traffic/judge.ts';
import { definitionsOf } from './traffic/payload.ts';
import type { Direction } from './traffic/payload-faults.ts';

export interface CheckCardOptions {
  /** How the report calls the card. Default: its URL, or "inline card". */
  readonly target?: string;
  /** Where the card came from; without it addresses and origins are not judged. */
  readonly cardUrl?: string | URL;
  /** What the client intends; the report's `capability` answers. */
  readonly plan?: Plan;
}

export interface CheckOptions {
  /** Protocol version of the value. Default "1.0". */
  readonly version?: string;
  /** What goes out is judged more strictly than what comes in. Default `outgoing`. */
  readonly direction?: Direction;
}

export interface DiscoverOptions {
  readonly signal?: AbortSignal;
  /** The URL is the card's own, whatever its path. */
  readonly exact?: boolean;
}

/** A client-side guard for A2A agents. Make one with `createGuard` and use it for all agents. */
export interface Guard {
  /**
   * Judges a card: text, bytes, or a parsed object. Pure and synchronous; a bad card is a red report, not an error.
   * @throws TypeError for wrong arguments.
   */
  checkCard(input: string | Uint8Array | object, options?: CheckCardOptions): CardReport;
  /**
   * Judges one value at one pointer such as `#/$defs/Message`, by the bundle and by the specification.
   * @throws TypeError for the root pointer, which validates nothing, and for an unknown one.
   */
  check(pointer: string, value: unknown, options?: CheckOptions): readonly Finding[];
  /**
   * Fetches the card of an agent, judges it and selects the interface. A path that ends in .json or lies under
   * /.well-known/ is the card's own URL; any other URL is a base (§8.2).
   * @throws GuardError that names the layer; TypeError for what is no http(s) URL.
   */
  discover(url: string | URL, options?: DiscoverOptions): Promise<Agent>;
  /** The agent of a card that you have already: the same verdicts and errors as `discover`, without fetching the card. */
  agent(card: string | Uint8Array | object, options?: { readonly cardUrl?: string | URL }): Promise<Agent>;
  /**
   * A standard `fetch` to hand to clients that are not ours. It judges agent cards before they are handed on, A2A calls
   * before they are sent and answers before they are returned; everything else passes untouched.
   */
  readonly fetch: Fetch;
  /** Tells `fetch` that this URL is that of an agent card, whatever its path. */
  allow(cardUrl: string | URL): void;
  /** Closes the connections of the guard's own client. */
  close(): Promise<void>;
}

/** What a platform gives the guard. The core has none of it. */
export interface Ports {
  readonly createClient?: (options: ResolvedOptions) => Client;
  /** The fetch that `guard.fetch` carries requests with; the platform's own by default. */
  readonly fetch?: (options: ResolvedOptions) => Fetch | undefined;
  /** Loads the schema compiler, for a bundle of the user's. */
  readonly loadAjv?: () => typeof Ajv2020;
  /** Publishes a ticket beside `onTicket`. */
  readonly publish?: (ticket: Ticket) => void;
}

/** Wires the journeys together: options, judges, client, and the agents that they make. */
export function assembleGuard(options: GuardOptions | undefined, ports: Ports): Guard {
  const resolved = resolveOptions(options);
  const bundle = resolved.bundle === undefined ? undefined : loadBundle(resolved.bundle, ports);
  const client = resolved.client ?? ports.createClient?.(resolved);
  const policy = cardPolicy(resolved, bundle);
  const judge = createPayloadJudge({ grades: resolved.grades, jsonDepth: resolved.limits.jsonDepth, bundle });
  const emit = createEmitter(resolved, ports);

  const findKeys = createKeySource(resolved, client);
  const facts: AgentFacts = { options: resolved, judge, client, emit, policy, findKeys };
  const known = createKnownAgents();
  const carrier = ports.fetch?.(resolved) ?? globalThis.fetch;

  const toAgent = (sound: SoundCard): Established<Agent> => {
    rememberCard(sound, known, facts);
    const context = createContext(sound, requireInterface(sound, facts), facts);
    return { value: createAgent(context), context };
  };
  const discovery =
    client &&
    createDiscovery<Agent>({
      client,
      options: resolved,
      emit,
      establish: async ({ bytes, url, findings }) =>
        toAgent(await admitKnown({ input: bytes, cardUrl: url, findings }, known, facts)),
    });
  // Parsing a URL is most of what a discovery of a fresh card costs.
  const locateAgent = remembered((url) => locateCard(url, false));
  const locate = (url: string | URL, exact: boolean): CardLocation =>
    typeof url === 'string' && !exact ? locateAgent(url) : locateCard(url, exact);
  const guard: Guard = Object.freeze({
    checkCard(input: string | Uint8Array | object, given: CheckCardOptions = {}): CardReport {
      checkInput(input, 'checkCard');
      return judgeCard(input, policy, resolveContext(given)).report;
    },
    check(pointer: string, value: unknown, given: CheckOptions = {}): readonly Finding[] {
      return checkValue(pointer, value, given, { judge, policy, bundle });
    },
    async discover(url: string | URL, given: DiscoverOptions = {}): Promise<Agent> {
      checkDiscover(given);
      const location = locate(url, given.exact === true);
      if (discovery === undefined)
        throw new TypeError('this guard has no client to fetch with; give createGuard the client option');
      given.signal?.throwIfAborted();
      return raceSignal(discovery(location), given.signal);
    },
    async agent(card: string | Uint8Array | object, given: { readonly cardUrl?: string | URL } = {}): Promise<Agent> {
      checkInput(card, 'agent');
      checkNames(given, ['cardUrl'], 'agent');
      return toAgent(await admitKnown({ input: card, cardUrl: toUrl(given.cardUrl) }, known, facts)).value;
    },
    fetch: createFetch({ fetch: carrier, known, agents: facts }),
    allow(cardUrl: string | URL): void {
      known.allow(locateCard(cardUrl, true).url);
    },
    async close(): Promise<void> {
      await client?.close?.();
    },
  });
  setInternals(guard, { facts, admit: (card) => toAgent(admitCardNow({ input: card }, facts)).value });
  return guard;
}

function loadBundle(bundle: object, { loadAjv }: Ports): CompiledBundle {
  if (loadAjv === undefined) {
    throw new TypeError(
      'bundle: a bundle of your own needs a schema compiler, which a2a-guard/core does not load; use a2a-guard',
    );
  }
  const text = JSON.stringify(bundle);
  const { $id, title } = bundle as { $id?: unknown; title?: unknown };
  const name = [$id, title].find((candidate) => typeof candidate === 'string') ?? 'user bundle';
  return compileBundle(loadAjv(), bundle, { name: String(name), sha256: sha256Hex(text) });
}

function cardPolicy(resolved: ResolvedOptions, bundle: CompiledBundle | undefined): CardPolicy {
  const policy = {
    limits: resolved.limits,
    network: resolved.network,
    speaks: resolved.speaks,
    grade: resolved.grades.outgoing,
    legacyCards: resolved.legacyCards,
    bundle:
      bundle === undefined
        ? { ...PINNED_BUNDLE, validateCard }
        : { name: bundle.name, sha256: bundle.sha256, validateCard: bundle.validator('AgentCard') },
    canAuthenticate: () => true,
  };
  return withMeans(policy, resolved.credentials);
}

function createEmitter({ onTicket }: ResolvedOptions, { publish }: Ports): (ticket: Ticket) => void {
  return (ticket) => {
    publish?.(ticket);
    try {
      const returned: unknown = onTicket?.(ticket);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // A sink that throws must change no verdict.
    }
  };
}

function checkValue(
  pointer: string,
  value: unknown,
  { version = '1.0', direction = 'outgoing', ...rest }: CheckOptions,
  facts: { judge: PayloadJudge; policy: CardPolicy; bundle: CompiledBundle | undefined },
): readonly Finding[] {
  checkNames(rest, ['version', 'direction'], 'check');
  if (version !== '1.0' && version !== '0.3') {
    throw new TypeError(`version: expected "1.0" or "0.3", got "${String(version).slice(0, 80)}"`);
  }
  if (direction !== 'outgoing' && direction !== 'incoming') {
    throw new TypeError('direction: expected "outgoing" or "incoming"');
  }
  const definition = resolvePointer(
    pointer,
    (version === '1.0' ? facts.bundle?.definitions : undefined) ?? definitionsOf(version),
  );
  if (definition !== 'AgentCard' || typeof value !== 'object' || value === null) {
    return facts.judge(definition, value, direction, version);
  }
  return judgeCard(value, facts.policy).report.findings;
}

/** Waits for a flight that others may share; the signal ends only this wait. */
async function raceSignal<T>(flight: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return flight;
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([flight, aborted]);
  } finally {
    stop();
    flight.catch(() => {});
  }
}
