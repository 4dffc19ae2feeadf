import { forbiddenAddress } from '../card/address.ts';
import { type CardLocation, checkCardAnswer } from '../card/discover.ts';
import { isRetryableStatus, withRetries } from '../client/retry.ts';
import { type Client, ExchangeError, type HttpAnswer, isHttpAnswer, readable } from '../exchange.ts';
import type { ResolvedOptions } from '../options.ts';
import { withoutSecrets } from '../schema/url.ts';
import {
  broken,
  capFindings,
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  GuardError,
  isError,
  toFindings,
} from '../ticket.ts';
import { originOf } from '../traffic/wire.ts';
import { nextHop } from './redirects.ts';

/** A card that was fetched. */
export interface FetchedCard {
  readonly bytes: Uint8Array;
  /** Where it was found, after redirects. */
  readonly url: URL;
  readonly answer: HttpAnswer;
  /** The redirects on the way, which hold no longer than they say. */
  readonly hops: readonly Hop[];
  /** Warnings about the way in which the card came. */
  readonly findings: readonly Finding[];
}

/** The answer that the card did not change since it was stored. */
export interface UnchangedCard {
  readonly bytes?: undefined;
  readonly answer: HttpAnswer;
  readonly hops: readonly Hop[];
}

export interface FetchFacts {
  readonly client: Client;
  readonly options: ResolvedOptions;
}

/** Conditions for a card that is stored already. They go to the URL that it was found at and to no other. */
export interface Conditions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A redirect that was followed. */
export interface Hop {
  readonly url: URL;
  readonly answer: HttpAnswer;
}

/** One URL on its way: where it led, what it answered, and what is odd about that. */
interface Arrival {
  readonly url: URL;
  readonly answer: HttpAnswer;
  readonly hops: readonly Hop[];
  readonly faults: readonly Fault[];
  /** Whether it was asked for a change of what is stored. */
  readonly conditional: boolean;
  readonly attempts: number;
}

export const CARD_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json, application/a2a+json;q=0.9',
  'accept-encoding': 'identity',
};

/**
 * Fetches the bytes of a card within the limits, through redirects that policy allows. The pre-0.3 location is asked
 * after a 404 only: 401 and 403 are answers. Nothing is reported here; who asked does that.
 * @throws GuardError at layer discovery, or trust for an address that policy does not allow.
 */
export async function fetchCard(location: CardLocation, facts: FetchFacts): Promise<FetchedCard> {
  const [arrival, earlier] = await arrive(location, facts, undefined);
  return settle(arrival, earlier, facts);
}

/** The same for a card that is stored already: its server may answer that nothing changed. */
export async function refetchCard(
  location: CardLocation,
  facts: FetchFacts,
  conditions: Conditions,
): Promise<FetchedCard | UnchangedCard> {
  const [arrival, earlier] = await arrive(location, facts, conditions);
  const { answer, hops, conditional } = arrival;
  return conditional && answer.status === 304 ? { answer, hops } : settle(arrival, earlier, facts);
}

/** Where the card is, and what is odd about that place. */
async function arrive(
  { url, legacyUrl }: CardLocation,
  facts: FetchFacts,
  conditions: Conditions | undefined,
): Promise<[arrival: Arrival, earlier: readonly Fault[]]> {
  const first = await travel(url, facts, conditions);
  if (first.answer.status !== 404 || legacyUrl === undefined) return [first, []];
  const second = await travel(legacyUrl, facts, conditions);
  if (second.answer.status !== 200 && !second.conditional) return [first, []];
  const message = 'The card is at the pre-0.3 path only; clients of 1.0 look at /.well-known/agent-card.json.';
  return [second, [{ id: 'discovery-legacy-path', path: '', message }]];
}

/** Asks a URL and follows its redirects, each judged like the first address. */
async function travel(start: URL, facts: FetchFacts, conditions: Conditions | undefined): Promise<Arrival> {
  const { network, limits } = facts.options;
  const forbidden = forbiddenAddress(start, network);
  if (forbidden !== undefined) throw failure(start, toFindings([forbidden], broken), { blocked: true });
  const hops: Hop[] = [];
  for (let url = start, followed = 0; ; followed += 1) {
    const { answer, attempts, conditional } = await ask(url, facts, conditions);
    const hop = nextHop(url, answer, followed, { network, redirects: limits.redirects });
    if (hop.kind === 'refused') throw hopFailure(url, hop.fault, answer.status, attempts);
    if (hop.kind === 'arrived') return { url, answer, hops, faults: moved(start, url), conditional, attempts };
    hops.push({ url, answer });
    url = hop.url;
  }
}

/** The failure of a redirect that is not followed. */
export function hopFailure(url: URL, fault: Fault, httpStatus: number, attempts = 1): GuardError {
  const blocked = fault.id === 'network-address';
  return failure(url, toFindings([fault], broken), { blocked, httpStatus, attempts });
}

