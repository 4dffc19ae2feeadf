/**
 * The agent that is measured against, in a process of its own: `/task/<size>` answers with the task of that size, and
 * `/stream/<events>` with a stream of that many events. It judges nothing, so that it is never what is waited for.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVENT, FIRST_EVENT, LAST_EVENT, OPENING_EVENT, TASKS } from './payloads.ts';

const RESULTS = new Map(Object.entries(TASKS).map(([size, task]) => [size, JSON.stringify(task)]));

/** Events that are written at once. */
const BATCH = 64;

const frame = (id: unknown, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

function answer(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

async function stream(response: ServerResponse, id: unknown, events: number): Promise<void> {
  // Every stream is one of another task: one that has ended does not come back.
  const toEvent = (result: object): string =>
    `data: ${frame(id, JSON.stringify(result).replaceAll('"t-1"', `"t-${id}"`))}\n\n`;
  const piece = toEvent(EVENT);
  const batch = Buffer.from(piece.repeat(BATCH));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(toEvent(FIRST_EVENT) + toEvent(OPENING_EVENT));
  for (let sent = 0; sent < events; sent += BATCH) {
    const part = events - sent >= BATCH ? batch : Buffer.from(piece.repeat(events - sent));
    if (!response.write(part)) await once(response, 'drain');
  }
  response.end(toEvent(LAST_EVENT));
}

const server = createServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { id } = JSON.parse(Buffer.concat(pieces).toString()) as { id: unknown };
  const [, kind = '', what = ''] = decodeURIComponent(request.url ?? '').split('/');
  if (kind === 'stream') return stream(response, id, Number(what));
  answer(response, frame(id, RESULTS.get(what) ?? 'null'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
