import type { CardContext } from './card/report.ts';
import type { CheckCardOptions, DiscoverOptions } from './guard.ts';
import { checkNames } from './option-checks.ts';
import { parseUrl } from './schema/url.ts';

/** @throws TypeError for what cannot be a card. */
export function checkInput(input: unknown, where: string): void {
  if (typeof input === 'string' || (typeof input === 'object' && input !== null)) return;
  throw new TypeError(
    `${where}: expected the card as text, bytes or an object, got ${input === null ? 'null' : typeof input}`,
  );
}

export function toUrl(cardUrl: string | URL | undefined): URL | undefined {
  if (cardUrl === undefined) return undefined;
  const url = parseUrl(String(cardUrl));
  if (url !== undefined) return url;
  throw new TypeError(`cardUrl: expected an absolute URL, got "${String(cardUrl).slice(0, 80)}"`);
}

/** Checks the options of `discover`. */
export function checkDiscover(given: DiscoverOptions): void {
  if (typeof given !== 'object' || given === null) throw new TypeError('discover: expected an object of options');
  checkNames(given, ['signal', 'exact'], 'discover');
  const { signal, exact } = given;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('signal: expected an AbortSignal');
  if (exact !== undefined && typeof exact !== 'boolean') throw new TypeError('exact: expected true or false');
}

/** Checks the options of `checkCard` and copies them. */
export function resolveContext({ target, cardUrl, plan, ...rest }: CheckCardOptions): CardContext {
  checkNames(rest, ['target', 'cardUrl', 'plan'], 'checkCard');
  if (target !== undefined && typeof target !== 'string') throw new TypeError('target: expected a text');
  if (plan !== undefined) {
    if (typeof plan !== 'object' || plan === null) throw new TypeError('plan: expected an object of flags');
    checkNames(plan, ['streaming', 'pushNotifications', 'extendedAgentCard'], 'plan');
    for (const [flag, value] of Object.entries(plan)) {
      if (typeof value !== 'boolean') throw new TypeError(`plan.${flag}: expected true or false`);
    }
  }
  const url = toUrl(cardUrl);
  return {
    ...(target !== undefined && { target }),
    ...(url !== undefined && { cardUrl: url }),
    ...(plan !== undefined && { plan: { ...plan } }),
  };
}
