import type { Agent } from 'a2a-guard';
import { ANSWERS, deckOf, STREAMS, type StreamName } from './behaviours.ts';
import type { Tally } from './tally.ts';

/** Calls that are under way at once, beside the streams. */
const AT_ONCE = 64;
const ANSWER_DECK = deckOf(ANSWERS);
const STREAM_DECK = deckOf(STREAMS);

export interface Times {
  /** The total time of a call. */
  readonly callMs: number;
  /** The time of a stream from its start to its end. */
  readonly streamMs: number;
}

export interface Load {
  readonly agent: Agent;
  readonly tally: Tally;
  readonly times: Times;
  /** A signal that outlives all calls, and is given to some of them. */
  readonly signal: AbortSignal;
}

const asking = (
  text: string,
): { readonly message: { messageId: string; role: 'ROLE_USER'; parts: { text: string }[] } } => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
});

/** The calls from one number up to another. */
export async function makeCalls({ agent, tally, times, signal }: Load, from: number, to: number): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) {
      const index = next++;
      const name = ANSWER_DECK[index % ANSWER_DECK.length] as keyof typeof ANSWERS;
      const options = index % 3 === 0 ? { signal } : {};
      await tally.run(name, ANSWERS[name].ends, times.callMs, () =>
        index % 7 === 0 ? agent.getTask({ id: `${name}#${index}` }, options) : agent.sendMessage(asking(name), options),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Streams, all at once; `allOpen` is called when each has shown its first event. Returns how many were open then. */
export async function openStreams({ agent, tally, times }: Load, count: number, allOpen: () => void): Promise<number> {
  let open = 0;
  let begun = 0;
  let peak = 0;
  const follow = async (name: StreamName): Promise<void> => {
    const stop = new AbortController();
    const events = agent.sendStreamingMessage(asking(name), { signal: stop.signal, timeoutMs: times.streamMs });
    let isOpen = false;
    const begin = (): void => {
      begun += 1;
      if (begun === count) allOpen();
    };
    try {
      for await (const { statusUpdate } of events) {
        if (!isOpen) {
          isOpen = true;
          open += 1;
          peak = Math.max(peak, open);
          begin();
          if (name === 'is stopped by the caller') setTimeout(() => stop.abort(), times.streamMs / 4);
        }
        if (statusUpdate !== undefined && name === 'is left by the caller') break;
      }
    } finally {
      if (isOpen) open -= 1;
      else begin();
    }
  };
  const streams = Array.from({ length: count }, (_, index) => {
    const name = STREAM_DECK[index % STREAM_DECK.length] as StreamName;
    return tally.run(name, STREAMS[name].ends, times.streamMs, () => follow(name));
  });
  await Promise.all(streams);
  return peak;
}
