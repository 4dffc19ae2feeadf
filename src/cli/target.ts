import { createReadStream } from 'node:fs';
import { type CardLocation, locateCard } from '../card/discover.ts';
import { type FetchFacts, fetchCard } from '../discovery/fetch-card.ts';
import type { Finding } from '../ticket.ts';
import { asUsage, EXIT, StatusError } from './exit-status.ts';
import type { Io } from './io.ts';

/** What a person named on the command line. */
export type Target =
  | { readonly kind: 'stdin'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'url'; readonly location: CardLocation };

/** What a target holds. A file or stdin is read to one byte past the limit, which the judge then says. */
export interface Content {
  readonly bytes: Uint8Array;
  /** How the result calls it; absent for a URL, which names itself. */
  readonly name?: string;
  readonly cardUrl?: URL;
  /** Warnings about the way in which it came. */
  readonly findings: readonly Finding[];
}

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/\//i;

/** @throws StatusError for a URL that cannot be fetched. */
export function resolveTarget(text: string, exact: boolean): Target {
  if (text === '-') return { kind: 'stdin', name: 'stdin' };
  if (!URL_LIKE.test(text)) return { kind: 'file', name: text };
  return { kind: 'url', location: locateTyped(text, exact) };
}

/** Where the card of a URL that a person typed is. */
export function locateTyped(text: string, exact: boolean): CardLocation {
  return asUsage(() => locateCard(text, exact));
}

export interface ReadFacts extends FetchFacts {
  readonly io: Io;
  /** Bytes of a file or of stdin that are read at most. */
  readonly maxBytes: number;
}

/** @throws StatusError for a file that cannot be read, GuardError for a URL that cannot be fetched. */
export async function readTarget(target: Target, facts: ReadFacts): Promise<Content> {
  if (target.kind === 'url') {
    const { bytes, url, findings } = await fetchCard(target.location, facts);
    return { bytes, cardUrl: url, findings };
  }
  const { name } = target;
  const bytes =
    target.kind === 'file' ? readFile(name, facts.maxBytes) : readNamed(name, () => facts.io.stdin, facts.maxBytes);
  return { bytes: await bytes, name, findings: [] };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'reading it is not permitted',
};

/**
 * Reads a file to one byte past the limit.
 * @throws StatusError when it cannot be read.
 */
export function readFile(path: string, maxBytes: number): Promise<Uint8Array> {
  return readNamed(path, () => createReadStream(path, { end: maxBytes }), maxBytes);
}

async function readNamed(name: string, open: () => AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readHead(open(), maxBytes);
  } catch (error) {
    const { code = '', errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    const reason = REASONS[code] ?? `reading failed (${code})`;
    const advice = code === 'ENOENT' && looksLikeHost(name) ? ` If it is an agent, write https://${name}.` : '';
    throw new StatusError(EXIT.unreachable, `${name}: ${reason}.${advice}`);
  }
}

function looksLikeHost(path: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(path) && !/\.(?:json|txt|ya?ml)$/.test(path);
}

async function readHead(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(parts, Math.min(size, maxBytes + 1));
}
