import { joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import type { Json } from './read.ts';

/** Forms of credentials that their issuers document. */
const TOKENS: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{22,}\b/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
  /\b[sr]k_live_[A-Za-z0-9]{16,}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bya29\.[A-Za-z0-9_-]{20,}/,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/,
  /\b(?:Bearer|Basic)\s+(?=\S*\d\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9+/_.=-]{20,}/,
  /:\/\/[^/\s:@]+:[^/\s:@]+@/,
];

const SECRET_NAME =
  /^(?:pass(?:word|wd|phrase)|secret|client_?secret|api_?(?:key|secret|token)|(?:access|refresh|auth|bearer|id|session)_?token|private_?key|credentials?)$/i;

/** A value of its own kind, not a placeholder, a URL or a sentence. */
const SECRET_VALUE = /^(?!https?:)(?![<{$*x]|your|example)[^\s<>{}]{8,}$/i;

/** Members whose own members are named by the card's owner: names of schemes and scopes, not of what they hold. */
const NAMED_BY_OWNER = new Set(['scopes', 'schemes', 'security', 'securityRequirements', 'security_requirements']);

/** Credentials in a card, by path; the value is never shown. Signatures are public and are left out. */
export function checkSecrets(card: Json): Fault[] {
  const faults: Fault[] = [];
  const visit = (value: unknown, key: string | undefined, path: string): void => {
    if (path === '/signatures') return;
    if (typeof value === 'string') {
      const secret = TOKENS.some((token) => token.test(value));
      const named = key !== undefined && SECRET_NAME.test(key) && SECRET_VALUE.test(value);
      if (!secret && !named) return;
      const message = `${placeOf(path)} looks like a credential. A card is public: remove it, and revoke it.`;
      faults.push({ id: 'no-secret', path, message });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, key, joinPath(path, index));
    } else if (isObject(value)) {
      const isNamed = key !== undefined && !NAMED_BY_OWNER.has(key);
      for (const [name, member] of Object.entries(value))
        visit(member, isNamed ? name : undefined, joinPath(path, name));
    }
  };
  visit(card, '', '');
  return faults;
}
