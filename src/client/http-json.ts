import type { HttpRequest } from '../exchange.ts';
import { withoutTrailingSlashes } from '../schema/url.ts';
import type { Envelope } from '../traffic/envelope.ts';
import { readRemoteError } from '../traffic/remote-error.ts';
import type { Binding } from './binding.ts';
import { type FrameFacts, protocolHeaders, withoutTenant, withQuery } from './frame.ts';

const MEDIA_TYPE = 'application/a2a+json';

/** HTTP+JSON (§11): the result is the body, an error is google.rpc.Status. */
export const HTTP_JSON: Binding = { name: 'HTTP+JSON', mediaType: MEDIA_TYPE, frame, read, emptyAnswer: {} };

function frame(facts: FrameFacts): HttpRequest {
  const { operation, signal, limits } = facts;
  const { url, tenant } = facts.interface;
  const [method, template] = operation.http;
  const rest = new Map(Object.entries(withoutTenant(facts.params)));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const prefix = tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  const target = `${withoutTrailingSlashes(url)}${prefix}${path}`;
  const query = method === 'POST' ? {} : queryOf(rest);
  return {
    method,
    url: withQuery(target, { ...query, ...facts.placement.query }),
    headers: {
      ...protocolHeaders(facts),
      accept: operation.streams
        ? `text/event-stream, ${MEDIA_TYPE}, application/json`
        : `${MEDIA_TYPE}, application/json`,
      ...(method === 'POST' && { 'content-type': MEDIA_TYPE }),
    },
    ...(method === 'POST' && { body: JSON.stringify(Object.fromEntries(rest)) }),
    limits,
    ...(signal !== undefined && { signal }),
  };
}

/** Params that are not in the path ride in the query, by their JSON names (§11.5). */
function queryOf(params: ReadonlyMap<string, unknown>): Record<string, string> {
  const entries = [...params].filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** No result has a member `error`, so an error is one whatever the status is. */
function read(body: unknown, _id: string | number, httpStatus: number): Envelope {
  const error = readRemoteError(body, httpStatus);
  return error === undefined ? { kind: 'result', result: body, faults: [] } : { kind: 'error', error, faults: [] };
}
