import { ExchangeError, type HttpResponse, onAbort } from '../exchange.ts';
import type { RetryPolicy } from '../options.ts';
import { readRetryAfter } from '../traffic/response-headers.ts';

/** Whether the same request may succeed later than an answer of this HTTP status. */
export function isRetryableStatus(status: number): boolean {
  return [408, 429, 502, 503, 504].includes(status);
}

export interface RetryFacts {
  readonly policy: RetryPolicy;
  /** Whether the same request may arrive twice without doing something twice. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Lets go of an answer in whose place another is asked for. */
  readonly discard?: (answer: HttpResponse) => void;
  /** Milliseconds that all attempts have together, where the caller set them; else `policy.totalMs` counts alone. */
  readonly timeoutMs: number | undefined;
}

/** An answer that asks for another try. */
class Again extends Error {
  readonly answer: HttpResponse;
  constructor(answer: HttpResponse) {
    super('the answer asks for another try');
    this.answer = answer;
  }
}

/** Loaded when something failed, once: what goes well does not wait for it. */
let pRetries: Promise<typeof import('p-retry')> | undefined;

/**
 * Sends once, and again after failures that may pass: connections that failed and answers of 408, 429, 502, 503 and 504
 * for what may be repeated; for everything else only what certainly never left. Waits longer each time, with jitter, and
 * as long as `Retry-After` says if that is within the budget.
 * @throws what the last attempt threw; the last answer is returned whatever its status.
 */
export async function withRetries<T extends HttpResponse>(
  { policy, repeatable, signal, timeoutMs, discard }: RetryFacts,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + Math.min(policy.totalMs, timeoutMs ?? policy.totalMs);
  let last: unknown;
  const once = async (number: number): Promise<T> => {
    if (last instanceof Again) discard?.(last.answer);
    const answer = await attempt(number);
    if (repeatable && isRetryableStatus(answer.status)) throw new Again(answer);
    return answer;
  };
  const wants = (error: unknown): boolean => error instanceof Again || mayPass(error, repeatable);
  try {
    return await once(1);
  } catch (error) {
    last = error;
  }
  // A signal of its own: p-retry listens once a call, and one that many calls share would have many listeners.
  const own = new AbortController();
  const leave = onAbort(signal, () => own.abort(signal?.reason));
  try {
    if (policy.attempts === 1 || !wants(last)) throw last;
    pRetries ??= import('p-retry');
    const { default: pRetry } = await pRetries;
    return await pRetry((number) => (number === 1 ? Promise.reject(last) : once(number)), {
      retries: policy.attempts - 1,
      minTimeout: policy.delayMs,
      maxTimeout: Math.max(policy.delayMs, policy.maxDelayMs),
      randomize: true,
      maxRetryTime: Math.max(0, endsAt - performance.now()),
      signal: own.signal,
      shouldRetry: ({ error }) => wants(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        last = error;
        const wait = error instanceof Again && retriesLeft > 0 ? askedWait(error.answer) : 0;
        if (wait >= endsAt - performance.now()) throw error;
        if (wait > 0) await pause(wait, signal);
      },
    });
  } catch (error) {
    if (error instanceof Again) return error.answer as T;
    if (error !== last && signal?.aborted) throw stopped(last, signal);
    throw error;
  } finally {
    leave();
  }
}

/** A failure to connect passes for everybody; a connection that broke later only for what may be repeated. */
function mayPass(error: unknown, repeatable: boolean): boolean {
  if (!(error instanceof ExchangeError)) return false;
  if (!error.sent) return error.failure === 'network' || error.failure === 'timeout';
  return repeatable && error.failure === 'network';
}

function askedWait(answer: HttpResponse): number {
  return readRetryAfter(answer.header('retry-after'), Date.now()) ?? 0;
}

/** Stopped between two attempts: what the last one did counts. */
function stopped(last: unknown, signal: AbortSignal): ExchangeError {
  const sent = !(last instanceof ExchangeError) || last.sent;
  return new ExchangeError('aborted', sent, 'the caller stopped the call', signal.reason);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let leave = (): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      leave = onAbort(signal, () => reject(signal?.reason));
    });
  } finally {
    clearTimeout(timer);
    leave();
  }
}
