import { type Command, InvalidArgumentError, Option } from 'commander';
import { hostOf, reachOf } from '../card/address.ts';
import type { CallOptions } from '../client/call-options.ts';
import { type Agent, createGuard, type SendMessageRequest, type SendMessageResponse, taskPhase } from '../index.ts';
import type { StreamResponse } from '../schema/generated/types-1.0.ts';
import { findTicket } from '../ticket.ts';
import { writeEvent } from './answer-text.ts';
import { asUsage, EXIT, type ExitStatus, StatusError, statusOfTicket } from './exit-status.ts';
import { addGuardFlags, type GuardFlags, splitPair, toGuardOptions } from './flags.ts';
import type { Session } from './io.ts';
import { toJson } from './printable.ts';
import { locateTyped } from './target.ts';
import { reportTicket, writeFailure, writeRemoteWords } from './ticket-text.ts';

interface SendFlags extends GuardFlags {
  readonly stream?: boolean;
  readonly skill?: string;
  readonly context?: string;
  readonly task?: string;
  /** Names of environment variables by the name of the scheme. */
  readonly credential?: Readonly<Record<string, string>>;
}

const AFTER = `
A secret is read from the environment variable that --credential names, and is
sent only where the card asks for it.
--format json prints the wire's result; with --stream one event a line.
Tickets, one for each failure or oddity, are on stderr.

Examples:
  a2a-guard send https://agents.example.com "What is on invoice 17?"
  a2a-guard send https://agents.example.com "Report, please" --stream
  a2a-guard send https://agents.example.com "Yes" --task t-1 --context c-1
  TOKEN=... a2a-guard send https://agents.example.com "Hi" \\
    --credential bearer=TOKEN

Exit status: 0 answered; 1 refused or failed, also when the task ended FAILED,
REJECTED or CANCELED; 2 usage; 3 not found or unreachable; 4 credentials;
5 time-out.`;

export function addSendCommand(program: Command, session: Session, finish: (status: ExitStatus) => void): void {
  const command = program
    .command('send')
    .summary('send a message to an agent, if its card allows it')
    .description('Finds an agent, checks its card, sends it a text and prints the checked answer.')
    .argument('<url>', 'URL of the agent or of its card')
    .argument('<text>', 'what to say');
  addGuardFlags(command)
    .option('--stream', 'follow the task and print each event as it comes')
    .option('--skill <id>', 'the skill that is meant: its media types and security count')
    .option('--context <id>', 'the context that the message continues')
    .option('--task <id>', 'the task that the message continues')
    .addOption(
      new Option('--credential <scheme=variable>', 'scheme of the card, environment variable; repeatable').argParser(
        collectCredential,
      ),
    )
    .addHelpText('after', AFTER)
    .action(async (url: string, text: string, flags: SendFlags) => finish(await runSend(url, text, flags, session)));
}

async function runSend(url: string, text: string, flags: SendFlags, session: Session): Promise<ExitStatus> {
  const { url: cardUrl } = locateTyped(url, flags.exact === true);
  const isLocal = ['loopback', 'unspecified'].includes(reachOf(hostOf(cardUrl)));
  const credentials = readCredentials(flags.credential ?? {}, session.io.env);
  const guard = asUsage(() =>
    createGuard({
      ...toGuardOptions(flags, isLocal),
      credentials,
      onTicket: (ticket) => reportTicket(ticket, flags.format, session),
    }),
  );
  try {
    const agent = await guard.discover(url, { exact: flags.exact === true });
    return await converse(agent, toParams(text, flags), flags, session);
  } catch (error) {
    return endWith(error, flags, session);
  } finally {
    await guard.close();
  }
}

function toParams(text: string, { context, task }: SendFlags): SendMessageRequest {
  return {
    message: {
      messageId: globalThis.crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: [{ text, mediaType: 'text/plain' }],
      ...(context !== undefined && { contextId: context }),
      ...(task !== undefined && { taskId: task }),
    },
  };
}

async function converse(
  agent: Agent,
  params: SendMessageRequest,
  { stream, skill, timeout, format }: SendFlags,
  session: Session,
): Promise<ExitStatus> {
  const call: CallOptions = {
    ...(skill !== undefined && { skillId: skill }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  };
  if (!stream) {
    const answer = await agent.sendMessage(params, call);
    writeAnswer(answer, format, 2, session);
    return statusOf(answer) ?? EXIT.ok;
  }
  let status: ExitStatus = EXIT.ok;
  for await (const event of agent.sendStreamingMessage(params, call)) {
    writeAnswer(event, format, undefined, session);
    status = statusOf(event) ?? status;
    if (session.io.stdout.closed) break;
  }
  return status;
}

type Answer = SendMessageResponse | StreamResponse;

function writeAnswer(answer: Answer, format: GuardFlags['format'], indent: number | undefined, session: Session): void {
  if (format === 'json') session.io.stdout.write(`${toJson(answer, indent)}\n`);
  else writeEvent(answer, session.out);
}

const ENDED_BADLY: readonly string[] = ['failed', 'rejected', 'canceled'];

/** What the state in an answer or event says about the call; undefined when it names none. */
function statusOf(answer: Answer): ExitStatus | undefined {
  const { task, statusUpdate } = answer as Partial<Record<'task' | 'statusUpdate', object>>;
  const holder = task ?? statusUpdate;
  if (holder === undefined || holder === null) return undefined;
  return ENDED_BADLY.includes(taskPhase(holder)) ? EXIT.failed : EXIT.ok;
}

/** The ticket of a GuardError was reported when it was made; the rest is said here. */
function endWith(error: unknown, { format }: SendFlags, session: Session): ExitStatus {
  const ticket = findTicket(error);
  if (ticket === undefined) return writeFailure(error, format, session);
  if (format === 'text') writeRemoteWords(error, session);
  return statusOfTicket(ticket);
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The value is not shown: who puts the secret itself here must not find it in a log. */
function collectCredential(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [scheme, variable] = splitPair(text, 'scheme=VARIABLE, for example bearer=TOKEN');
  if (!VARIABLE.test(variable)) {
    throw new InvalidArgumentError('Expected the name of an environment variable, not the secret itself.');
  }
  return { ...earlier, [scheme]: variable };
}

function readCredentials(
  variables: Readonly<Record<string, string>>,
  env: Session['io']['env'],
): Readonly<Record<string, string>> {
  const entries = Object.entries(variables).map(([scheme, variable]) => {
    const secret = Object.hasOwn(env, variable) ? env[variable] : undefined;
    if (secret !== undefined && secret !== '') return [scheme, secret] as const;
    const message = `--credential ${scheme}: the environment variable that it names is not set.`;
    throw new StatusError(EXIT.credentials, message);
  });
  return Object.fromEntries(entries);
}
