/**
 * A text as a URL, or undefined. `URL.canParse` is not used: on Node 20 it gives wrong answers for texts outside
 * Latin-1 once it has been optimised.
 */
export function parseUrl(text: string | undefined, base?: URL): URL | undefined {
  if (text === undefined) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** A path or URL without the slashes at its end; in one step for each, however many there are. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

/** A URL without user name, password, query and fragment: what a ticket may show. */
export function withoutSecrets(url: string | URL): string {
  const parsed = typeof url === 'string' ? parseUrl(url) : url;
  if (parsed === undefined)
    return String(url)
      .replace(/[?#].*$/s, '')
      .slice(0, 512);
  const { protocol, host, pathname } = parsed;
  return `${protocol}${host === '' && protocol !== 'file:' ? '' : `//${host}`}${pathname}`.slice(0, 512);
}
