/** One challenge of a WWW-Authenticate header (RFC 9110 §11.6.1). Only what names it is kept; it holds no secret. */
export interface Challenge {
  readonly scheme: string;
  readonly realm?: string;
}

/** Challenges that are kept at most. */
const MAX_CHALLENGES = 10;
const MAX_TEXT = 120;

/** A scheme at the start of a challenge, and its parameters up to the next scheme. */
const CHALLENGE =
  /(?:^|,)\s*([A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]*)(?=\s|,|$)((?:\s+|,\s*)[A-Za-z0-9_-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",]+))*/g;
const REALM = /\brealm\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/i;

/** The schemes that an agent asks for, each with its realm. */
export function readChallenges(header: string | undefined): Challenge[] {
  const text = (header ?? '').slice(0, 4096);
  return [...text.matchAll(CHALLENGE)].slice(0, MAX_CHALLENGES).map(([whole, scheme = '']) => {
    const [, quoted, bare] = REALM.exec(whole) ?? [];
    const realm = (quoted ?? bare)?.slice(0, MAX_TEXT);
    return { scheme: scheme.slice(0, MAX_TEXT), ...(realm !== undefined && { realm }) };
  });
}

/** Milliseconds of a Retry-After header (RFC 9110 §10.2.3): seconds, or a date. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,12}$/.test(header.trim())) return Number(header) * 1000;
  const date = /^[A-Za-z]{3,9},? /.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
