import { type Credentials, missingCredentials } from '../call/credentials.ts';
import { forbiddenAddress } from '../card/address.ts';
import type { Plan } from '../card/capability.ts';
import { readAccess, readProfile } from '../card/profile.ts';
import { type CardPolicy, type CardReport, type CardVerdict, firstFailure, judgeCard } from '../card/report.ts';
import type { ChosenInterface } from '../card/select.ts';
import { checkSignatureStates, listSignatures, type SignatureState } from '../card/signatures.ts';
import { isForeign } from '../card/trust.ts';
import { type FindKeys, verifySignatures } from '../discovery/signatures.ts';
import type { Client } from '../exchange.ts';
import type { ResolvedOptions } from '../options.ts';
import type { AgentCard } from '../schema/generated/types-1.0.ts';
import { withoutSecrets } from '../schema/url.ts';
import {
  broken,
  byLayer,
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  freeze,
  GuardError,
  isError,
  type Ticket,
  toFindings,
} from '../ticket.ts';
import type { PayloadJudge } from '../traffic/judge.ts';
import type { AgentContext } from './context.ts';
import { createLedger, type Ledger } from './ledger.ts';

/** What a guard gives its agents. */
export interface AgentFacts {
  readonly options: ResolvedOptions;
  readonly judge: PayloadJudge;
  readonly client: Client | undefined;
  readonly emit: (ticket: Ticket) => void;
  readonly policy: CardPolicy;
  /** Where the keys of signatures come from. */
  readonly findKeys: FindKeys;
}

/** A card that holds, and where it came from. */
export interface SoundCard {
  readonly card: Readonly<Record<string, unknown>>;
  /** The card as it is read: what a 0.x card means in 1.0. */
  readonly effective: Readonly<Record<string, unknown>>;
  readonly verdict: CardVerdict;
  readonly cardUrl: URL | undefined;
}

/** A card, where it came from, and what was odd on the way. */
export interface CardSource {
  readonly input: string | Uint8Array | object;
  readonly cardUrl?: URL | undefined;
  readonly findings?: readonly Finding[];
  /** How the report calls it. */
  readonly target?: string | undefined;
  /** What the client intends. */
  readonly plan?: Plan | undefined;
}

/**
 * Judges a card from end to end, its signatures included. In observe mode a red card is reported and used.
 * @throws GuardError that names the first layer in which the card failed.
 */
export async function admitCard(source: CardSource, facts: AgentFacts): Promise<SoundCard> {
  return settleCard(await judgeWhole(source, facts), source, facts);
}

/** The whole verdict on a card: with its signatures, where the options want them verified. Refuses nothing. */
export async function judgeWhole(
  source: CardSource,
  facts: Pick<AgentFacts, 'options' | 'policy' | 'findKeys'>,
): Promise<CardVerdict> {
  const verdict = judgeSource(source, facts);
  if (facts.options.signatures.policy === 'shape' || verdict.card === undefined) return verdict;
  return withSignatures(verdict, await verifySignatures(verdict.card, facts.findKeys), facts.options);
}

/** The same for doors that cannot wait: signatures that the options want verified count as unverifiable there. */
export function admitCardNow(source: CardSource, facts: AgentFacts): SoundCard {
  const verdict = judgeSource(source, facts);
  const states = listSignatures(verdict.card ?? {}).map(
    (_, index): SignatureState => ({
      index,
      state: 'unverifiable',
      why: 'this door cannot wait for a key; discover can',
    }),
  );
  return settleCard(withSignatures(verdict, states, facts.options), source, facts);
}

function judgeSource(
  { input, cardUrl, findings = [], target, plan }: CardSource,
  { policy }: Pick<AgentFacts, 'policy'>,
): CardVerdict {
  const context = {
    ...(cardUrl !== undefined && { cardUrl }),
    ...(target !== undefined && { target }),
    ...(plan !== undefined && { plan }),
  };
  return withFindings(judgeCard(input, policy, context), findings);
}

/** Puts what became of the signatures into the report. */
function withSignatures(
  verdict: CardVerdict,
  states: readonly SignatureState[],
  { signatures: { policy }, grades }: ResolvedOptions,
): CardVerdict {
  if (policy === 'shape') return verdict;
  const judged = withFindings(verdict, toFindings(checkSignatureStates(states, policy), grades.outgoing));
  return states.length === 0 ? judged : { ...judged, report: { ...judged.report, signatures: states } };
}

function settleCard(verdict: CardVerdict, { cardUrl }: CardSource, facts: AgentFacts): SoundCard {
  const { report, card } = verdict;
  if (firstFailure(report) !== undefined) {
    const findings = [...report.findings.filter(isError), ...report.findings.filter((finding) => !isError(finding))];
    const ticket = cardTicket(findings, report, cardUrl, facts.options);
    facts.emit(ticket);
    if (facts.options.mode === 'enforce' || card === undefined) throw new GuardError(ticket);
  }
  return { card: freeze(card ?? {}), effective: verdict.effective ?? {}, verdict, cardUrl };
}

