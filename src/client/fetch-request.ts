import { OPERATIONS, type Operation } from '../call/operations.ts';
import { remembered } from '../remembered.ts';
import { isObject } from '../schema/scalars.ts';
import { parseUrl } from '../schema/url.ts';
import type { Fault } from '../ticket.ts';
import type { AgentContext } from './context.ts';
import { matchPath, type Route } from './known-agents.ts';

/** A request as `fetch` was given it. */
export interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
  readonly url: URL;
  readonly method: string;
}

/** One A2A call that was found in a request. */
export interface FoundCall {
  readonly operation: Operation;
  readonly params: unknown;
  /** The JSON-RPC id; bindings without one have an empty text. */
  readonly id: string | number;
  /** What is wrong with the frame of the request. */
  readonly faults: readonly Fault[];
}

/** Clients call the same few addresses; nobody changes these objects. */
const parsed = remembered((text) => ({ url: parseUrl(text) }));

/** Reads what a fetch is about, without touching its body. Undefined for what `fetch` itself will refuse. */
export function readFetchCall(input: string | URL | Request, init: RequestInit | undefined): FetchCall | undefined {
  const request = typeof Request === 'function' && input instanceof Request ? input : undefined;
  const { url } = parsed(request?.url ?? String(input));
  if (url === undefined) return undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  return { input, init, url, method };
}

/** The headers of a call, by lower-case name, whichever of the three forms they have. The caller's object is not touched. */
export function readHeaders({ input, init }: FetchCall): Readonly<Record<string, string>> {
  const source = init?.headers ?? (input instanceof Request ? input.headers : undefined);
  return source === undefined ? {} : Object.fromEntries(new Headers(source as HeadersInit));
}

/** The text of a request body that can be read again: undefined when there is none, null when it cannot be peeked at. */
export function peekBody({ input, init }: FetchCall): string | null | undefined {
  const body = init?.body ?? undefined;
  if (body === undefined) return input instanceof Request && input.body !== null ? null : undefined;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  if (body instanceof ArrayBuffer) return new TextDecoder().decode(new Uint8Array(body));
  return null;
}

/** A call with the text of its body, in a form that can still be sent. */
export interface TakenCall {
  readonly text: string | undefined;
  readonly call: FetchCall;
}

/**
 * Reads a body that cannot be peeked at, and gives the call back in a form that can still be sent.
 */
export async function takeBody(call: FetchCall): Promise<TakenCall> {
  const { input, init } = call;
  if (init?.body !== undefined && init.body !== null) {
    const text = await new Response(init.body as BodyInit).text();
    return { text, call: { ...call, init: { ...init, body: text } } };
  }
  return { text: await (input as Request).clone().text(), call };
}

/** Methods of 0.3 that no other protocol has: MCP too knows `tasks/get` and `tasks/cancel`. */
const TELLING_METHODS: ReadonlySet<string> = new Set(
  (OPERATIONS as readonly Operation[]).flatMap(({ name, legacy }) => [
    name,
    ...(legacy === undefined || /^tasks\/(?:get|cancel)$/.test(legacy.method) ? [] : [legacy.method]),
  ]),
);

/** Whether a request looks like an A2A call: by the JSON-RPC method in its body, or by method and path. */
export function looksLikeA2A({ method, url }: FetchCall, body: string | undefined): boolean {
  if (method === 'POST' && body !== undefined && isTellingCall(body)) return true;
  const path = /\/(?:message:(?:send|stream)|tasks\/[^/]+:(?:cancel|subscribe)|extendedAgentCard)$/.exec(
    url.pathname,
  )?.[0];
  return path !== undefined && matchPath('1.0', method, path) !== undefined;
}

/** Parses only what may hold the member `jsonrpc`: as it is written, or in escapes, which mean the same to readers. */
function isTellingCall(body: string): boolean {
  const mayHold = body.includes('"jsonrpc"') || body.includes('\\u');
  return mayHold && TELLING_METHODS.has(String(methodOf(parse(body))));
}

