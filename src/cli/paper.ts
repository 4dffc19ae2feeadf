import { columnsOf, printable, printableLines } from './printable.ts';

/** Columns of everything that is written for people. */
export const WIDTH = 80;

/** Characters of one text that are written at most; names and URLs come from the wire. */
const MAX_TEXT = 2_000;

export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'odd';

const SGR: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '\u001b[1m',
  quiet: '\u001b[2m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  odd: '\u001b[33m',
};
const RESET = '\u001b[0m';

/** How one text is set: where it starts, and what stands before its first line. */
export interface Setting {
  readonly tone?: Tone;
  /** Columns before the label. Default 0. */
  readonly indent?: number;
  readonly label?: string;
  readonly labelTone?: Tone;
  /** Columns of the label with the space after it. Default: the label and one space. */
  readonly labelWidth?: number;
}

/** Writes text for people. Whatever is put on it is escaped, so that no text of a card or an agent steers a terminal. */
export interface Paper {
  /** One text, wrapped at {@link WIDTH} columns under its first word. */
  text(text: string, setting?: Setting): void;
  /** Lines as they are, however long: an agent's own words and code keep their form. */
  verbatim(text: string, indent?: number): void;
  blank(): void;
}

export interface PaperOptions {
  readonly write: (text: string) => void;
  readonly colour: boolean;
}

export function createPaper({ write, colour }: PaperOptions): Paper {
  const paint = (text: string, tone: Tone = 'plain'): string =>
    colour && tone !== 'plain' && text.trim() !== '' ? `${SGR[tone]}${text}${RESET}` : text;
  return {
    text(text, { tone, indent = 0, label, labelTone, labelWidth }: Setting = {}) {
      const before = label === undefined ? '' : printable(label);
      const taken = labelWidth ?? (before === '' ? 0 : columnsOf(before) + 1);
      const gap = ' '.repeat(Math.max(taken - columnsOf(before), before === '' ? 0 : 1));
      const margin = ' '.repeat(indent + taken);
      for (const [index, line] of wrap(cut(printable(text)), WIDTH - indent - taken).entries()) {
        const start = index === 0 ? `${' '.repeat(indent)}${paint(before, labelTone)}${gap}` : margin;
        write(`${`${start}${paint(line, tone)}`.trimEnd()}\n`);
      }
    },
    verbatim(text, indent = 0) {
      for (const line of printableLines(text)) write(`${`${' '.repeat(indent)}${line}`.trimEnd()}\n`);
    },
    blank() {
      write('\n');
    },
  };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Breaks a text at spaces; a word that is longer than a line is broken where the line ends. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => breakWord(long, width))) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, width: number): string[] {
  if (columnsOf(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const char of word) {
    if (columnsOf(piece) + columnsOf(char) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += char;
  }
  return [...pieces, piece];
}
