import { forbiddenAddress } from '../card/address.ts';
import { locateCard } from '../card/discover.ts';
import { readWhole } from '../exchange.ts';
import type { ProtocolVersion } from '../schema/fields.ts';
import { withoutSecrets } from '../schema/url.ts';
import { broken, codeOf, createTicket, type Fault, type Finding, GuardError, toFindings } from '../ticket.ts';
import type { AgentContext } from './context.ts';
import { type AgentFacts, admitCard, createContext, type SoundCard } from './establish.ts';
import { fetchCard } from './fetch-card.ts';
import { carry, type Fetch, type FetchFacts, type Recognized, unfollowed } from './fetch-carry.ts';
import {
  dialectOf,
  type FetchCall,
  findCall,
  looksLikeA2A,
  peekBody,
  readFetchCall,
  readHeaders,
  takeBody,
} from './fetch-request.ts';
import { asStream, rebuild } from './fetch-response.ts';
import type { KnownAgents, Route } from './known-agents.ts';
import { createLedger } from './ledger.ts';

/**
 * Makes a standard fetch that guards A2A traffic at the wire: cards are judged before they are handed on, calls to a
 * declared interface before they are sent, and answers before they are returned. Everything else passes untouched.
 */
export function createFetch(ports: Omit<FetchFacts, 'flights'>): Fetch {
  const facts: FetchFacts = { ...ports, flights: new Map() };
  return async (input, init) => {
    const call = readFetchCall(input, init);
    if (call === undefined || !/^https?:$/.test(call.url.protocol)) return facts.fetch(input, init);
    if (call.method === 'GET' && facts.known.isCardUrl(call.url)) return fetchGuardedCard(call, facts);
    const recognized = await recognize(call, facts);
    return recognized === undefined ? facts.fetch(call.input, call.init) : carry(recognized, facts);
  };
}

/** A card: fetched, judged, remembered, and handed on as it came. A red card rejects. */
async function fetchGuardedCard(call: FetchCall, facts: FetchFacts): Promise<Response> {
  refuseAddress(call.url, facts);
  const response = await facts.fetch(call.input, unfollowed(call.init));
  if (response.status !== 200) return response;
  const bytes = await readWhole(asStream(response).chunks, facts.agents.options.limits.cardBytes);
  learnCard(bytes, call.url, [], facts);
  return rebuild(response, bytes);
}

function refuseAddress(url: URL, { agents }: FetchFacts): void {
  const fault = forbiddenAddress(url, agents.options.network);
  if (fault !== undefined) throw refuse([fault], { agents, cardUrl: url });
}

function refuse(
  faults: readonly Fault[],
  { agents, context, cardUrl }: { agents: AgentFacts; context?: AgentContext; cardUrl?: URL },
): GuardError {
  const findings = toFindings(faults, broken);
  const lead = findings[0] as Finding;
  const shown = cardUrl === undefined ? context?.cardUrl : withoutSecrets(cardUrl.href);
  const ticket = createTicket({
    layer: lead.layer,
    code: codeOf(lead, 'outgoing'),
    blocked: true,
    outcome: 'not-sent',
    findings,
    ...(shown !== undefined && { agent: { cardUrl: shown } }),
  });
  agents.emit(ticket);
  return new GuardError(ticket);
}

function learnCard(bytes: Uint8Array, cardUrl: URL, earlier: readonly Finding[], { known, agents }: FetchFacts): void {
  const sound = admitCard(bytes, cardUrl, earlier, agents);
  rememberCard(sound, known, agents);
}

/** Remembers where the interfaces of a sound card are, so that calls to them are guarded. */
export function rememberCard(sound: SoundCard, known: KnownAgents, agents: AgentFacts): void {
  const callable = sound.verdict.selection.declared.filter(({ url }) => /^https?:/i.test(url));
  const ledger = createLedger();
  const contexts = callable.map((declared) => createContext(sound, declared, agents, ledger));
  known.add(sound.verdict.report.card?.sha256 ?? '', sound.cardUrl, contexts);
}

