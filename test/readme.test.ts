import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createGuard, DEFAULT_LIMITS, LAYER_FACTS, LAYERS } from '../src/index.ts';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

/** Rows of the table whose header starts with these cells. */
function table(...header: readonly string[]): string[][] {
  const lines = readme.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${header.join(' | ')} `));
  expect(start, `a table with the columns ${header.join(', ')}`).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');

describe('the README', () => {
  it('has the layers of the code, in their order and with their words', () => {
    expect(table('layer', 'fails when')).toEqual(
      LAYERS.map((layer) => [`\`${layer}\``, LAYER_FACTS[layer].failsWhen, LAYER_FACTS[layer].move]),
    );
  });

  it('documents every option, and no option that does not exist', () => {
    const documented = table('option', 'default').map(([name = '']) => name.replaceAll('`', ''));
    for (const name of documented) {
      const [option = '', member] = name.split('.');
      const wrong = member === undefined ? { [option]: Symbol('wrong') } : { [option]: { [member]: Symbol('wrong') } };
      expect(() => createGuard(wrong as never), name).toThrow(TypeError);
      expect(() => createGuard(wrong as never), name).not.toThrow(/unknown option/);
    }
    const known = /Known: (.*)\./.exec(messageOf(() => createGuard({ x: 1 } as never)))?.[1]?.split(', ') ?? [];
    expect(known.length).toBeGreaterThan(5);
    expect([...new Set(documented.map((name) => name.split('.')[0]))].sort()).toEqual([...known].sort());
  });

  it('has the default limits', () => {
    const limits = table('option', 'default').filter(([name = '']) => name.startsWith('`limits.'));
    const documented = Object.fromEntries(limits.map(([name = '', value]) => [name.slice(8, -1), Number(value)]));
    expect(documented).toEqual(DEFAULT_LIMITS);
  });

  it('has code that compiles', () => {
    const [first = '', ...rest] = blocks('ts');
    const file = fileURLToPath(new URL('readme-blocks.ts', root));
    const source = [
      first,
      'declare const text: string;',
      `declare const message: import('a2a-guard').Message;`,
      ...rest.map((block, index) => `export async function block${index}(): Promise<void> {\n${block}\n}`),
    ].join('\n');
    expect(compile(file, source)).toEqual([]);
  });

  it('shows a ticket that has the fields of a ticket', () => {
    const shown = JSON.parse(blocks('json')[0] ?? '') as object;
    const types = readFileSync(new URL('src/ticket.ts', root), 'utf8');
    for (const field of Object.keys(shown)) expect(types, field).toMatch(new RegExp(`readonly ${field}\\??:`));
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function compile(file: string, source: string): string[] {
  const config = ts.readConfigFile(fileURLToPath(new URL('tsconfig.json', root)), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, fileURLToPath(root));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, target, ...more) =>
    name === file ? ts.createSourceFile(name, source, target) : getSourceFile.call(host, name, target, ...more);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? source : readFile.call(host, name));
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}
