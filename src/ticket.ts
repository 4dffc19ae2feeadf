import { type CheckId, findCheck, LAYERS, type Layer, type Severity } from './checks.ts';
import { jsonRpcCodeOf, type TicketCode } from './errors.ts';

/** One thing that is wrong, at one place. */
export interface Finding {
  readonly id: CheckId;
  readonly layer: Layer;
  readonly severity: 'error' | 'warn';
  /** JSON Pointer (RFC 6901) to the member itself, extra, missing or wrong; "" is the root. */
  readonly path: string;
  /** JSON Schema keyword where there is one, else the id of the check. */
  readonly keyword: string;
  readonly message: string;
  readonly hint?: string;
  /** Section of the A2A 1.0 specification. */
  readonly spec?: string;
}

/** What a judge found, before preset and rules give it a severity. */
export interface Fault {
  readonly id: CheckId;
  readonly path: string;
  readonly message: string;
  readonly keyword?: string;
  readonly hint?: string;
  /** Set where the judge, not the table of checks, decides. */
  readonly severity?: Severity;
}

/** Decides the severity of a fault. */
export type Grade = (fault: Fault) => Severity;

/** The grade of what leaves nothing to deliver: no rule can make it a warning. */
export const broken: Grade = () => 'error';

export type Outcome = 'not-sent' | 'unknown' | 'answered';

export type TicketNext =
  | 'fix-card'
  | 'fix-request'
  | 'fix-response'
  | 'choose-agent'
  | 'authenticate'
  | 'retry'
  | 'check-network'
  | 'none';

/** The record of one failure: plain JSON, frozen, without message text, part contents, credentials or URL queries. */
export interface Ticket {
  readonly kind: 'a2a-failure-ticket';
  readonly v: 1;
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly layer: Layer;
  /** Which way the value that failed was going; set at layer traffic. */
  readonly direction?: 'outgoing' | 'incoming';
  readonly code: TicketCode;
  /** The code of the A2A error, or the one that the agent sent. */
  readonly jsonRpcCode?: number;
  readonly httpStatus?: number;
  readonly severity: 'error' | 'warn';
  /** True: refused here, and nothing was sent. */
  readonly blocked: boolean;
  readonly message: string;
  /** At most 20. */
  readonly findings: readonly Finding[];
  readonly operation?: string;
  readonly agent?: {
    readonly name?: string;
    readonly version?: string;
    readonly cardUrl?: string;
    readonly cardSha256?: string;
  };
  readonly interface?: {
    readonly url: string;
    readonly binding: string;
    readonly version: string;
    readonly tenant?: string;
  };
  readonly taskId?: string;
  readonly contextId?: string;
  readonly messageId?: string;
  readonly rpcId?: string | number;
  /** Trace id of the `traceparent` header that the caller gave (W3C Trace Context). */
  readonly traceId?: string;
  /** Whether the same call may succeed later without a change by anyone. */
  readonly retryable: boolean;
  /** How long the agent asked to wait, in milliseconds (Retry-After). */
  readonly retryAfterMs?: number;
  /** What the agent asks to authenticate with (WWW-Authenticate): scheme and realm. */
  readonly challenges?: readonly { readonly scheme: string; readonly realm?: string }[];
  readonly attempts?: number;
  readonly durationMs?: number;
  /** Whether the agent can have acted: `unknown` after a broken exchange. */
  readonly outcome?: Outcome;
  readonly next: TicketNext;
}

export type TicketFacts = Omit<
  Ticket,
  'kind' | 'v' | 'id' | 'time' | 'jsonRpcCode' | 'findings' | 'message' | 'severity' | 'retryable' | 'next' | 'blocked'
> & {
  readonly findings?: readonly Finding[];
  readonly message?: string;
  readonly jsonRpcCode?: number;
  readonly severity?: 'error' | 'warn';
  readonly retryable?: boolean;
  readonly next?: TicketNext;
  readonly blocked?: boolean;
};

/** The code of a finding that the specification, or the guard, has an own name for. */
const CODE_BY_CHECK: Readonly<Partial<Record<CheckId, TicketCode>>> = {
  'capability-streaming': 'UnsupportedOperationError',
  'capability-push': 'PushNotificationNotSupportedError',
  'capability-extended-card': 'UnsupportedOperationError',
  'capability-extension': 'ExtensionSupportRequiredError',
  'capability-credentials': 'CredentialsMissingError',
  'interface-dialect': 'MethodNotFoundError',
  'media-type': 'ContentTypeNotSupportedError',
  'task-failed': 'TaskFailed',
  'task-rejected': 'TaskRejected',
};

/** The code of every other finding, by its layer; traffic depends on the direction. */
const CODE_BY_LAYER: Readonly<Record<Exclude<Layer, 'traffic'>, TicketCode>> = {
  discovery: 'CardUnreachableError',
  parse: 'CardParseError',
  schema: 'CardSchemaError',
  spec: 'CardSpecError',
  trust: 'UntrustedCardError',
  interface: 'NoMutualInterfaceError',
  capability: 'UnsupportedOperationError',
  transport: 'TransportError',
  agent: 'JsonRpcError',
};

