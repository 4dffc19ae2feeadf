import type { Plan } from '../card/capability.ts';
import type { CardReport } from '../card/report.ts';
import { judgeWhole } from '../client/establish.ts';
import { internalsOf } from '../client/internals.ts';
import type { Guard } from '../guard.ts';
import { parseUrl } from '../schema/url.ts';
import { broken, type Finding, isError, toFindings } from '../ticket.ts';
import type { Direction } from '../traffic/payload-faults.ts';
import { parseText } from '../traffic/wire.ts';
import type { Content } from './target.ts';

/** The verdict on one value at one pointer: what `check --pointer --format json` prints. */
export interface ValueReport {
  readonly kind: 'value-validation-report';
  readonly target: string;
  readonly pointer: string;
  readonly direction: Direction;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

export interface CardFlags {
  readonly plan?: Plan;
  /** Where the card of a file or of stdin is served. */
  readonly cardUrl?: string;
}

/** Judges what a target holds as a card, its signatures included where the flags say so. */
export async function judgeCardOf(
  { bytes, name, cardUrl, findings }: Content,
  guard: Guard,
  flags: CardFlags,
): Promise<CardReport> {
  const source = {
    input: bytes,
    findings,
    target: name,
    cardUrl: cardUrl ?? parseUrl(flags.cardUrl),
    plan: flags.plan,
  };
  return (await judgeWhole(source, internalsOf(guard).facts)).report;
}

export interface ValueFlags {
  readonly pointer: string;
  readonly direction: Direction;
  readonly maxBytes: number;
}

/** Judges what a target holds as a value at a pointer. */
export function judgeValueOf(
  content: Content,
  guard: Guard,
  { pointer, direction, maxBytes }: ValueFlags,
): ValueReport {
  const { bytes, name, cardUrl } = content;
  const parsed = readValue(bytes, maxBytes);
  const findings = 'value' in parsed ? guard.check(pointer, parsed.value, { direction }) : parsed.findings;
  return {
    kind: 'value-validation-report',
    target: name ?? (cardUrl === undefined ? 'value' : `${cardUrl.origin}${cardUrl.pathname}`),
    pointer,
    direction,
    ok: !findings.some(isError),
    findings,
  };
}

function readValue(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly value: unknown } | { findings: readonly Finding[] } {
  const fail = (id: 'parse-json' | 'parse-limits', message: string) => ({
    findings: toFindings([{ id, path: '', message, hint: 'Give one JSON value in UTF-8.' }], broken),
  });
  if (bytes.length > maxBytes) return fail('parse-limits', `The value is larger than ${maxBytes} bytes.`);
  try {
    const parsed = parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return 'value' in parsed ? parsed : fail('parse-json', 'The value is not JSON.');
  } catch {
    return fail('parse-json', 'The value is not UTF-8 text.');
  }
}
