import { Agent as Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { createUndiciClient } from '../src/client/undici.ts';
import { ExchangeError, type HttpRequest, type HttpStream } from '../src/exchange.ts';
import { startServer } from './support/server.ts';

const network = { allowLoopback: true, allowPrivate: true, allowInsecure: true };
const limits = { responseBytes: 1000, headersMs: 5000, idleMs: 5000, totalMs: 5000 };
const post = (url: string): HttpRequest => ({ method: 'POST', url, headers: {}, body: 'x', limits });

async function drain({ chunks }: HttpStream): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it came to an end'),
    (error: unknown) => error,
  );

describe('a stream that is cancelled', () => {
  it.each([
    ['while it is read', true],
    ['before it is read', false],
  ])('%s ends in an ExchangeError, and closes the connection', async (_, whileReading) => {
    let closed = 0;
    const server = await startServer((_request, response) => {
      response.on('close', () => (closed += 1));
      response.writeHead(200).write('begin');
    });
    const client = createUndiciClient({ connectMs: 1000, network });
    const stream = await client.stream(post(server.origin));
    const reading = whileReading ? drain(stream) : undefined;
    await new Promise((resolve) => setTimeout(resolve, 20));
    stream.cancel();
    stream.cancel();
    const error = await failureOf(reading ?? drain(stream));
    expect(error).toBeInstanceOf(ExchangeError);
    expect(error).toMatchObject({ failure: 'aborted', sent: true });
    await expect.poll(() => closed).toBe(1);
    await client.close?.();
    await server.close();
  });

  it('after it has ended leaves what was read as it is', async () => {
    const server = await startServer((_, response) => void response.writeHead(200).end('all'));
    const client = createUndiciClient({ connectMs: 1000, network });
    const stream = await client.stream(post(server.origin));
    expect(await drain(stream)).toBe('all');
    stream.cancel();
    await client.close?.();
    await server.close();
  });
});

describe('a dispatcher that does not say when it begins', () => {
  const aborted: unknown[] = [];
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason: Error) => void aborted.push(reason),
    pause: () => {},
    resume: () => {},
  };

  it.each([
    ['breaks', 10, 'network'],
    ['says too much', 2000, 'size'],
  ])('%s after an answer began: that was sent, and it is told to stop', async (_, bytes, failure) => {
    aborted.length = 0;
    const pool = new Pool();
    const dispatcher = pool.compose(() => (_options, handler) => {
      handler.onResponseStart?.(controller, 200, {});
      handler.onResponseData?.(controller, Buffer.alloc(bytes));
      handler.onResponseError?.(controller, new Error('broken'));
      return true;
    });
    const client = createUndiciClient({ connectMs: 1000, network, dispatcher });
    expect(await failureOf(client.request(post('http://127.0.0.1:1/')))).toMatchObject({ failure, sent: true });
    expect(aborted).toHaveLength(failure === 'size' ? 1 : 0);
    await pool.close();
  });
});
