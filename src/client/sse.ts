import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ExchangeError } from '../exchange.ts';

/** What a stream of server-sent events holds, in order. */
export type SseItem =
  | {
      readonly kind: 'event';
      readonly data: string;
      readonly name: string | undefined;
      readonly id: string | undefined;
    }
  /** The stream ended inside an event, which is not delivered. */
  | { readonly kind: 'truncated' };

const CR = '\r';

/**
 * Splits bytes into server-sent events. Comments and events without data are nothing. One chunk of events is held at
 * most.
 * @throws ExchangeError when one event, or what may become one, is larger than `eventBytes`.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, eventBytes: number): AsyncGenerator<SseItem> {
  const decoder = new TextDecoder('utf-8');
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  let tail = '';
  let pending = 0;
  const feed = (text: string): void => {
    if (text === '') return;
    const before = ready.length;
    parser.feed(text);
    tail = (tail + text).slice(-TAIL);
    pending = ready.length > before || isAtBoundary(tail) ? 0 : pending + text.length;
    if (pending > eventBytes) throw new ExchangeError('size', true, `an event is larger than ${eventBytes} bytes`);
  };
  const take = function* (): Generator<SseItem> {
    for (const event of ready.splice(0)) {
      if (event.data === '') continue;
      if (event.data.length > eventBytes) {
        throw new ExchangeError('size', true, `an event is larger than ${eventBytes} bytes`);
      }
      yield { kind: 'event', data: event.data, name: event.event, id: event.id };
    }
  };
  for await (const chunk of chunks) {
    feed(decoder.decode(chunk, { stream: true }));
    yield* take();
  }
  feed(decoder.decode());
  if (tail.endsWith(CR)) feed('\n');
  yield* take();
  if (!isAtBoundary(tail)) yield { kind: 'truncated' };
}

/** An event as it stands in a stream. */
export function writeEvent({ data, name, id }: Extract<SseItem, { kind: 'event' }>): string {
  const lines = data.split('\n').map((line) => `data: ${line}`);
  return [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    ...lines,
    '',
    '',
  ].join('\n');
}

/** Characters of the stream's end that are kept to see whether it ended between two events. */
const TAIL = 256;

/** True when the stream may end here: nothing has come, a blank line was the last, or only a comment follows it. */
function isAtBoundary(tail: string): boolean {
  if (tail === '') return true;
  const lines = tail.split(/\r\n|\n|\r/);
  const last = lines.pop();
  if (last !== '') return last?.startsWith(':') === true && isSettled(lines);
  return isSettled(lines);
}

function isSettled(lines: readonly string[]): boolean {
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i] as string;
    if (line === '') return true;
    if (!line.startsWith(':')) return false;
  }
  return true;
}
