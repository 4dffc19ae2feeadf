import type { ChosenInterface } from '../card/select.ts';
import { readProto03 } from './proto-03.ts';
import { paramsToV1, wrapV1 } from './to-v1.ts';
import { type View, viewAsIs } from './view.ts';

/** What decides how values are written on the wire. */
export type Writing = Pick<ChosenInterface, 'binding' | 'version'>;

/** Places of 1.0 that have another name in 0.3. */
const OLD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/mediaType$/, '/file/mimeType'],
  [/\/taskPushNotificationConfig(?=\/|$)/, '/pushNotificationConfig'],
];

const renamed = (path: string): string => OLD_NAMES.reduce((text, [from, to]) => text.replace(from, to), path);

/** A value as the definition of its version has it: as it came, but for HTTP+JSON of 0.3, which has two writings. */
export function viewAtPointer({ binding, version }: Writing, definition: string | undefined, value: unknown): View {
  return version === '0.3' && binding === 'HTTP+JSON' ? readProto03(definition, value) : viewAsIs(value);
}

/** A result or event for the rules: 0.3 has it bare, 1.0 in a wrapper. `bare` results (a task asked for) have none in either. */
export function viewResult(writing: Writing, definition: string | undefined, value: unknown, bare: boolean): View {
  if (writing.version === '1.0') return viewAsIs(value);
  const old = viewAtPointer(writing, definition, value);
  const { view, wrapper } = wrapV1(old.value);
  if (wrapper === undefined) return old;
  const inner = (view as Readonly<Record<string, unknown>>)[wrapper];
  const prefix = bare ? '' : `/${wrapper}`;
  const unwrapped = (path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
  return {
    ...old,
    value: bare ? inner : view,
    locate: (found) => old.locate({ ...found, path: renamed(unwrapped(found.path)) }),
  };
}

/** Params for the rules. */
export function viewParams(writing: Writing, definition: string | undefined, params: unknown): View {
  if (writing.version === '1.0') return viewAsIs(params);
  const old = viewAtPointer(writing, definition, params);
  return {
    ...old,
    value: paramsToV1(old.value),
    locate: (found) => old.locate({ ...found, path: renamed(found.path) }),
  };
}
