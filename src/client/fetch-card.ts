import { forbiddenAddress } from '../card/address.ts';
import { type CardLocation, checkCardAnswer } from '../card/discover.ts';
import { type Client, ExchangeError, type HttpAnswer } from '../exchange.ts';
import type { ResolvedOptions } from '../options.ts';
import { withoutSecrets } from '../schema/url.ts';
import {
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  GuardError,
  isError,
  type Ticket,
  toFindings,
} from '../ticket.ts';
import { originOf } from '../traffic/wire.ts';

export interface FetchedCard {
  readonly bytes: Uint8Array;
  readonly url: URL;
  /** Warnings about the way in which the card came. */
  readonly findings: readonly Finding[];
}

export interface FetchFacts {
  readonly client: Client;
  readonly options: ResolvedOptions;
  readonly emit: (ticket: Ticket) => void;
}

/**
 * Fetches the bytes of a card, within the limits and without following redirects. The pre-0.3 location is asked after a
 * 404 only: 401 and 403 are answers.
 * @throws GuardError at layer discovery, or trust for an address that policy does not allow.
 */
export async function fetchCard(location: CardLocation, facts: FetchFacts): Promise<FetchedCard> {
  const first = await get(location.url, facts);
  const { legacyUrl } = location;
  if (first.status !== 404 || legacyUrl === undefined) return settle(first, location.url, [], facts);
  const second = await get(legacyUrl, facts);
  if (second.status !== 200) return settle(first, location.url, [], facts);
  const message = 'The card is at the pre-0.3 path only; clients of 1.0 look at /.well-known/agent-card.json.';
  return settle(second, legacyUrl, [{ id: 'discovery-legacy-path', path: '', message }], facts);
}

async function get(url: URL, facts: FetchFacts): Promise<HttpAnswer> {
  const { client, options } = facts;
  const forbidden = forbiddenAddress(url, options.network);
  if (forbidden !== undefined)
    return fail(
      url,
      toFindings([forbidden], () => 'error'),
      facts,
      { blocked: true },
    );
  const { cardBytes, ...limits } = options.limits;
  try {
    return await client.request({
      method: 'GET',
      url: url.href,
      headers: { accept: 'application/json, application/a2a+json;q=0.9', 'accept-encoding': 'identity' },
      limits: { ...limits, responseBytes: cardBytes },
    });
  } catch (error) {
    return failFetch(url, error, facts);
  }
}

/**
 * Ends the fetching of a card whose exchange broke.
 * @throws GuardError at layer discovery, or trust for a name that leads to a forbidden address.
 */
export function failFetch(url: URL, error: unknown, facts: Pick<FetchFacts, 'options' | 'emit'>): never {
  const broken =
    error instanceof ExchangeError ? error : new ExchangeError('network', true, 'the client failed', error);
  return fail(
    url,
    toFindings([brokenFault(broken)], () => 'error'),
    facts,
    { cause: broken.cause ?? broken, blocked: broken.failure === 'forbidden' },
  );
}

function brokenFault(error: ExchangeError): Fault {
  const message = `The card could not be fetched: ${error.message}.`;
  if (error.failure === 'forbidden') return { id: 'network-address', path: '', message };
  if (error.failure === 'size') return { id: 'discovery-size', path: '', message };
  return { id: error.failure === 'timeout' ? 'discovery-timeout' : 'discovery-network', path: '', message };
}

function settle(answer: HttpAnswer, url: URL, earlier: readonly Fault[], facts: FetchFacts): FetchedCard {
  const location = answer.header('location');
  const faults = checkCardAnswer({
    status: answer.status,
    contentType: answer.header('content-type'),
    contentEncoding: answer.header('content-encoding'),
    location: location === undefined ? undefined : originOf(location),
  });
  if (answer.status !== 200)
    return fail(
      url,
      toFindings(faults, () => 'error'),
      facts,
      { httpStatus: answer.status },
    );
  const findings = toFindings([...earlier, ...faults], facts.options.grades.outgoing);
  if (findings.some(isError)) return fail(url, findings, facts, { httpStatus: 200 });
  return { bytes: answer.body, url, findings };
}

function fail(
  url: URL,
  findings: readonly Finding[],
  { emit }: Pick<FetchFacts, 'emit'>,
  { blocked = false, cause, httpStatus }: { blocked?: boolean; cause?: unknown; httpStatus?: number },
): never {
  const lead = findings.find(isError) ?? (findings[0] as Finding);
  const retryable = lead.id === 'discovery-network' || lead.id === 'discovery-timeout' || (httpStatus ?? 0) >= 500;
  const ticket = createTicket({
    layer: lead.layer,
    code: codeOf(lead, 'incoming'),
    agent: { cardUrl: withoutSecrets(url.href) },
    ...(httpStatus !== undefined && { httpStatus }),
    message: lead.message,
    findings,
    blocked,
    retryable,
    ...(blocked && { outcome: 'not-sent' as const }),
    ...(httpStatus === 401 || httpStatus === 403 ? { next: 'authenticate' as const } : {}),
    ...(lead.layer === 'trust' && { next: 'choose-agent' as const }),
  });
  emit(ticket);
  throw new GuardError(ticket, cause);
}
