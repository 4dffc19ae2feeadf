import { forbiddenAddress } from '../card/address.ts';
import { locateCard } from '../card/discover.ts';
import { fetchCard, fetchFailure, hopFailure } from '../discovery/fetch-card.ts';
import { nextHop, withoutCredentials } from '../discovery/redirects.ts';
import { readWhole } from '../exchange.ts';
import { isJudged } from '../schema/fields.ts';
import { withoutSecrets } from '../schema/url.ts';
import {
  broken,
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  GuardError,
  isGuardError,
  type Ticket,
  toFindings,
} from '../ticket.ts';
import type { AgentContext } from './context.ts';
import { type AgentFacts, admitCard, type CardSource, createContext, type SoundCard } from './establish.ts';
import {
  carry,
  type Fetch,
  type FetchFacts,
  type Recognized,
  redirectOf,
  signalOf,
  unfollowed,
} from './fetch-carry.ts';
import {
  dialectOf,
  type FetchCall,
  findCall,
  looksLikeA2A,
  parse,
  peekBody,
  readFetchCall,
  readHeaders,
  readRpcFrame,
  type TakenCall,
  takeBody,
} from './fetch-request.ts';
import { asHttp, asStream, rebuild, refusalResponse } from './fetch-response.ts';
import type { KnownAgents, Route } from './known-agents.ts';
import { createLedger } from './ledger.ts';

/** What a request turned out to be; `call` is the form in which it can still be sent. */
type Recognition =
  | { readonly kind: 'call'; readonly recognized: Recognized }
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'other'; readonly call: FetchCall };

/**
 * Makes a standard fetch that guards A2A traffic at the wire: cards are judged before they are handed on, calls to a
 * declared interface before they are sent, and answers before they are returned. Everything else passes untouched.
 */
export function createFetch({ fetch, ...ports }: Omit<FetchFacts, 'flights'>): Fetch {
  // Called by its bare name: platforms refuse a fetch whose `this` is not theirs.
  const facts: FetchFacts = { ...ports, fetch: (input, init) => fetch(input, init), flights: new Map() };
  return async (input, init) => {
    const call = readFetchCall(input, init);
    if (call === undefined || !/^https?:$/.test(call.url.protocol)) return facts.fetch(input, init);
    if (call.method === 'GET' && facts.known.isCardUrl(call.url)) return fetchGuardedCard(call, facts);
    const recognition = await recognize(call, facts);
    switch (recognition.kind) {
      case 'call':
        return carry(recognition.recognized, facts);
      case 'answered':
        return recognition.response;
      case 'other':
        return facts.fetch(recognition.call.input, recognition.call.init);
    }
  };
}

/** A card: fetched, judged, remembered, and handed on as it came. A red card rejects. */
async function fetchGuardedCard(call: FetchCall, facts: FetchFacts): Promise<Response> {
  const { options, emit } = facts.agents;
  const { response, url } = await travel(call, facts);
  if (response.status !== 200) return response;
  const bytes = await readWhole(asStream(response).chunks, options.limits.cardBytes).catch((error: unknown) => {
    throw reported(fetchFailure(url, error), emit);
  });
  await learnCard({ input: bytes, cardUrl: url }, facts);
  return rebuild(response, bytes);
}

/** Asks for a card and follows its redirects, unless the client wants to see them itself. */
async function travel(call: FetchCall, facts: FetchFacts): Promise<{ response: Response; url: URL }> {
  const { network, limits } = facts.agents.options;
  const refuse = (fault: Fault): never => {
    throw new GuardError(refusal(fault, facts, { cardUrl: call.url }));
  };
  const forbidden = forbiddenAddress(call.url, network);
  if (forbidden !== undefined) refuse(forbidden);
  let response = await facts.fetch(call.input, unfollowed(call.init));
  if (redirectOf(call) !== 'follow') return { response, url: call.url };
  let headers = readHeaders(call);
  for (let url = call.url, followed = 0; ; followed += 1) {
    const hop = nextHop(url, asHttp(response), followed, { network, redirects: limits.redirects });
    if (hop.kind === 'arrived') return { response, url };
    await response.body?.cancel();
    if (hop.kind === 'refused') throw reported(hopFailure(url, hop.fault, response.status), facts.agents.emit);
    if (hop.url.origin !== url.origin) headers = withoutCredentials(headers);
    url = hop.url;
    response = await facts.fetch(url, { ...unfollowed(call.init), headers, signal: signalOf(call) ?? null });
  }
}

