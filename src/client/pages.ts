import type { ListTasksRequest, ListTasksResponse } from '../schema/generated/types-1.0.ts';
import { broken, createTicket, GuardError, toFindings } from '../ticket.ts';
import type { AgentContext } from './context.ts';
import { agentFacts } from './ticket-facts.ts';

/** One page when awaited, and all pages when iterated. */
export type TaskPages = Promise<ListTasksResponse> & AsyncIterable<ListTasksResponse>;

/**
 * Makes the answer of `listTasks`. Pages are fetched as they are asked for.
 * @throws GuardError when a page token comes a second time: the list would never end.
 */
export function createPages(
  context: AgentContext,
  params: ListTasksRequest,
  fetchPage: (params: ListTasksRequest) => Promise<ListTasksResponse>,
): TaskPages {
  const first = fetchPage(params);
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator<ListTasksResponse, void, undefined> {
      const seen = new Set<string>();
      for (let page = await first; ; ) {
        yield page;
        const { nextPageToken: token } = page;
        if (!token) return;
        if (seen.has(token) || seen.size + 1 >= context.options.limits.pages) throw endless(context);
        seen.add(token);
        page = await fetchPage({ ...params, pageToken: token });
      }
    },
  });
}

function endless(context: AgentContext): GuardError {
  const message = 'nextPageToken is one that the list had before; a reader of pages would never end.';
  const ticket = createTicket(
    {
      ...agentFacts(context),
      layer: 'traffic',
      direction: 'incoming',
      code: 'InvalidAgentResponseError',
      operation: 'ListTasks',
      outcome: 'answered',
      findings: toFindings([{ id: 'page-token', path: '/nextPageToken', message }], broken),
    },
    context.options.limits.findings,
  );
  context.emit(ticket);
  return new GuardError(ticket);
}
