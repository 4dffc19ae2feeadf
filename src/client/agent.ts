import { type OperationName, resolveOperation } from '../call/operations.ts';
import type { Verdict } from '../call/verdict.ts';
import type { CardReport } from '../card/report.ts';
import type { ChosenInterface, Considered } from '../card/select.ts';
import { checkNames } from '../option-checks.ts';
import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '../schema/generated/types-1.0.ts';
import { admit } from './admission.ts';
import { callStream, callUnary } from './call.ts';
import { type CallOptions, resolveCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import { createPages, type TaskPages } from './pages.ts';
import { openSession, type SessionOptions } from './session.ts';
import { snapshot } from './snapshot.ts';

export interface AdmitOptions {
  /** The skill that is meant: its media types and security requirements count. */
  readonly skillId?: string;
}

/**
 * An agent whose card holds. Every method admits the call first and sends nothing that the card does not allow; what
 * comes back is checked before it is returned, and returned as it came.
 *
 * Every method rejects with GuardError, and with TypeError for wrong arguments.
 */
export interface Agent {
  /** The card as it came, frozen. */
  readonly card: AgentCard;
  readonly report: CardReport;
  /** The interface that calls go to. */
  readonly interface: ChosenInterface;
  /** Why each interface of the card was or was not chosen, in card order. */
  readonly considered: readonly Considered[];
  /** May we? Judges an operation and its params by the card. Pure: nothing is sent and no ticket is logged. */
  admit(operation: OperationName | (string & {}), params?: unknown, options?: AdmitOptions): Verdict;
  /** Sends a message and returns the task or message that it led to (§3.1.1). */
  sendMessage(params: SendMessageRequest, call?: CallOptions): Promise<SendMessageResponse>;
  /** Sends a message and follows the task. Nothing is sent before the first event is asked for (§3.1.2). */
  sendStreamingMessage(params: SendMessageRequest, call?: CallOptions): AsyncGenerator<StreamResponse, void, undefined>;
  getTask(params: GetTaskRequest, call?: CallOptions): Promise<Task>;
  /** One page when awaited; all pages, fetched as they are asked for, with `for await` (§3.1.4). */
  listTasks(params?: ListTasksRequest, call?: CallOptions): TaskPages;
  cancelTask(params: CancelTaskRequest, call?: CallOptions): Promise<Task>;
  /** Follows a task that is there already. Nothing is sent before the first event is asked for (§3.1.6). */
  subscribeToTask(params: SubscribeToTaskRequest, call?: CallOptions): AsyncGenerator<StreamResponse, void, undefined>;
  createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
    call?: CallOptions,
  ): Promise<TaskPushNotificationConfig>;
  getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    call?: CallOptions,
  ): Promise<TaskPushNotificationConfig>;
  listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    call?: CallOptions,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  deleteTaskPushNotificationConfig(params: DeleteTaskPushNotificationConfigRequest, call?: CallOptions): Promise<void>;
  /** The card for authenticated clients, judged like any card (§3.1.11). */
  getExtendedAgentCard(params?: GetExtendedAgentCardRequest, call?: CallOptions): Promise<AgentCard>;
  /**
   * The same agent with credentials of its own: for one user, say. The extended card, where the card declares one, counts
   * in this session only; an answer of 401 ends it. Nothing of it is shared with other sessions.
   * @throws GuardError when the extended card cannot be had or does not hold.
   */
  session(options: SessionOptions): Promise<Agent>;
  /**
   * Calls an operation by the method name of either dialect: `message/send` and `SendMessage` are the same.
   * @returns a promise, or an async iterable for the two streaming operations.
   * @throws TypeError for a name that is no operation.
   */
  call(
    method: OperationName | (string & {}),
    params?: unknown,
    call?: CallOptions,
  ): Promise<unknown> | AsyncGenerator<unknown, void, undefined>;
}

/** Makes the agent of a card that was judged. */
export function createAgent(context: AgentContext): Agent {
  const unary =
    (name: OperationName) =>
    (params?: unknown, call?: CallOptions): Promise<never> =>
      callUnary(context, resolveOperation(name), params, call) as Promise<never>;
  const stream =
    (name: OperationName) =>
    (params: unknown, call?: CallOptions): AsyncGenerator<StreamResponse, void, undefined> =>
      callStream(context, resolveOperation(name), params, call) as AsyncGenerator<StreamResponse, void, undefined>;
  const listPage = unary('ListTasks');
  const deleteConfig = unary('DeleteTaskPushNotificationConfig');
  return Object.freeze({
    card: context.card,
    report: context.report,
    interface: context.interface,
    considered: context.considered,
    admit(method: string, params: unknown = {}, options: AdmitOptions = {}): Verdict {
      checkNames(options, ['skillId'], 'admit');
      return admit(context, resolveOperation(method), snapshot(params), resolveCall(options));
    },
    sendMessage: unary('SendMessage'),
    sendStreamingMessage: stream('SendStreamingMessage'),
    getTask: unary('GetTask'),
    listTasks: (params: ListTasksRequest = {}, call?: CallOptions): TaskPages =>
      createPages(context, params, (page) => listPage(page, call)),
    cancelTask: unary('CancelTask'),
    subscribeToTask: stream('SubscribeToTask'),
    createTaskPushNotificationConfig: unary('CreateTaskPushNotificationConfig'),
    getTaskPushNotificationConfig: unary('GetTaskPushNotificationConfig'),
    listTaskPushNotificationConfigs: unary('ListTaskPushNotificationConfigs'),
    deleteTaskPushNotificationConfig: async (params: unknown, call?: CallOptions): Promise<void> => {
      await deleteConfig(params, call);
    },
    getExtendedAgentCard: unary('GetExtendedAgentCard'),
    session: async (options: SessionOptions): Promise<Agent> => createAgent(await openSession(context, options)),
    call(method: string, params?: unknown, call?: CallOptions) {
      const operation = resolveOperation(method);
      return operation.streams
        ? callStream(context, operation, params, call)
        : callUnary(context, operation, params, call);
    },
  });
}
