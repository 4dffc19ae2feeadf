import { readFileSync, writeFileSync } from 'node:fs';
import type { Row } from './measure.ts';
import { toTable } from './table.ts';

/** The pages that show figures, and which rows each shows. */
const PAGES: readonly { readonly path: string; readonly shows: (row: Row) => boolean }[] = [
  { path: 'README.md', shows: ({ bar }) => bar !== undefined },
  { path: 'docs/performance.md', shows: () => true },
];

const START = '<!-- figures: npm run bench -- --write -->';
const END = '<!-- end of figures -->';

/** Writes the figures between the marks of each page. @throws Error for a page without marks. */
export function writePages(rows: readonly Row[]): void {
  const date = new Date().toISOString().slice(0, 10);
  for (const { path, shows } of PAGES) {
    const url = new URL(`../${path}`, import.meta.url);
    const text = readFileSync(url, 'utf8');
    const [from, to] = [text.indexOf(START), text.indexOf(END)];
    if (from < 0 || to < from) throw new Error(`${path} has no place for figures`);
    const figures = `${START}\n\nNode ${process.versions.node}, ${date}:\n\n${toTable(rows.filter(shows))}\n\n`;
    writeFileSync(url, `${text.slice(0, from)}${figures}${text.slice(to)}`);
  }
}
