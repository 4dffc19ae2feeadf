import { isGuardError, type Ticket } from 'a2a-guard';
import type { Ending } from './behaviours.ts';

/** Counts how calls end, and holds the tickets that were thrown against those that were reported. */
export interface Tally {
  /** For the `onTicket` option. */
  report(ticket: Ticket): void;
  /** Runs one call to its end. `limitMs` is the time that it may take. */
  run(name: string, wanted: Ending, limitMs: number, call: () => Promise<unknown>): Promise<void>;
  /** How many calls ended in which way. */
  readonly counts: Counts;
  /** What does not hold, as sentences. */
  faults(): string[];
}

export interface Counts {
  calls: number;
  values: number;
  tickets: number;
  /** Tickets about something that was delivered all the same. */
  warnings: number;
  /** Calls that were answered well and failed: the call before broke their connection, or the machine was busy. */
  unlucky: number;
  /** Milliseconds by which the latest call passed its limit. */
  latestMs: number;
}

/** Milliseconds that a busy machine may add to a limit. */
const SLACK_MS = 5_000;
/** The part of the calls that may be unlucky. */
const UNLUCKY_SHARE = 0.05;
const MAX_SENTENCES = 10;

/** What a call can suffer that is not its own agent's doing. */
const isUnlucky = ({ layer, findings }: Ticket): boolean =>
  layer === 'transport' || findings.some(({ id }) => id === 'rpc-id');

/** Waits for a call, but not for ever: one that is lost is no ticket, and is said. */
async function within<T>(call: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lost = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it never ended')), ms);
  });
  try {
    return await Promise.race([call, lost]);
  } finally {
    clearTimeout(timer);
  }
}

export function createTally(): Tally {
  const counts: Counts = { calls: 0, values: 0, tickets: 0, warnings: 0, unlucky: 0, latestMs: 0 };
  /** Tickets that were reported and not thrown yet; each call takes its own out. */
  const open = new Set<string>();
  const seen = { reported: 0, sentences: 0 };
  const sentences: string[] = [];
  const complain = (sentence: string): void => {
    seen.sentences += 1;
    if (sentences.length < MAX_SENTENCES) sentences.push(sentence);
  };

  function endWithTicket(name: string, wanted: Ending, error: unknown): void {
    if (!isGuardError(error)) {
      complain(`"${name}" ended in no ticket: ${String(error)}`);
      return;
    }
    counts.tickets += 1;
    if (!open.delete(error.ticket.id)) complain(`"${name}" threw a ticket that was not reported, or not just once.`);
    if (wanted === 'ticket') return;
    if (isUnlucky(error.ticket)) counts.unlucky += 1;
    else complain(`"${name}" was refused: ${error.message}`);
  }

  return {
    counts,
    report(ticket) {
      seen.reported += 1;
      if (ticket.severity === 'warn') counts.warnings += 1;
      else if (open.has(ticket.id)) complain(`The ticket ${ticket.id} was reported twice.`);
      else open.add(ticket.id);
    },
    async run(name, wanted, limitMs, call) {
      const startedAt = performance.now();
      counts.calls += 1;
      try {
        await within(call(), limitMs + 2 * SLACK_MS);
        counts.values += 1;
        if (wanted === 'ticket') complain(`"${name}" ended in a value.`);
      } catch (error) {
        endWithTicket(name, wanted, error);
      }
      const late = Math.round(performance.now() - startedAt - limitMs);
      counts.latestMs = Math.max(counts.latestMs, late);
      if (late > SLACK_MS) complain(`"${name}" ended ${late} ms after its limit.`);
    },
    faults() {
      const { calls, values, tickets, warnings, unlucky } = counts;
      if (values + tickets !== calls) complain(`${calls} calls ended in ${values} values and ${tickets} tickets.`);
      if (seen.reported !== tickets + warnings)
        complain(`${seen.reported} tickets were reported; ${tickets} were thrown, and ${warnings} were warnings.`);
      if (open.size > 0) complain(`${open.size} tickets were reported and never thrown.`);
      if (unlucky > calls * UNLUCKY_SHARE) complain(`${unlucky} of ${calls} calls were answered well and failed.`);
      const more = seen.sentences - sentences.length;
      return more > 0 ? [...sentences, `${more} more of the kind.`] : [...sentences];
    },
  };
}
