import type { Spoken } from './card/select.ts';
import type { CacheOptions, Limits, RetryPolicy } from './options.ts';
import { MAX_FINDINGS } from './ticket.ts';

export const DEFAULT_LIMITS: Limits = Object.freeze({
  cardBytes: 256 * 1024,
  responseBytes: 10 * 1024 * 1024,
  eventBytes: 1024 * 1024,
  jsonDepth: 64,
  findings: MAX_FINDINGS,
  connectMs: 5_000,
  headersMs: 60_000,
  idleMs: 60_000,
  totalMs: 120_000,
  afterTerminalMs: 5_000,
  redirects: 3,
  pages: 10_000,
});

export const DEFAULT_RETRY: RetryPolicy = Object.freeze({
  attempts: 3,
  delayMs: 200,
  maxDelayMs: 5_000,
  totalMs: 15_000,
  deduplicatesMessages: false,
});

export const DEFAULT_CACHE: Required<CacheOptions> = Object.freeze({
  ttlMs: 300_000,
  maxEntries: 1_000,
  staleIfErrorMs: 0,
});

/** What this version of the guard can speak. */
export const SPEAKABLE: readonly Spoken[] = [
  { binding: 'JSONRPC', versions: ['1.0', '0.3'] },
  { binding: 'HTTP+JSON', versions: ['1.0', '0.3'] },
];

/** What it speaks when nobody says otherwise. */
export const DEFAULT_SPEAKS: readonly Spoken[] = [{ binding: 'JSONRPC', versions: ['1.0'] }];