/** A body as JSON; undefined where there is none, or none that can be read. */
export function parse(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const methodOf = (body: unknown): unknown => (isObject(body) ? body.method : undefined);

/**
 * The A2A call in a request to a declared interface; undefined for a JSON-RPC method that is no operation of A2A.
 * `body` is the text as JSON.
 */
export function findCall(
  route: Exclude<Route, { kind: 'other-version' }>,
  { call, text }: TakenCall,
  body: unknown,
): FoundCall | undefined {
  return route.kind === 'rpc' ? findRpcCall(body) : findHttpCall(route, call, text ? body : {});
}

const SEND = OPERATIONS[0] as Operation;

function findRpcCall(body: unknown): FoundCall | undefined {
  const unreadable = (message: string): FoundCall => ({
    operation: SEND,
    params: {},
    id: '',
    faults: [{ id: Array.isArray(body) ? 'rpc-batch' : 'rpc-version', path: '', message }],
  });
  if (Array.isArray(body)) return unreadable('The request is a batch, which A2A does not have.');
  if (!isObject(body)) return unreadable('The body of the request is not a JSON-RPC object.');
  const byMethod = (OPERATIONS as readonly Operation[]).find(({ name, legacy }) =>
    [name, legacy?.method].includes(methodOf(body) as string),
  );
  if (byMethod === undefined) return undefined;
  const faults: Fault[] = [];
  if (body.jsonrpc !== '2.0')
    faults.push({ id: 'rpc-version', path: '/jsonrpc', message: 'The request has no "jsonrpc": "2.0".' });
  const id = body.id;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (!hasId)
    faults.push({ id: 'rpc-id', path: '/id', message: 'The request has no id, so its answer could not be matched.' });
  return { operation: byMethod, params: body.params ?? {}, id: hasId ? id : '', faults };
}

/** The id of a JSON-RPC request, empty where it has none; undefined for any other body. */
export function readRpcFrame(text: string | undefined): { readonly id: string | number } | undefined {
  const body = parse(text);
  if (!isObject(body) || !Object.hasOwn(body, 'jsonrpc')) return undefined;
  return { id: typeof body.id === 'string' || typeof body.id === 'number' ? body.id : '' };
}

/** The protocol version whose name the method of a JSON-RPC request is; undefined for any other body. */
export function dialectOf(body: unknown): '1.0' | '0.3' | undefined {
  const method = methodOf(body);
  const operation = (OPERATIONS as readonly Operation[]).find(
    ({ name, legacy }) => method !== undefined && [name, legacy?.method].includes(method as string),
  );
  if (operation === undefined) return undefined;
  return operation.name === method ? '1.0' : '0.3';
}

function findHttpCall(route: Extract<Route, { kind: 'http' }>, { url }: FetchCall, sent: unknown): FoundCall {
  if (!isObject(sent)) {
    const fault: Fault = { id: 'value-type', path: '', message: 'The body of the request is not a JSON object.' };
    return { operation: route.operation, params: {}, id: '', faults: [fault] };
  }
  const keys = apiKeysInQuery(route.context);
  const query = [...url.searchParams]
    .filter(([name]) => !keys.has(name))
    .map(([name, text]) => [name, fromQuery(name, text)]);
  const params = { ...Object.fromEntries(query), ...sent, ...route.pathParams };
  return { operation: route.operation, params, id: '', faults: [] };
}

/** Query members that are credentials of the card's schemes, not params. */
function apiKeysInQuery({ profile }: AgentContext): ReadonlySet<string> {
  const schemes = [...profile.schemes.values()];
  return new Set(
    schemes.flatMap((scheme) => (scheme.kind === 'apiKey' && scheme.location === 'query' ? [scheme.name] : [])),
  );
}

/** Flags ride in a query as text. */
function fromQuery(name: string, text: string): unknown {
  return name === 'includeArtifacts' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