/** The name that a ticket has when this finding leads it. */
export function codeOf(finding: Finding, direction: 'outgoing' | 'incoming'): TicketCode {
  if (finding.id === 'task-terminal' && direction === 'outgoing') return 'UnsupportedOperationError';
  const own = CODE_BY_CHECK[finding.id];
  if (own !== undefined) return own;
  if (finding.layer !== 'traffic') return CODE_BY_LAYER[finding.layer];
  return direction === 'outgoing' ? 'InvalidParamsError' : 'InvalidAgentResponseError';
}

/** Findings that one ticket, and one list of findings, carries at most. */
export const MAX_FINDINGS = 20;

const NEXT_BY_LAYER: Readonly<Record<Layer, TicketNext>> = {
  discovery: 'check-network',
  parse: 'fix-card',
  schema: 'fix-card',
  spec: 'fix-card',
  trust: 'fix-card',
  interface: 'choose-agent',
  capability: 'fix-request',
  traffic: 'fix-response',
  transport: 'check-network',
  agent: 'none',
};

/** Makes every ticket of the library; nothing else does. It has at most `maxFindings` findings, errors first. */
export function createTicket(facts: TicketFacts, maxFindings: number = MAX_FINDINGS): Ticket {
  const { layer, code, findings = [], ...rest } = facts;
  const jsonRpcCode = facts.jsonRpcCode ?? jsonRpcCodeOf(code);
  const outgoing = facts.direction === 'outgoing';
  const ticket: Ticket = {
    kind: 'a2a-failure-ticket',
    v: 1,
    id: globalThis.crypto.randomUUID(),
    time: new Date().toISOString(),
    severity: 'error',
    blocked: false,
    retryable: false,
    next: outgoing ? 'fix-request' : NEXT_BY_LAYER[layer],
    ...rest,
    layer,
    code,
    ...(jsonRpcCode !== undefined && { jsonRpcCode }),
    message: facts.message ?? (findings.find(isError) ?? findings[0])?.message ?? code,
    findings: capFindings(findings, maxFindings),
  };
  return freeze(ticket);
}

/** Freezes a JSON value to its leaves. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}

const BRAND = Symbol.for('a2a-guard.error');

/**
 * The one error class of the library. `message` is `[layer/code] sentence`; `ticket` holds the facts. Recognise it with
 * {@link isGuardError}, which works across copies of the package.
 */
export class GuardError extends Error {
  override readonly name = 'GuardError';
  readonly layer: Layer;
  readonly code: TicketCode;
  readonly ticket: Ticket;

  constructor(ticket: Ticket, cause?: unknown) {
    super(`[${ticket.layer}/${ticket.code}] ${ticket.message}`, cause === undefined ? undefined : { cause });
    this.layer = ticket.layer;
    this.code = ticket.code;
    this.ticket = ticket;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** True for a GuardError of any copy of this package. */
export function isGuardError(error: unknown): error is GuardError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}

/** Causes that are followed at most, so that a cycle ends. */
const MAX_CAUSES = 16;

/** The ticket of an error, or of the nearest GuardError among its causes; undefined when there is none. */
export function findTicket(error: unknown): Ticket | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    if (isGuardError(current)) return current.ticket;
    current = (current as { cause?: unknown }).cause;
  }
  return undefined;
}

/** Turns faults into findings: drops what is off, adds layer, hint and section from the table of checks. */
export function toFindings(faults: readonly Fault[], grade: Grade): Finding[] {
  const findings: Finding[] = [];
  for (const fault of faults) {
    const severity = grade(fault);
    if (severity === 'off') continue;
    const check = findCheck(fault.id);
    if (check === undefined) throw new Error(`no check "${fault.id}"`);
    findings.push({
      id: fault.id,
      layer: check.layer,
      severity: severity === 'error' ? 'error' : 'warn',
      path: fault.path,
      keyword: fault.keyword ?? fault.id,
      message: fault.message,
      hint: fault.hint ?? check.hint,
      spec: check.section,
    });
  }
  return findings;
}

/** At most `max` findings in their order; errors are kept before warnings, so that a flood of these hides none of those. */
export function capFindings(findings: readonly Finding[], max: number): readonly Finding[] {
  if (findings.length <= max) return findings;
  const kept = new Set([...findings.filter(isError), ...findings.filter((finding) => !isError(finding))].slice(0, max));
  return findings.filter((finding) => kept.has(finding));
}

/** Whether a finding stops what it was found in. */
export function isError(finding: Finding): boolean {
  return finding.severity === 'error';
}

/** Sorts findings by layer, keeping the order within one. */
export function byLayer(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer));
}