function reported(error: GuardError, emit: (ticket: Ticket) => void): GuardError {
  emit(error.ticket);
  return error;
}

/** The ticket of something that no card allows. In observe mode a call is reported and not held back. */
function refusal(
  fault: Fault,
  { agents }: FetchFacts,
  { context, cardUrl }: { context?: AgentContext | undefined; cardUrl?: URL },
): Ticket {
  const findings = toFindings([fault], broken);
  const lead = findings[0] as Finding;
  const shown = cardUrl === undefined ? context?.cardUrl : withoutSecrets(cardUrl.href);
  const blocked = cardUrl !== undefined || agents.options.mode === 'enforce';
  const ticket = createTicket({
    layer: lead.layer,
    code: codeOf(lead, 'outgoing'),
    blocked,
    ...(blocked && { outcome: 'not-sent' as const }),
    findings,
    ...(shown !== undefined && { agent: { cardUrl: shown } }),
  });
  agents.emit(ticket);
  return ticket;
}

/** A call that no card allows: thrown, answered in the agent's place, or in observe mode let go. */
function refuseCall(
  fault: Fault,
  context: AgentContext | undefined,
  { call, text }: TakenCall,
  facts: FetchFacts,
): Recognition {
  const ticket = refusal(fault, facts, { context });
  const { mode, refuse } = facts.agents.options;
  if (mode === 'observe') return { kind: 'other', call };
  if (refuse === 'throw') throw new GuardError(ticket);
  const rpc = readRpcFrame(text);
  const binding = rpc === undefined ? 'HTTP+JSON' : 'JSONRPC';
  const version = context?.interface.version ?? '1.0';
  const response = refusalResponse(ticket, { binding, version }, rpc?.id ?? '', call.url.href);
  return { kind: 'answered', response };
}

async function learnCard(source: CardSource, { known, agents }: FetchFacts): Promise<void> {
  rememberCard(await admitKnown(source, known, agents), known, agents);
}

/** Admits a card; a red one takes what was known of its URL away. */
export async function admitKnown(source: CardSource, known: KnownAgents, agents: AgentFacts): Promise<SoundCard> {
  try {
    return await admitCard(source, agents);
  } catch (error) {
    if (source.cardUrl !== undefined) known.forget(source.cardUrl);
    throw error;
  }
}

/** Remembers where the interfaces of a sound card are, so that calls to them are guarded. */
export function rememberCard(sound: SoundCard, known: KnownAgents, agents: AgentFacts): void {
  const callable = sound.verdict.selection.declared.filter(({ url }) => /^https?:/i.test(url));
  const ledger = createLedger();
  // What the options would add to our own calls is not added to those of another client.
  const bare = { ...agents, options: { ...agents.options, credentials: {}, extensions: [] } };
  const contexts = callable.map((declared) => createContext(sound, declared, bare, ledger));
  known.add(sound.cardUrl ?? sound.verdict.report.card?.sha256 ?? '', contexts);
}