/** The A2A call in a request, or undefined for everything else. */
async function recognize(call: FetchCall, facts: FetchFacts): Promise<Recognized | undefined> {
  const { known, agents } = facts;
  const peeked = peekBody(call);
  const routes = known.routes(call.method, call.url);
  if (routes.length > 0) return onRoute(routes, call, peeked, facts);
  const body =
    peeked === null && (known.hasOrigin(call.url.origin) || hasVersionHeader(call)) ? await takeBody(call) : undefined;
  if (!looksLikeA2A(call, body?.text ?? peeked ?? undefined)) return undefined;
  if (known.hasOrigin(call.url.origin)) throw undeclared(call, facts);
  const policy = agents.options.unknownAgent;
  if (policy === 'pass') return undefined;
  if (policy === 'refuse') throw undeclared(call, facts);
  await discoverOrigin(call.url, facts);
  const learned = known.routes(call.method, call.url);
  if (learned.length === 0) throw undeclared(call, facts);
  return onRoute(learned, body?.call ?? call, body?.text ?? peeked, facts);
}

/** Protocol versions in which calls can be judged. */
const JUDGED_VERSIONS: readonly string[] = ['1.0', '0.3'] satisfies readonly ProtocolVersion[];

const hasVersionHeader = (call: FetchCall): boolean => 'a2a-version' in readHeaders(call);

/** Finds the call on the interface whose version its dialect belongs to. Versions that cannot be judged are left alone. */
async function onRoute(
  routes: readonly Route[],
  call: FetchCall,
  peeked: string | null | undefined,
  facts: FetchFacts,
): Promise<Recognized | undefined> {
  const taken = peeked === null ? await takeBody(call) : { text: peeked ?? undefined, call };
  const dialect = dialectOf(taken.text);
  const route = routes.find(
    ({ kind, context }) => kind === 'http' || dialect === undefined || context.interface.version === dialect,
  );
  if (route === undefined) throw otherDialect(routes[0] as Route, facts);
  if (!JUDGED_VERSIONS.includes(route.context.interface.version)) return undefined;
  const found = findCall(route, taken.call, taken.text);
  return found === undefined ? undefined : { call: taken.call, context: route.context, found };
}

function otherDialect({ context }: Route, { agents }: FetchFacts): GuardError {
  const { binding, version } = context.interface;
  const message = `The method is of another protocol version; this interface speaks ${binding} ${version}.`;
  return refuse([{ id: 'interface-dialect', path: '/method', message }], { agents, context });
}

function undeclared({ url }: FetchCall, { known, agents }: FetchFacts): GuardError {
  const context = known.at(url.origin);
  const problem =
    context === undefined ? 'no card of this agent is known' : 'its card does not declare this URL for this call';
  const fault: Fault = {
    id: 'interface-undeclared',
    path: '',
    message: `The call goes to ${withoutSecrets(url.href)}, but ${problem}.`,
  };
  return refuse([fault], { agents, ...(context !== undefined && { context }) });
}

/** Fetches and judges the card of an origin that is not known yet, once for all calls that wait for it. */
function discoverOrigin({ origin }: URL, facts: FetchFacts): Promise<void> {
  const { flights } = facts;
  const flight = flights.get(origin) ?? learnOrigin(origin, facts).finally(() => flights.delete(origin));
  flights.set(origin, flight);
  return flight;
}

async function learnOrigin(origin: string, facts: FetchFacts): Promise<void> {
  const { client, options, emit } = facts.agents;
  if (client === undefined) {
    throw new TypeError('this guard has no client to fetch cards with; give createGuard the client option');
  }
  const { bytes, url, findings } = await fetchCard(locateCard(origin, false), { client, options, emit });
  learnCard(bytes, url, findings, facts);
}
