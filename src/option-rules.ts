import { isEntryCheck } from './card/report.ts';
import type { Spoken } from './card/select.ts';
import { CHECKS, findCheck, type Severity } from './checks.ts';
import {
  type Check,
  callable,
  checkNames,
  client,
  dispatcher,
  fail,
  flag,
  object,
  oneOf,
  orFalse,
  texts,
  whole,
} from './option-checks.ts';
import { DEFAULT_CACHE, DEFAULT_LIMITS, DEFAULT_RETRY, SPEAKABLE } from './option-defaults.ts';
import type { CacheOptions, GuardOptions, Limits, NetworkOptions, RetryOptions, SignatureOptions } from './options.ts';
import { nearest } from './schema/pointer.ts';
import { isObject } from './schema/scalars.ts';
import { parseUrl } from './schema/url.ts';
import { MAX_FINDINGS } from './ticket.ts';

const SEVERITIES: readonly Severity[] = ['error', 'warn', 'off', 'entry'];
const NETWORK_FLAGS = ['allowLoopback', 'allowPrivate', 'allowInsecure'] as const;

/** What each option has to be. @throws TypeError that quotes it. */
export const CHECK_OF_OPTION: Readonly<Record<keyof GuardOptions, Check>> = {
  preset: oneOf(['strict', 'interop']),
  rules: checkRules,
  mode: oneOf(['enforce', 'observe']),
  refuse: oneOf(['throw', 'answer']),
  unknownAgent: oneOf(['discover', 'refuse', 'pass']),
  speaks: checkSpeaks,
  legacyCards: flag,
  extensions: texts,
  credentials: checkCredentials,
  limits: checkLimits,
  network: checkNetwork,
  retry: orFalse(checkRetry),
  cache: orFalse(checkCache),
  signatures: checkSignatures,
  bundle: object,
  onTicket: callable,
  dispatcher,
  client,
};

function checkRules(value: unknown, name: string): void {
  object(value, name);
  for (const [id, severity] of Object.entries(value as object)) {
    if (findCheck(id) === undefined) {
      const near = nearest(
        id,
        CHECKS.map((check) => check.id),
      ).join('", "');
      throw new TypeError(`${name}: there is no check "${id.slice(0, 80)}". Near: "${near}".`);
    }
    oneOf(SEVERITIES)(severity, `${name}.${id}`);
    if (severity === 'entry' && !isEntryCheck(id)) {
      throw new TypeError(`${name}.${id}: "entry" is for checks of one interface; use "error", "warn" or "off"`);
    }
  }
}

function checkSpeaks(value: unknown, name: string): void {
  if (!Array.isArray(value) || value.length === 0) fail(name, 'a list with at least one binding', value);
  for (const [index, spoken] of value.entries()) {
    const where = `${name}[${index}]`;
    object(spoken, where);
    checkNames(spoken as object, ['binding', 'versions'], where);
    const { binding, versions } = spoken as Spoken;
    const ours = SPEAKABLE.find((candidate) => candidate.binding === binding);
    if (ours === undefined)
      fail(`${where}.binding`, SPEAKABLE.map((candidate) => `"${candidate.binding}"`).join(' or '), binding);
    texts(versions, `${where}.versions`);
    if (versions.length === 0) fail(`${where}.versions`, 'at least one version', versions);
    for (const version of versions) oneOf(ours.versions)(version, `${where}.versions`);
  }
}

/** What may be a secret is not quoted. */
export function checkCredentials(value: unknown, name: string): void {
  if (!isObject(value)) throw new TypeError(`${name}: expected an object of scheme names and credentials`);
  for (const [scheme, credential] of Object.entries(value)) {
    if (typeof credential === 'function' || (typeof credential === 'string' && credential !== '')) continue;
    throw new TypeError(`${name}.${scheme.slice(0, 80)}: expected a text or a function that fetches one`);
  }
}

/** Limits that are no sizes or times. */
const RANGE_OF_LIMIT: { readonly [Name in keyof Limits]?: readonly [least: number, most: number] } = {
  redirects: [0, 20],
  findings: [1, MAX_FINDINGS],
};

function checkLimits(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, Object.keys(DEFAULT_LIMITS), name);
  for (const [key, limit] of Object.entries(value as Partial<Limits>)) {
    const [least, most] = RANGE_OF_LIMIT[key as keyof Limits] ?? [1, MAX_LIMIT];
    whole(least, most)(limit, `${name}.${key}`);
  }
}

function checkRetry(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, Object.keys(DEFAULT_RETRY), name);
  const { attempts, deduplicatesMessages, ...times } = value as RetryOptions;
  whole(1, 10)(attempts, `${name}.attempts`);
  if (deduplicatesMessages !== undefined) flag(deduplicatesMessages, `${name}.deduplicatesMessages`);
  for (const [key, ms] of Object.entries(times)) whole(0, MAX_LIMIT)(ms, `${name}.${key}`);
}

function checkCache(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, Object.keys(DEFAULT_CACHE), name);
  for (const [key, number] of Object.entries(value as CacheOptions)) {
    whole(key === 'maxEntries' ? 1 : 0, MAX_LIMIT)(number, `${name}.${key}`);
  }
}

/** The longest time that a timer takes, which is also more bytes than a text can have. */
const MAX_LIMIT = 2_147_483_647;

function checkNetwork(value: unknown, name: string): void {
  object(value, name);
  checkNames(value as object, [...NETWORK_FLAGS, 'allowOrigins'], name);
  for (const flag of NETWORK_FLAGS) {
    const set = (value as NetworkOptions)[flag];
    if (set !== undefined && typeof set !== 'boolean') fail(`${name}.${flag}`, 'true or false', set);
  }
  const { allowOrigins } = value as NetworkOptions;
  if (allowOrigins !== undefined) checkOrigins(allowOrigins, `${name}.allowOrigins`);
}

function checkOrigins(value: unknown, name: string): void {
  texts(value, name);
  for (const origin of value as readonly string[]) {
    if (!/^https?:$/.test(parseUrl(origin)?.protocol ?? ''))
      fail(name, 'origins such as "https://calls.example.com"', origin);
  }
}

const POLICIES = ['shape', 'verify-if-present', 'require'];

function checkSignatures(value: unknown, name: string): void {
  if (typeof value === 'string') {
    oneOf(POLICIES)(value, name);
    return;
  }
  object(value, name);
  checkNames(value as object, ['policy', 'jwks', 'jkuOrigins', 'resolveKey'], name);
  const { policy, jwks, jkuOrigins, resolveKey } = value as SignatureOptions;
  oneOf(POLICIES)(policy, `${name}.policy`);
  if (jwks !== undefined && !(isObject(jwks) && Array.isArray(jwks.keys) && jwks.keys.every(isObject)))
    fail(`${name}.jwks`, 'a JSON Web Key Set: an object with a list of keys', jwks);
  if (jwks?.keys.some((key) => 'd' in key || 'k' in key))
    throw new TypeError(`${name}.jwks: a key in it is secret; give the public keys only`);
  if (jkuOrigins !== undefined) checkOrigins(jkuOrigins, `${name}.jkuOrigins`);
  if (resolveKey !== undefined) callable(resolveKey, `${name}.resolveKey`);
}
