import { findTicket, type Ticket } from '../ticket.ts';
import { RemoteError } from '../traffic/remote-error.ts';
import { type ExitStatus, StatusError, statusOfTicket } from './exit-status.ts';
import { writeFindings } from './findings-text.ts';
import type { Format } from './flags.ts';
import type { Session } from './io.ts';
import { NEXT_MOVES, OPTIONS_OF_CHECK } from './next-moves.ts';
import type { Paper } from './paper.ts';
import { toJson } from './printable.ts';

const LABEL_WIDTH = 9;

/** Characters of the agent's own words that are shown at most. */
const MAX_WORDS = 500;

/** A ticket for people: what failed and where, what was found, whose move it is. */
export function writeTicket(ticket: Ticket, paper: Paper): void {
  const { layer, code, message, findings, next, blocked, severity } = ticket;
  const isWarning = severity === 'warn';
  paper.text(`${layer} / ${code}`, {
    label: isWarning ? 'warning' : blocked ? 'refused' : 'failed',
    labelTone: isWarning ? 'odd' : 'bad',
    labelWidth: LABEL_WIDTH,
    tone: 'strong',
  });
  if (!findings.some((finding) => finding.message === message)) paper.text(message, { indent: LABEL_WIDTH });
  writeFindings(findings, paper, LABEL_WIDTH);
  const options = findings[0] === undefined ? undefined : OPTIONS_OF_CHECK[findings[0].id];
  if (options !== undefined) paper.text(options, { label: 'option', labelTone: 'quiet', labelWidth: LABEL_WIDTH });
  paper.text(`${next}: ${NEXT_MOVES[next]}`, { label: 'next', labelTone: 'quiet', labelWidth: LABEL_WIDTH });
}

/** One ticket on stderr, in the format of the command. */
export function reportTicket(ticket: Ticket, format: Format, { err, io }: Session): void {
  if (format === 'json') io.stderr.write(`${toJson(ticket)}\n`);
  else writeTicket(ticket, err);
}

/**
 * Says why a target or a call came to nothing, and with what status.
 * @throws whatever is neither a ticket nor a StatusError.
 */
export function writeFailure(error: unknown, format: Format, session: Session): ExitStatus {
  const ticket = findTicket(error);
  if (ticket !== undefined) {
    reportTicket(ticket, format, session);
    return statusOfTicket(ticket);
  }
  if (!(error instanceof StatusError)) throw error;
  session.err.text(error.message, { label: 'a2a-guard:' });
  return error.status;
}

/** The agent's own words on its error, which a ticket leaves out. */
export function writeRemoteWords(error: unknown, { err }: Session): void {
  const { cause } = error as { readonly cause?: unknown };
  if (!(cause instanceof RemoteError) || cause.message === '') return;
  err.text(cause.message.slice(0, MAX_WORDS), { label: 'it says', labelTone: 'quiet', labelWidth: LABEL_WIDTH });
}
