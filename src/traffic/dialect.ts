import type { ProtocolVersion } from '../schema/fields.ts';
import type { Fault } from '../ticket.ts';
import { paramsToV1, wrapV1 } from './to-v1.ts';

/** An answer or event as the rules see it, and how to name its places in the wire's own shape. */
export interface View {
  readonly value: unknown;
  readonly locate: (fault: Fault) => Fault;
}

const asIs = (fault: Fault): Fault => fault;

/** Places of 1.0 that have another name in 0.3. */
const OLD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/mediaType$/, '/file/mimeType'],
  [/\/taskPushNotificationConfig(?=\/|$)/, '/pushNotificationConfig'],
];

const renamed = (path: string): string => OLD_NAMES.reduce((text, [from, to]) => text.replace(from, to), path);

/** A result or event for the rules: 0.3 has it bare, 1.0 in a wrapper. `bare` results (a task asked for) have none in either. */
export function viewResult(version: ProtocolVersion, value: unknown, bare: boolean): View {
  if (version === '1.0') return { value, locate: asIs };
  const { view, wrapper } = wrapV1(value);
  if (wrapper === undefined) return { value, locate: asIs };
  const inner = (view as Readonly<Record<string, unknown>>)[wrapper];
  const prefix = bare ? '' : `/${wrapper}`;
  return {
    value: bare ? inner : view,
    locate: (fault) => ({
      ...fault,
      path: renamed(fault.path.startsWith(prefix) ? fault.path.slice(prefix.length) : fault.path),
    }),
  };
}

/** Params for the rules. */
export function viewParams(version: ProtocolVersion, params: unknown): View {
  if (version === '1.0') return { value: params, locate: asIs };
  return { value: paramsToV1(params), locate: (fault) => ({ ...fault, path: renamed(fault.path) }) };
}