/** Puts what was found on the way to the card into its report. */
function withFindings(verdict: CardVerdict, earlier: readonly Finding[]): CardVerdict {
  if (earlier.length === 0) return verdict;
  const findings = byLayer([...earlier, ...verdict.report.findings]);
  const ok = !findings.some(isError);
  const next = ok ? verdict.report.next : 'fix-card';
  return { ...verdict, report: { ...verdict.report, findings, ok, next } };
}

/**
 * The interface of a sound card that both sides speak.
 * @throws GuardError at layer interface when there is none.
 */
export function requireInterface({ verdict, cardUrl }: SoundCard, { options, emit }: AgentFacts): ChosenInterface {
  const { chosen } = verdict.selection;
  if (chosen !== undefined) return chosen;
  const ticket = cardTicket(toFindings([noInterface(verdict, options)], broken), verdict.report, cardUrl, options);
  emit(ticket);
  throw new GuardError(ticket);
}

/** What all calls to one interface of a sound card share. */
export function createContext(
  sound: SoundCard,
  chosen: ChosenInterface,
  facts: AgentFacts,
  ledger: Ledger = createLedger(),
  session?: { ended: boolean },
): AgentContext {
  const { card, effective, verdict, cardUrl } = sound;
  const { options, judge, client, emit, policy } = facts;
  const address = new URL(chosen.url);
  // An extended card comes from the interface, where nobody knows where the public one came from.
  const origin = cardUrl ?? address;
  const forbidden = forbiddenAddress(address, options.network);
  const foreign = cardUrl !== undefined && isForeign(address, cardUrl, options.network.allowOrigins);
  const withheld = foreign && Object.keys(options.credentials).length > 0;
  let lastId = 0;
  return {
    card: card as unknown as AgentCard,
    effective,
    report: verdict.report,
    profile: readProfile(effective),
    interface: chosen,
    considered: verdict.selection.considered,
    cardUrl: cardUrl === undefined ? undefined : withoutSecrets(cardUrl.href),
    means: { credentials: withheld ? {} : options.credentials, withheld },
    ...(session !== undefined && { session }),
    openSession: async (given, extendedCard) => {
      const credentials = { ...options.credentials, ...given };
      const own = { ...facts, options: { ...options, credentials }, policy: withMeans(policy, credentials) };
      const card = extendedCard === undefined ? sound : await admitCard({ input: extendedCard, cardUrl: origin }, own);
      const its = extendedCard === undefined ? chosen : requireInterface(card, own);
      return createContext(card, its, own, createLedger(), { ended: false });
    },
    standing: forbidden === undefined ? [] : toFindings([forbidden], broken),
    options,
    judge,
    client,
    judgeExtendedCard: (extended) => judgeWhole({ input: extended, cardUrl: origin }, facts),
    emit,
    ledger,
    nextId: () => ++lastId,
  };
}

/** A policy that knows what the client can authenticate with. */
export function withMeans(policy: CardPolicy, credentials: Credentials): CardPolicy {
  const means = { credentials, withheld: false, headers: {} };
  return {
    ...policy,
    canAuthenticate: (card) => missingCredentials(readAccess(card), undefined, means) === undefined,
  };
}

function cardTicket(
  findings: readonly Finding[],
  report: CardReport,
  cardUrl: URL | undefined,
  { limits }: ResolvedOptions,
): Ticket {
  const lead = findings[0] as Finding;
  const { name, version, sha256: hash } = report.card ?? {};
  return createTicket(
    {
      layer: lead.layer,
      code: codeOf(lead, 'incoming'),
      agent: {
        ...(name && { name: name.slice(0, 128) }),
        ...(version && { version: version.slice(0, 128) }),
        ...(cardUrl !== undefined && { cardUrl: withoutSecrets(cardUrl.href) }),
        ...(hash && { cardSha256: hash }),
      },
      blocked: true,
      outcome: 'not-sent',
      message: lead.message,
      findings,
    },
    limits.findings,
  );
}

function noInterface({ selection }: CardVerdict, { speaks }: ResolvedOptions): Fault {
  const offered = selection.considered
    .map(({ binding, version, why }) => `${binding || '?'} ${version || '?'} (${why})`.slice(0, 200))
    .slice(0, 10);
  const spoken = speaks.flatMap(({ binding, versions }) => versions.map((version) => `${binding} ${version}`));
  const message = `No interface in common: the card offers ${offered.join(', ') || 'none'}; the client speaks ${spoken.join(', ')}.`;
  return { id: 'interface-none', path: '/supportedInterfaces', message: message.slice(0, 500) };
}
