import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { DATE_TIME } from '../../src/schema/bundle.ts';

/** How Ajv's standalone code asks for a helper at run time; the bundle has no keyword that needs one. */
const HELPERS = /\brequire\(/;

/**
 * A validator of one pointer of the bundle, as an ES module without imports: no Ajv, no `new Function`, no `require`.
 * It lists all errors (Ajv's error objects) in `.errors`.
 */
export function makeStandalone(bundle: object, pointer: string, exportName: string): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    formats: { 'date-time': DATE_TIME },
    code: { source: true, esm: true, lines: false, optimize: 2 },
  });
  ajv.addSchema({ ...bundle, $id: 'bundle' });
  const validate = ajv.getSchema(`bundle${pointer}`);
  if (validate === undefined) throw new Error(`the bundle has no ${pointer}`);
  const make = (standaloneCode as unknown as { default?: typeof standaloneCode }).default ?? standaloneCode;
  const code = (make as unknown as (ajv: Ajv2020, validate: unknown) => string)(ajv, validate);
  if (HELPERS.test(code)) throw new Error('the standalone code is not self-contained');
  const body = code.replace(/^"use strict";/, '').replace(/export const validate = (\w+);export default \w+;/, '');
  const main = /export const validate = (\w+);/.exec(code)?.[1];
  if (main === undefined) throw new Error('the standalone code exports no validator');
  return [
    `// @ts-nocheck generated code, typed by its export`,
    `import type { BundleValidator } from '../bundle.ts';`,
    body,
    `export const ${exportName}: BundleValidator = ${main} as never;`,
    '',
  ].join('\n');
}
