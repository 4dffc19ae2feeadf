import type { Credentials } from '../call/credentials.ts';
import { resolveOperation } from '../call/operations.ts';
import { checkNames, object } from '../option-checks.ts';
import { checkCredentials } from '../option-rules.ts';
import { callUnary } from './call.ts';
import type { AgentContext } from './context.ts';

export interface SessionOptions {
  /** Credentials of this session by scheme name, beside those of the guard and in place of those of the same name. */
  readonly credentials: Credentials;
  readonly signal?: AbortSignal;
}

/**
 * Opens a session: the same agent with these credentials. Where the card declares an extended card it is fetched, judged
 * like any card, and takes the place of the public one in this session only (§3.1.11).
 */
export async function openSession(context: AgentContext, options: SessionOptions): Promise<AgentContext> {
  object(options, 'session');
  checkNames(options, ['credentials', 'signal'], 'session');
  const { credentials, signal } = options;
  checkCredentials(credentials, 'session.credentials');
  const session = await context.openSession({ ...credentials });
  if (session.profile.flags.extendedAgentCard !== true) return session;
  const call = signal === undefined ? {} : { signal };
  const card = await callUnary(session, resolveOperation('GetExtendedAgentCard'), {}, call);
  return context.openSession({ ...credentials }, card as object);
}
