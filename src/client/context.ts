import type { Credentials, Means } from '../call/credentials.ts';
import type { AgentProfile } from '../card/profile.ts';
import type { CardReport, CardVerdict } from '../card/report.ts';
import type { ChosenInterface, Considered } from '../card/select.ts';
import type { Client } from '../exchange.ts';
import type { ResolvedOptions } from '../options.ts';
import type { AgentCard } from '../schema/generated/types-1.0.ts';
import type { Finding, Ticket } from '../ticket.ts';
import type { PayloadJudge } from '../traffic/judge.ts';
import type { Ledger } from './ledger.ts';

/** What all calls to one agent share. */
export interface AgentContext {
  readonly card: AgentCard;
  /** The card as it is read: what a 0.x card means in 1.0. */
  readonly effective: Readonly<Record<string, unknown>>;
  readonly report: CardReport;
  readonly profile: AgentProfile;
  readonly interface: ChosenInterface;
  readonly considered: readonly Considered[];
  /** Where the card came from, without user name and query. */
  readonly cardUrl: string | undefined;
  /** What the guard may authenticate with at this interface. */
  readonly means: Pick<Means, 'credentials' | 'withheld'>;
  /** Set in a session: it ends when the agent answers 401. */
  readonly session?: { ended: boolean };
  /** The same agent with credentials of its own, and with the extended card once that is known. */
  readonly openSession: (credentials: Credentials, extendedCard?: object) => Promise<AgentContext>;
  /** Findings that hold for every call, such as an address that must not be reached. */
  readonly standing: readonly Finding[];
  readonly options: ResolvedOptions;
  readonly judge: PayloadJudge;
  readonly client: Client | undefined;
  /** The whole verdict on an extended card, its signatures included. */
  readonly judgeExtendedCard: (card: object) => Promise<CardVerdict>;
  readonly emit: (ticket: Ticket) => void;
  /** Tasks that this agent has shown; bounded, so that an agent cannot make it grow. */
  readonly ledger: Ledger;
  /** The id of the next request; JSON-RPC ids are numbers that count up. */
  readonly nextId: () => number;
}
