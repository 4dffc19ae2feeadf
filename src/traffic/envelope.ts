import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { type RemoteErrorFacts, readRemoteError } from './remote-error.ts';

/** What one JSON-RPC response turned out to be. */
export type Envelope =
  | { readonly kind: 'result'; readonly result: unknown; readonly faults: readonly Fault[] }
  | { readonly kind: 'error'; readonly error: RemoteErrorFacts; readonly faults: readonly Fault[] }
  | { readonly kind: 'broken'; readonly faults: readonly Fault[] };

const MEMBERS = new Set(['jsonrpc', 'id', 'result', 'error']);

const broken = (fault: Omit<Fault, 'path'>): Envelope => ({ kind: 'broken', faults: [{ path: '', ...fault }] });

const isSet = (body: Readonly<Record<string, unknown>>, key: string): boolean =>
  Object.hasOwn(body, key) && body[key] !== null && body[key] !== undefined;

/** Judges the frame of a JSON-RPC response: version, id by value and type, exactly one of result and error (§9). */
export function readEnvelope(body: unknown, id: string | number, httpStatus: number): Envelope {
  if (Array.isArray(body)) {
    return broken({ id: 'rpc-batch', message: 'The answer is a batch; one request has one answer.' });
  }
  if (!isObject(body)) return broken({ id: 'rpc-version', message: 'The answer is not a JSON-RPC 2.0 object.' });
  const hasResult = isSet(body, 'result');
  const hasError = isSet(body, 'error');
  if (hasResult && hasError) {
    return broken({ id: 'rpc-result-or-error', message: 'The answer has both a result and an error.' });
  }
  if (!hasResult && !Object.hasOwn(body, 'result')) return readErrorEnvelope(body, id, httpStatus);
  if (hasError) return readErrorEnvelope(body, id, httpStatus);
  if (body.jsonrpc !== '2.0') return broken({ id: 'rpc-version', message: 'The answer has no "jsonrpc": "2.0".' });
  if (!Object.hasOwn(body, 'id') || body.id !== id) return broken(foreignId(body));
  return { kind: 'result', result: body.result, faults: checkMembers(body) };
}

function foreignId(body: Readonly<Record<string, unknown>>): Omit<Fault, 'path'> {
  const state = Object.hasOwn(body, 'id') ? 'another id than' : 'no id beside the result of';
  return { id: 'rpc-id', message: `The answer has ${state} the request; value and type must be the same.` };
}

function readErrorEnvelope(body: Readonly<Record<string, unknown>>, id: string | number, httpStatus: number): Envelope {
  const answered = Object.hasOwn(body, 'id') ? body.id : null;
  if (answered !== null && answered !== id) return broken(foreignId(body));
  const error = readRemoteError(body, httpStatus);
  if (error !== undefined) return { kind: 'error', error, faults: [] };
  const problem = isSet(body, 'error')
    ? 'The answer has an error that cannot be read: it needs an integer code and a message.'
    : 'The answer has neither a result nor an error.';
  return broken({ id: 'rpc-result-or-error', message: problem });
}

const isOther = (key: string): boolean => !MEMBERS.has(key);

const NOTHING: readonly Fault[] = [];

/** Members that are there for nothing; they harm nobody. */
function checkMembers(body: Readonly<Record<string, unknown>>): readonly Fault[] {
  const hasError = Object.hasOwn(body, 'error');
  const hasOther = Object.keys(body).some(isOther);
  if (!hasError && !hasOther) return NOTHING;
  const faults: Fault[] = [];
  if (hasError) {
    const message = 'The answer has "error": null beside its result; JSON-RPC has one of the two.';
    faults.push({ id: 'rpc-result-or-error', path: '', message, severity: 'warn' });
  }
  if (hasOther) {
    const message = 'The answer has a member that JSON-RPC does not define.';
    faults.push({ id: 'value-unknown-key', path: '', keyword: 'additionalProperties', message, severity: 'warn' });
  }
  return faults;
}
