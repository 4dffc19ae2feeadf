import type { Bar, Row } from './measure.ts';

function barText(bar: Bar | undefined): string {
  if (bar === undefined) return '';
  return 'atMost' in bar ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`;
}

function figureText({ figure, unit }: Row): string {
  const rounded = figure < 10 ? figure.toFixed(3) : figure.toFixed(1);
  return unit === 'ratio' ? rounded : `${rounded} ${unit}`;
}

/** The rows as a table in Markdown: name, figure, bar, ok. */
export function toTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    `${row.group}: ${row.name}`,
    figureText(row),
    barText(row.bar),
    row.ok === undefined ? '' : row.ok ? 'ok' : 'missed',
  ]);
  const table = [['name', 'figure', 'bar', 'ok'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0), 3));
  const toLine = (line: readonly string[]): string =>
    `| ${widths.map((width, column) => (line[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [toLine(head), rule, ...body.map(toLine)].join('\n');
}
