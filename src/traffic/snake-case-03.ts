import { shapesOf } from '../schema/fields.ts';
import { joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';

/** Fields that 0.3's proto alone has. */
const PROTO_FIELDS = ['pushNotification', 'fileWithUri', 'fileWithBytes', 'configId'];

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The snake_case names of the fields of 0.3, each with its JSON name. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...[...shapesOf('0.3').messages.values()].flatMap(({ fields }) => [...fields.keys()]), ...PROTO_FIELDS]
    .filter((name) => /[A-Z]/.test(name))
    .map((name) => [toSnakeCase(name), name]),
);

/** Members whose content is the caller's own. */
const FREE = ['metadata', 'data'];

/**
 * Objects of 0.3 are open, but readers of it take a field by its snake_case name as well: what would slip past the rules
 * under such a name does not go out.
 */
export function checkSnakeCase03(value: unknown, path = '', depth = 8): Fault[] {
  if (depth < 1) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => checkSnakeCase03(item, joinPath(path, index), depth - 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = joinPath(path, key);
    const name = NAMES.get(key);
    if (name === undefined) return FREE.includes(key) ? [] : checkSnakeCase03(member, place, depth - 1);
    const message = `${placeOf(place)} is written in snake_case; write ${name}.`;
    return [{ id: 'value-unknown-key' as const, path: place, keyword: 'additionalProperties', message }];
  });
}
