import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import { type Agent, createGuard } from '../dist/index.js';
import { makeMessage, makeOpenCard } from './payloads.ts';

const PARAMS = { message: { ...makeMessage(), taskId: '', contextId: '' } };

/** Reads a stream to its end, every event judged; says how many there were. */
export async function readGuarded(agent: Agent): Promise<number> {
  let events = 0;
  for await (const event of agent.sendStreamingMessage(PARAMS)) if (event !== null) events += 1;
  return events;
}

/** Reads a stream with eventsource-parser and JSON.parse alone; says how many events there were. */
export async function readBare(url: string): Promise<number> {
  let events = 0;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: PARAMS });
  const headers = { accept: 'text/event-stream', 'a2a-version': '1.0', 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', headers, body });
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (JSON.parse(data) !== null) events += 1;
    },
  });
  for await (const chunk of answer.body) parser.feed(decoder.decode(chunk, { stream: true }));
  return events;
}

/** An agent whose streams are these. */
export function meetStream(url: string): Promise<Agent> {
  return createGuard({ network: { allowLoopback: true } }).agent(makeOpenCard(url));
}
