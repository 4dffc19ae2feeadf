import type { HttpRequest } from '../exchange.ts';
import { readEnvelope } from '../traffic/envelope.ts';
import type { Binding } from './binding.ts';
import { type FrameFacts, protocolHeaders, withoutTenant, withQuery } from './frame.ts';

/** JSON-RPC 2.0 over HTTP (§9). The URL is the card's, to the letter. */
export const JSONRPC: Binding = { name: 'JSONRPC', mediaType: 'application/json', frame, read: readEnvelope };

function frame(facts: FrameFacts): HttpRequest {
  const { operation, id, signal, limits } = facts;
  const { tenant, url } = facts.interface;
  const params = withoutTenant(facts.params);
  return {
    method: 'POST',
    url: withQuery(url, facts.placement.query),
    headers: { ...protocolHeaders(facts), 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: operation.name,
      params: tenant === undefined ? params : { ...params, tenant },
    }),
    limits,
    ...(signal !== undefined && { signal }),
  };
}
