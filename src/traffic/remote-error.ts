import { A2A_ERROR_ROWS, type A2AErrorRow, type TicketCode } from '../errors.ts';
import { isObject, isShallow } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';

/** A well-formed error that the agent answered with, in whichever of its published shapes. */
export interface RemoteErrorFacts {
  readonly code: TicketCode;
  /** The integer code on the wire, of a JSON-RPC error. */
  readonly jsonRpcCode?: number;
  readonly reason?: string;
  /** The agent's own words. They stay out of tickets. */
  readonly message: string;
  /** Error details as the agent sent them. */
  readonly data?: unknown;
}

/** One object among the details of an error; which members it has depends on its `@type`. */
export interface ErrorDetail {
  readonly '@type'?: unknown;
  /** Of google.rpc.ErrorInfo: what went wrong, as a constant of its domain. */
  readonly reason?: unknown;
  readonly domain?: unknown;
  readonly metadata?: unknown;
  readonly [member: string]: unknown;
}

const MAX_DETAILS = 20;
/** Levels that error details may nest; deeper ones are left out, because whoever logs them would fall over them. */
const MAX_DETAIL_DEPTH = 32;

/** The agent's error as the `cause` of a GuardError: its own words and details, which the ticket leaves out. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: TicketCode;
  readonly jsonRpcCode: number | undefined;
  readonly data: unknown;
  /** Error details: objects such as google.rpc.ErrorInfo, at most 20. */
  readonly details: readonly ErrorDetail[];

  constructor(facts: RemoteErrorFacts) {
    super(facts.message);
    this.code = facts.code;
    this.jsonRpcCode = facts.jsonRpcCode;
    this.data = facts.data;
    this.details = (Array.isArray(facts.data) ? facts.data : [facts.data]).filter(isObject).slice(0, MAX_DETAILS);
  }
}

const DOMAIN = 'a2a-protocol.org';
const PROBLEM_TYPE = /^https?:\/\/a2a-protocol\.org\/(?:[^?#]*\/)?errors\/([a-z-]+)$/;

const byCode = (code: number): A2AErrorRow | undefined => A2A_ERROR_ROWS.find((row) => row.jsonRpcCode === code);
const byReason = (reason: string): A2AErrorRow | undefined =>
  A2A_ERROR_ROWS.find(
    (row) =>
      row.reason ===
      reason
        .toUpperCase()
        .replaceAll('-', '_')
        .replace(/_ERROR$/, ''),
  );

/** The one error that an HTTP status can mean; undefined where several share it. */
function byStatus(status: number): A2AErrorRow | undefined {
  const rows = A2A_ERROR_ROWS.filter((row) => row.reason !== undefined && row.httpStatus.includes(status));
  return rows.length === 1 ? rows[0] : undefined;
}

/** `ErrorInfo.reason` of A2A's domain among error details, which are a list, or in older agents one object. */
function findReason(details: unknown): string | undefined {
  const list = Array.isArray(details) ? details : [details];
  const info = list.find(
    (item) => isObject(item) && typeof item.reason === 'string' && (item.domain ?? DOMAIN) === DOMAIN,
  );
  return isObject(info) ? String(info.reason) : undefined;
}

/**
 * Reads an error body: a JSON-RPC error, the google.rpc.Status of the HTTP+JSON binding, the bare code and message of 0.3,
 * a problem document, or a reason in place of the code. Undefined: there is no error in it that can be read. The name comes from the code, then
 * the reason, then the status; never from the words (§5.4).
 */
export function readRemoteError(body: unknown, httpStatus: number): RemoteErrorFacts | undefined {
  if (!isObject(body)) return undefined;
  if (isObject(body.error)) return readErrorObject(body.error, httpStatus);
  return Number.isInteger(body.code) ? readErrorObject(body, httpStatus) : readProblem(body);
}

const boundedDetails = (details: unknown): unknown => (isShallow(details, MAX_DETAIL_DEPTH) ? details : undefined);

function readErrorObject(error: Readonly<Record<string, unknown>>, httpStatus: number): RemoteErrorFacts | undefined {
  const { code, message } = error;
  if (typeof message !== 'string') return undefined;
  const data = boundedDetails(error.data ?? error.details);
  const reason = typeof code === 'string' ? code : findReason(data);
  const known = reason === undefined ? undefined : byReason(reason);
  const facts = { message, ...(data !== undefined && { data }), ...(reason !== undefined && { reason }) };
  if (typeof code === 'string') return known && { ...facts, code: known.name as TicketCode };
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined;
  if (typeof error.status === 'string' || code === httpStatus) {
    const row = known ?? byStatus(code);
    return { ...facts, code: (row?.name ?? 'JsonRpcError') as TicketCode };
  }
  const row = byCode(code) ?? known;
  return { ...facts, jsonRpcCode: code, code: (row?.name ?? 'JsonRpcError') as TicketCode };
}

function readProblem(body: Readonly<Record<string, unknown>>): RemoteErrorFacts | undefined {
  const slug = typeof body.type === 'string' ? PROBLEM_TYPE.exec(body.type)?.[1] : undefined;
  const row = slug === undefined ? undefined : byReason(slug);
  if (row === undefined) return undefined;
  const message = [body.detail, body.title].find((text) => typeof text === 'string') ?? row.name;
  return {
    code: row.name as TicketCode,
    message: String(message),
    data: boundedDetails(body),
    ...(row.reason && { reason: row.reason }),
  };
}

/** The error for an operation whose flag is not set, and the one that contradicts a flag that is (§3.3.4). */
const ERROR_OF_FLAG: Readonly<
  Record<string, { readonly undeclared: TicketCode; readonly contradicts?: TicketCode; readonly instead?: TicketCode }>
> = {
  streaming: { undeclared: 'UnsupportedOperationError' },
  pushNotifications: {
    undeclared: 'PushNotificationNotSupportedError',
    contradicts: 'PushNotificationNotSupportedError',
  },
  extendedAgentCard: {
    undeclared: 'UnsupportedOperationError',
    contradicts: 'UnsupportedOperationError',
    instead: 'ExtendedAgentCardNotConfiguredError',
  },
};

/** Whether an agent's error is the one that the specification has for what its card does or does not declare. */
export function checkRemoteCode(flag: string | undefined, declared: boolean | undefined, code: TicketCode): Fault[] {
  const row = flag === undefined ? undefined : ERROR_OF_FLAG[flag];
  if (row === undefined) return [];
  const fault = (message: string): Fault[] => [{ id: 'remote-wrong-error', path: '', message }];
  if (declared !== true) {
    return code === row.undeclared
      ? []
      : fault(`The card does not declare ${flag}; the specification has ${row.undeclared} for that, not ${code}.`);
  }
  if (code !== row.contradicts) return [];
  const instead = row.instead === undefined ? '' : ` If none is configured, the error is ${row.instead}.`;
  return fault(`The card declares ${flag}, but the agent answers ${code}.${instead}`);
}
