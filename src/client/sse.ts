import { createParser } from 'eventsource-parser';
import { ExchangeError } from '../exchange.ts';
import { byteLength } from '../schema/bytes.ts';

/** One server-sent event. */
export interface SseEvent {
  readonly data: string;
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** How a stream ended: between two events, or inside one, which is not delivered. */
export type SseEnd = 'whole' | 'truncated';

/**
 * Splits bytes into server-sent events. Those of one chunk come together, because a turn of the microtask queue for each
 * would cost more than reading it. Comments and events without data are nothing. One chunk of events is held at most.
 * @throws ExchangeError when one event, or what may become one, is larger than `eventBytes`; the events before it come
 * first.
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  eventBytes: number,
): AsyncGenerator<readonly SseEvent[], SseEnd, undefined> {
  const lines = createLineReader();
  let ready: SseEvent[] = [];
  const parser = createParser({
    onEvent({ data, event, id }) {
      if (data !== '') ready.push({ data, name: event, id });
    },
  });
  for await (const chunk of chunks) {
    parser.feed(lines.read(chunk));
    const events = ready;
    ready = [];
    const large = events.findIndex(({ data }) => byteLength(data, eventBytes) > eventBytes);
    const fitting = large === -1 ? events : events.slice(0, large);
    if (fitting.length > 0) yield fitting;
    if (large !== -1 || lines.held > eventBytes) {
      throw new ExchangeError('size', true, `an event is larger than ${eventBytes} bytes`);
    }
  }
  return lines.isOpen ? 'truncated' : 'whole';
}

interface LineReader {
  /** The text of a chunk with LF at the end of each line, whatever the stream has. */
  read(chunk: Uint8Array): string;
  /** Whether an event has begun that no blank line has ended yet. */
  readonly isOpen: boolean;
  /** Bytes that the parser holds: of the open event, or of a comment that has not ended. */
  readonly held: number;
}

/** Decodes a stream and follows its lines: only a blank line ends an event, and a lone CR is a line end at once. */
function createLineReader(): LineReader {
  const decoder = new TextDecoder('utf-8');
  let afterCr = false;
  let atLineStart = true;
  let isOpen = false;
  let held = 0;
  const follow = (text: string): void => {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      if (atLineStart && end === at) {
        isOpen = false;
        held = 0;
      } else if (atLineStart && text[at] !== ':') {
        isOpen = true;
      }
      const next = end === -1 ? text.length : end + 1;
      held = !isOpen && end !== -1 ? 0 : held + (next - at);
      atLineStart = end !== -1;
      at = next;
    }
  };
  return {
    read(chunk) {
      const decoded = decoder.decode(chunk, { stream: true });
      const text = afterCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
      if (decoded !== '') afterCr = decoded.endsWith('\r');
      const unified = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
      follow(unified);
      return unified;
    },
    get isOpen() {
      return isOpen;
    },
    get held() {
      return held;
    },
  };
}

/** An event as it stands in a stream. */
export function writeEvent({ data, name, id }: SseEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}`);
  return [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    ...lines,
    '',
    '',
  ].join('\n');
}
