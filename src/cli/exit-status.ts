import type { CheckId } from '../checks.ts';
import type { Ticket } from '../ticket.ts';

/** What the exit status says. With several targets the largest one wins. */
export const EXIT = {
  /** Everything holds. */
  ok: 0,
  /** A finding of severity error, or a call that was refused or failed. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Not found or unreachable. */
  unreachable: 3,
  /** Credentials are missing, or were not accepted. */
  credentials: 4,
  timeout: 5,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** An end of a command that is no ticket: a wrong value, a file that is not there. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: ExitStatus;

  constructor(status: ExitStatus, message: string) {
    super(message);
    this.status = status;
  }
}

const leads =
  (...ids: readonly CheckId[]) =>
  ({ findings }: Ticket): boolean =>
    ids.some((id) => findings[0]?.id === id);

/** The first row that fits a ticket decides; a ticket that fits none is a failure like any other. */
const STATUS_OF_TICKET: readonly { readonly status: ExitStatus; readonly fits: (ticket: Ticket) => boolean }[] = [
  {
    status: EXIT.credentials,
    fits: ({ code, httpStatus }) => code === 'CredentialsMissingError' || httpStatus === 401 || httpStatus === 403,
  },
  { status: EXIT.timeout, fits: leads('discovery-timeout', 'wire-timeout') },
  { status: EXIT.unreachable, fits: ({ layer }) => layer === 'discovery' },
  { status: EXIT.unreachable, fits: leads('wire-network') },
  { status: EXIT.unreachable, fits: ({ layer, httpStatus }) => layer === 'transport' && httpStatus === 404 },
];

export function statusOfTicket(ticket: Ticket): ExitStatus {
  return STATUS_OF_TICKET.find(({ fits }) => fits(ticket))?.status ?? EXIT.failed;
}

export function worseOf(a: ExitStatus, b: ExitStatus): ExitStatus {
  return a > b ? a : b;
}

/** Runs a step in which a TypeError means that a person gave a wrong value. */
export function asUsage<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof TypeError) throw new StatusError(EXIT.usage, sayOption(error.message));
    throw error;
  }
}

/** An option of the guard by the name that it has on the command line. */
function sayOption(message: string): string {
  return message.replace(/^rules\b/, '--rule').replace(/^discover: /, 'the URL: ');
}