/** Finds the A2A call in a request. */
async function recognize(call: FetchCall, facts: FetchFacts): Promise<Recognition> {
  const { known, agents } = facts;
  const { origin } = call.url;
  const peeked = peekBody(call);
  const routes = known.routes(call.method, call.url);
  const telling = routes.length > 0 || known.hasOrigin(origin) || hasVersionHeader(call);
  const taken = peeked === null && telling ? await takeBody(call) : { text: peeked ?? undefined, call };
  if (routes.length > 0) return onRoute(routes, taken, facts);
  if (!looksLikeA2A(call, taken.text)) return { kind: 'other', call: taken.call };
  const policy = agents.options.unknownAgent;
  if (!known.hasOrigin(origin)) {
    if (policy === 'pass') return { kind: 'other', call: taken.call };
    if (policy === 'refuse') return undeclared(taken, facts);
    if (!(await discoverOrigin(call.url, facts))) return { kind: 'other', call: taken.call };
  }
  const learned = known.routes(call.method, call.url);
  if (learned.length > 0) return onRoute(learned, taken, facts);
  return known.isUnreadable(call.url) ? { kind: 'other', call: taken.call } : undeclared(taken, facts);
}

const hasVersionHeader = (call: FetchCall): boolean => 'a2a-version' in readHeaders(call);

/** Finds the call on the interface whose version its dialect belongs to. Versions that cannot be judged are left alone. */
function onRoute(routes: readonly Route[], taken: TakenCall, facts: FetchFacts): Recognition {
  const body = parse(taken.text);
  const dialect = dialectOf(body);
  const route = routes.find(
    ({ kind, context }) =>
      kind === 'http' || (kind === 'rpc' && [undefined, context.interface.version].includes(dialect)),
  );
  if (route === undefined || route.kind === 'other-version') return otherDialect(routes[0] as Route, taken, facts);
  const other = { kind: 'other', call: taken.call } as const;
  if (!isJudged(route.context.interface.version)) return other;
  const found = findCall(route, taken, body);
  if (found === undefined) return other;
  return { kind: 'call', recognized: { call: taken.call, context: route.context, found } };
}

function otherDialect({ context }: Route, taken: TakenCall, facts: FetchFacts): Recognition {
  const { binding, version } = context.interface;
  const [what, path] = binding === 'JSONRPC' ? ['method', '/method'] : ['path', ''];
  const message = `The ${what} is of another protocol version; this interface speaks ${binding} ${version}.`;
  return refuseCall({ id: 'interface-dialect', path, message }, context, taken, facts);
}

function undeclared(taken: TakenCall, facts: FetchFacts): Recognition {
  const { url } = taken.call;
  const context = facts.known.at(url.origin);
  const problem =
    context === undefined ? 'no card of this agent is known' : 'its card does not declare this URL for this call';
  const message = `The call goes to ${withoutSecrets(url.href)}, but ${problem}.`;
  return refuseCall({ id: 'interface-undeclared', path: '', message }, context, taken, facts);
}

/**
 * Fetches and judges the card of an origin that is not known yet, once for all calls that wait for it. False where there
 * is none and observe mode lets the call go all the same; an address that policy does not allow is never let go.
 */
async function discoverOrigin({ origin }: URL, facts: FetchFacts): Promise<boolean> {
  const { flights, agents } = facts;
  const flight = flights.get(origin) ?? learnOrigin(origin, facts).finally(() => flights.delete(origin));
  flights.set(origin, flight);
  try {
    await flight;
    return true;
  } catch (error) {
    if (agents.options.mode === 'observe' && isGuardError(error) && !error.ticket.blocked) return false;
    throw error;
  }
}

async function learnOrigin(origin: string, facts: FetchFacts): Promise<void> {
  const { client, options, emit } = facts.agents;
  if (client === undefined) {
    throw new TypeError('this guard has no client to fetch cards with; give createGuard the client option');
  }
  const fetched = await fetchCard(locateCard(origin, false), { client, options }).catch((error: unknown) => {
    throw isGuardError(error) ? reported(error, emit) : error;
  });
  const { bytes, url, findings } = fetched;
  await learnCard({ input: bytes, cardUrl: url, findings }, facts);
}
