import { type MessageShape, SHAPES } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';

export type Json = Readonly<Record<string, unknown>>;

function shapeOf(message: string): MessageShape {
  const shape = SHAPES.messages.get(message);
  if (shape === undefined) throw new Error(`no message ${message}`);
  return shape;
}

/**
 * Reads a field of a card object by its 1.0 name or its proto name; null and missing are both undefined. Every check
 * of the card reads fields here, so that a snake_case card is judged for what it says.
 */
export function readField(message: string, value: Json, name: string): unknown {
  const own = Object.hasOwn(value, name) ? value[name] : undefined;
  if (own !== undefined && own !== null) return own;
  const field = shapeOf(message).fields.get(name);
  if (field === undefined) throw new Error(`${message} has no field ${name}`);
  const { alias } = field;
  return (alias !== undefined && Object.hasOwn(value, alias) ? value[alias] : undefined) ?? undefined;
}

/** The name under which a field stands in the object: its proto name when only that is there. */
export function writtenName(message: string, value: Json, name: string): string {
  if (Object.hasOwn(value, name)) return name;
  const alias = shapeOf(message).fields.get(name)?.alias;
  return alias !== undefined && Object.hasOwn(value, alias) ? alias : name;
}

/** An object in a list, and where it is. */
export interface Item {
  readonly item: Json;
  readonly path: string;
}

/** The items of a list field that are objects, each with its path; a value of another type has none. */
export function readObjects(message: string, value: Json, name: string): Item[] {
  const list = readField(message, value, name);
  if (!Array.isArray(list)) return [];
  const base = `/${writtenName(message, value, name)}`;
  const items: Item[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const item: unknown = list[index];
    if (isObject(item)) items.push({ item, path: `${base}/${index}` });
  }
  return items;
}

/** The texts of a list field, each with its path. */
export function readTexts(message: string, value: Json, name: string): { text: string; path: string }[] {
  const list = readField(message, value, name);
  if (!Array.isArray(list)) return [];
  const base = `/${writtenName(message, value, name)}`;
  const texts: { text: string; path: string }[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const text: unknown = list[index];
    if (typeof text === 'string') texts.push({ text, path: `${base}/${index}` });
  }
  return texts;
}

export function readText(message: string, value: Json, name: string): string | undefined {
  const text = readField(message, value, name);
  return typeof text === 'string' ? text : undefined;
}

export function readObject(message: string, value: Json, name: string): Json | undefined {
  const object = readField(message, value, name);
  return isObject(object) ? object : undefined;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** True for a missing, null, empty or blank text. What has the wrong type is another check's news. */
export function isUnsetText(value: unknown): boolean {
  return value === undefined || value === null || isBlank(value);
}

/** True for a missing, null or empty list, and for one of blank texts only. */
export function isUnsetList(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.every(isBlank));
}
