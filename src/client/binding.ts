import type { ChosenInterface } from '../card/select.ts';
import type { HttpRequest } from '../exchange.ts';
import type { Envelope } from '../traffic/envelope.ts';
import type { FrameFacts } from './frame.ts';
import { HTTP_JSON } from './http-json.ts';
import { JSONRPC } from './jsonrpc.ts';

/** How one binding puts calls on the wire and reads what comes back. All else is shared. */
export interface Binding {
  readonly name: string;
  /** The media type of its own beside application/json; answers in it raise no warning. */
  readonly mediaType: string;
  frame(facts: FrameFacts): HttpRequest;
  /** Reads one answer or event. */
  read(body: unknown, id: string | number, httpStatus: number): Envelope;
  /** What an answer without a body stands for; undefined where it is broken. */
  readonly emptyAnswer?: unknown;
}

const BINDINGS: readonly Binding[] = [JSONRPC, HTTP_JSON];

/** The binding of an interface that was selected. */
export function bindingOf({ binding }: ChosenInterface): Binding {
  const found = BINDINGS.find(({ name }) => name === binding);
  if (found === undefined) throw new Error(`no binding ${binding}`);
  return found;
}
