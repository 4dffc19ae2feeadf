/**
 * The pure half: no `node:` module, no undici, no code generation. It judges cards and values anywhere JavaScript runs;
 * to call agents, give it a client.
 */
import { assembleGuard, type Guard } from './guard.ts';
import type { GuardOptions } from './options.ts';

/**
 * Makes a guard without a client of its own. `discover` and the calls of its agents need `options.client`;
 * `options.bundle` needs the main entry, which can compile schemas.
 * @throws TypeError that quotes the option.
 */
export function createGuard(options?: GuardOptions): Guard {
  return assembleGuard(options, {});
}

export type { Credential, Credentials } from './call/credentials.ts';
export { OPERATIONS, type OperationName } from './call/operations.ts';
export type { Verdict } from './call/verdict.ts';
export { canonicalCard } from './card/canonical.ts';
export type { CapabilityReport, Plan } from './card/capability.ts';
export { type Migration, type Move, migrateCard } from './card/migrate.ts';
export type { CardReport, SchemaError } from './card/report.ts';
export type { ChosenInterface, Considered, Spoken } from './card/select.ts';
export type { SignaturePolicy, SignatureState } from './card/signatures.ts';
export type { SpecCheckResult } from './card/spec-results.ts';
export {
  CHECKS,
  type Check,
  type CheckId,
  LAYER_FACTS,
  LAYERS,
  type Layer,
  type Preset,
  type Severity,
} from './checks.ts';
export type { AdmitOptions, Agent } from './client/agent.ts';
export type { CallOptions } from './client/call-options.ts';
export type { SessionOptions } from './client/session.ts';
export { A2A_ERRORS, type A2AErrorName, GUARD_CODES, type TicketCode } from './errors.ts';
export type {
  Client,
  ExchangeFailure,
  ExchangeLimits,
  HttpAnswer,
  HttpRequest,
  HttpResponse,
  HttpStream,
} from './exchange.ts';
export { ExchangeError } from './exchange.ts';
export type { CheckCardOptions, CheckOptions, DiscoverOptions, Guard } from './guard.ts';
export { DEFAULT_CACHE, DEFAULT_LIMITS, DEFAULT_RETRY } from './option-defaults.ts';
export type {
  CacheOptions,
  GuardOptions,
  Limits,
  NetworkOptions,
  RetryOptions,
  SignatureOptions,
  SignedHeader,
} from './options.ts';
export type {
  AgentCard,
  AgentInterface,
  AgentSkill,
  Artifact,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  JsonValue,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  Part,
  Role,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Struct,
  SubscribeToTaskRequest,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
} from './schema/generated/types-1.0.ts';
export {
  type Finding,
  findTicket,
  GuardError,
  isGuardError,
  type Outcome,
  type Ticket,
  type TicketNext,
} from './ticket.ts';
export { type ErrorDetail, RemoteError } from './traffic/remote-error.ts';
export { type TaskPhase, taskPhase } from './traffic/task-phase.ts';
export { toV1 } from './traffic/to-v1.ts';
