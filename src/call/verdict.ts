import type { Finding, Ticket } from '../ticket.ts';

/** May we? Findings with severity error forbid the call; notes are worth knowing and no fault. */
export interface Verdict {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly notes: readonly Finding[];
  /** The ticket that the call would be refused with. */
  readonly ticket?: Ticket;
}
