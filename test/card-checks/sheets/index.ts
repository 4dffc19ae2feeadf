import type { Sheet } from '../row.ts';
import { ADVICE } from './advice.ts';
import { WRONG_DOCUMENTS } from './documents.ts';
import { INTERFACES } from './interfaces.ts';
import { LEGACY } from './legacy.ts';
import { PARSE } from './parse.ts';
import { PARTIES } from './parties.ts';
import { REQUIRED } from './required.ts';
import { SCHEMA } from './schema.ts';
import { SECURITY } from './security.ts';
import { TRUST } from './trust.ts';

/** One sheet per family of checks. */
export const SHEETS: readonly Sheet[] = [
  PARSE,
  WRONG_DOCUMENTS,
  SCHEMA,
  LEGACY,
  REQUIRED,
  INTERFACES,
  SECURITY,
  PARTIES,
  ADVICE,
  TRUST,
];
