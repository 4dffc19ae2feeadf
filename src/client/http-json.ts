import { httpOf, namesInPath, shapesOfOperation } from '../call/operations.ts';
import type { HttpRequest } from '../exchange.ts';
import { withoutTrailingSlashes } from '../schema/url.ts';
import { viewAtPointer } from '../traffic/dialect.ts';
import type { Envelope } from '../traffic/envelope.ts';
import { readRemoteError } from '../traffic/remote-error.ts';
import type { Binding } from './binding.ts';
import { type FrameFacts, protocolHeaders, withoutTenant, withQuery } from './frame.ts';

const MEDIA_TYPE = 'application/a2a+json';
const JSON_TYPE = 'application/json';

/** HTTP+JSON (§11): the result is the body, an error is google.rpc.Status; in 0.3 it is a code with its message. */
export const HTTP_JSON: Binding = { name: 'HTTP+JSON', mediaType: MEDIA_TYPE, frame, read, emptyAnswer: {} };

function frame(facts: FrameFacts): HttpRequest {
  const { operation, signal, limits } = facts;
  const { url, tenant, version } = facts.interface;
  const http = httpOf(operation, version);
  if (http === undefined) throw new Error(`${operation.name} has no path in ${version}`);
  const [method, template] = http;
  const sent = withoutTenant(facts.params);
  const { params: definition } = shapesOfOperation(operation, version);
  const named = viewAtPointer(facts.interface, definition, sent).value as Readonly<Record<string, unknown>>;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(named[name])));
  const rest = new Map(Object.entries(sent));
  for (const name of namesInPath(http)) rest.delete(name);
  const isNew = version === '1.0';
  const mediaType = isNew ? MEDIA_TYPE : JSON_TYPE;
  const prefix = tenant === undefined || !isNew ? '' : `/${encodeURIComponent(textOf(tenant))}`;
  const target = `${withoutTrailingSlashes(url)}${prefix}${path}`;
  const query = method === 'POST' ? {} : queryOf(rest);
  return {
    method,
    url: withQuery(target, { ...query, ...facts.placement.query }),
    headers: {
      ...protocolHeaders(facts),
      accept: [...(operation.streams ? ['text/event-stream'] : []), ...(isNew ? [MEDIA_TYPE] : []), JSON_TYPE].join(
        ', ',
      ),
      ...(method === 'POST' && { 'content-type': mediaType }),
    },
    ...(method === 'POST' && { body: JSON.stringify(Object.fromEntries(rest)) }),
    limits,
    ...(signal !== undefined && { signal }),
  };
}

/** A value as a URL has it; a URL has no form for half a surrogate pair. */
function textOf(value: unknown): string {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Params that are not in the path ride in the query, by their JSON names (§11.5). */
function queryOf(params: ReadonlyMap<string, unknown>): Record<string, string> {
  const entries = [...params].filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]));
}

/** No result has a member `error`, so an error is one whatever the status is. */
function read(body: unknown, _id: string | number, httpStatus: number): Envelope {
  const error = readRemoteError(body, httpStatus);
  return error === undefined ? { kind: 'result', result: body, faults: [] } : { kind: 'error', error, faults: [] };
}
