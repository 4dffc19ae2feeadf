import { shapesOfOperation } from '../call/operations.ts';
import type { HttpRequest } from '../exchange.ts';
import { readEnvelope } from '../traffic/envelope.ts';
import type { Binding } from './binding.ts';
import { type FrameFacts, protocolHeaders, withoutTenant, withQuery } from './frame.ts';

/** JSON-RPC 2.0 over HTTP (§9). The URL is the card's, to the letter. */
export const JSONRPC: Binding = { name: 'JSONRPC', mediaType: 'application/json', frame, read: readEnvelope };

function frame(facts: FrameFacts): HttpRequest {
  const { operation, id, signal, limits } = facts;
  const { tenant, url, version } = facts.interface;
  const rest = withoutTenant(facts.params);
  const params = tenant === undefined || version !== '1.0' ? rest : { ...rest, tenant };
  const method = version === '1.0' ? operation.name : operation.legacy?.method;
  const takesParams = shapesOfOperation(operation, version).params !== undefined;
  const headers = protocolHeaders(facts);
  headers['content-type'] = 'application/json';
  return {
    method: 'POST',
    url: withQuery(url, facts.placement.query),
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: takesParams ? params : undefined }),
    limits,
    ...(signal !== undefined && { signal }),
  };
}
