import type { Dispatcher } from 'undici';
import type { Client } from './exchange.ts';
import { didYouMean } from './schema/pointer.ts';

/** Judges one option. @throws TypeError that quotes it. */
export type Check = (value: unknown, name: string) => void;

/** @throws TypeError that quotes the option and says what was expected. */
export function fail(name: string, wanted: string, value: unknown): never {
  const shown = typeof value === 'string' ? `"${value.slice(0, 80)}"` : value === null ? 'null' : `a ${typeof value}`;
  throw new TypeError(`${name}: expected ${wanted}, got ${shown}`);
}

/** One of these words. */
export const oneOf =
  (values: readonly string[]): Check =>
  (value, name) => {
    if (!values.includes(value as string)) fail(name, values.map((word) => `"${word}"`).join(' or '), value);
  };
export const object: Check = (value, name) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(name, 'an object', value);
};
export const texts: Check = (value, name) => {
  if (!Array.isArray(value)) fail(name, 'a list of texts', value);
  for (const [index, item] of value.entries()) if (typeof item !== 'string') fail(`${name}[${index}]`, 'a text', item);
};
export const flag: Check = (value, name) => {
  if (typeof value !== 'boolean') fail(name, 'true or false', value);
};
/** A whole number in a range; undefined is the default. */
export const whole =
  (least: number, most: number): Check =>
  (value, name) => {
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)) return;
    fail(name, `a whole number from ${least} to ${most}`, value);
  };
/** The check, or `false` to turn the thing off. */
export const orFalse =
  (check: Check): Check =>
  (value, name) => {
    if (value !== false) check(value, name);
  };
export const callable: Check = (value, name) => {
  if (typeof value !== 'function') fail(name, 'a function', value);
};
export const dispatcher: Check = (value, name) => {
  object(value, name);
  if (typeof (value as Dispatcher).dispatch !== 'function') fail(name, 'an undici dispatcher', value);
};
export const client: Check = (value, name) => {
  object(value, name);
  for (const method of ['request', 'stream'] as const) callable((value as Client)[method], `${name}.${method}`);
};

/** Refuses names that a record does not have, with the one that was probably meant. */
export function checkNames(value: object, known: readonly string[], where: string): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    throw new TypeError(
      `${where}: unknown option "${name.slice(0, 80)}". ${didYouMean(name, known)} Known: ${known.join(', ')}.`,
    );
  }
}