function moved(start: URL, end: URL): Fault[] {
  if (start.origin === end.origin) return [];
  const message = `The card came by a redirect to another origin, ${end.origin}; that is where it is judged to be.`;
  return [{ id: 'discovery-redirect', path: '', message, severity: 'warn' }];
}

interface Asked {
  readonly answer: HttpAnswer;
  readonly attempts: number;
  readonly conditional: boolean;
}

/** Statuses with which servers answer conditions that they cannot read. */
const NO_CONDITIONS: readonly number[] = [400, 412, 500, 501];

/** Asks for a change of what is stored; a server that cannot answer that is asked for the whole card. */
async function ask(url: URL, facts: FetchFacts, conditions: Conditions | undefined): Promise<Asked> {
  const headers = conditions?.url === url.href ? conditions.headers : {};
  const conditional = Object.keys(headers).length > 0;
  const asked = await get(url, facts, headers);
  if (!conditional || !NO_CONDITIONS.includes(asked.answer.status)) return { ...asked, conditional };
  return { ...(await get(url, facts, {})), conditional: false };
}

async function get(
  url: URL,
  { client, options }: FetchFacts,
  conditions: Readonly<Record<string, string>>,
): Promise<{ answer: HttpAnswer; attempts: number }> {
  const { cardBytes, ...limits } = options.limits;
  let attempts = 0;
  const attempt = async (number: number): Promise<HttpAnswer> => {
    attempts = number;
    const answer = await client.request({
      method: 'GET',
      url: url.href,
      headers: { ...CARD_HEADERS, ...conditions },
      limits: { ...limits, responseBytes: cardBytes },
    });
    return readable(answer, isHttpAnswer);
  };
  try {
    const policy = { policy: options.retry, repeatable: true, signal: undefined, timeoutMs: undefined };
    return { answer: await withRetries(policy, attempt), attempts };
  } catch (error) {
    throw fetchFailure(url, error, attempts);
  }
}

/** The failure of a card whose exchange broke: at layer discovery, or trust for a name that leads to a forbidden address. */
export function fetchFailure(url: URL, error: unknown, attempts = 1): GuardError {
  const failed =
    error instanceof ExchangeError ? error : new ExchangeError('network', true, 'the client failed', error);
  const blocked = failed.failure === 'forbidden';
  return failure(url, toFindings([brokenFault(failed)], broken), { cause: failed.cause ?? failed, blocked, attempts });
}

function brokenFault(error: ExchangeError): Fault {
  const message = `The card could not be fetched: ${error.message}.`;
  if (error.failure === 'forbidden') return { id: 'network-address', path: '', message };
  if (error.failure === 'size') return { id: 'discovery-size', path: '', message };
  return { id: error.failure === 'timeout' ? 'discovery-timeout' : 'discovery-network', path: '', message };
}

function settle(arrival: Arrival, earlier: readonly Fault[], facts: FetchFacts): FetchedCard {
  const { url, answer, hops, faults, attempts } = arrival;
  const { status } = answer;
  const location = answer.header('location');
  const own = checkCardAnswer({
    status,
    contentType: answer.header('content-type'),
    contentEncoding: answer.header('content-encoding'),
    location: location === undefined ? undefined : originOf(location),
  });
  if (status !== 200) throw failure(url, toFindings(own, broken), { httpStatus: status, attempts });
  const findings = toFindings([...earlier, ...faults, ...own], facts.options.grades.outgoing);
  const shown = capFindings(findings, facts.options.limits.findings);
  if (findings.some(isError)) throw failure(url, shown, { httpStatus: status, attempts });
  return { bytes: answer.body, url, answer, hops, findings };
}

interface FailureFacts {
  readonly blocked?: boolean;
  readonly cause?: unknown;
  readonly httpStatus?: number;
  readonly attempts?: number;
}

const mayPassStatus = (status: number): boolean => status >= 500 || isRetryableStatus(status);

const RETRYABLE: ReadonlySet<string> = new Set(['discovery-network', 'discovery-timeout']);

function failure(
  url: URL,
  findings: readonly Finding[],
  { blocked = false, cause, httpStatus, attempts }: FailureFacts,
): GuardError {
  const lead = findings.find(isError) ?? (findings[0] as Finding);
  const ticket = createTicket({
    layer: lead.layer,
    code: codeOf(lead, 'incoming'),
    agent: { cardUrl: withoutSecrets(url.href) },
    ...(httpStatus !== undefined && { httpStatus }),
    ...(attempts !== undefined && { attempts }),
    message: lead.message,
    findings,
    blocked,
    retryable: RETRYABLE.has(lead.id) || mayPassStatus(httpStatus ?? 0),
    ...(blocked && httpStatus === undefined && { outcome: 'not-sent' as const }),
    ...(httpStatus === 401 || httpStatus === 403 ? { next: 'authenticate' as const } : {}),
    ...(lead.layer === 'trust' && { next: 'choose-agent' as const }),
  });
  return new GuardError(ticket, cause);
}
