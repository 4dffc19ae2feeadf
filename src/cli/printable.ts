/**
 * What must not reach a terminal or a line of text as it is: control and format characters (ANSI escapes, bidirectional
 * overrides, invisible letters), line and paragraph separators. The two joiners that scripts and emoji need stay.
 */
const UNSAFE = /(?!\u200c|\u200d)[\p{C}\p{Zl}\p{Zp}]/gu;

const JOINER_OR_MARK = /\p{M}|\u200c|\u200d/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

function escapeChar(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A text on one line, safe to print: what could steer a terminal or hide is written as \uXXXX. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escapeChar);
}

/** The lines of a text, each safe to print. Line ends and tabs keep their meaning. */
export function printableLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => printable(line.replaceAll('\t', '  ')));
}

/** A value as JSON of the same meaning in which nothing can steer a terminal. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (char) => (char === '\n' ? char : escapeChar(char)));
}

/** Columns that one character takes on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += JOINER_OR_MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return columns;
}
