import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

/** A page of the documentation, as tests compare it with the code. */
export interface Page {
  readonly text: string;
  /** Rows of the table whose header starts with these cells. */
  table(...header: readonly string[]): string[][];
  /** The code blocks of a language. */
  blocks(language: string): string[];
}

export function readPage(path: string): Page {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  return {
    text,
    table(...header) {
      const lines = text.split('\n');
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
    },
    blocks: (language) =>
      [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? ''),
  };
}

/** Compiles modules that are in no file, as if they lay in the root of the project, and gives what is wrong with them. */
export function compile(...sources: readonly string[]): string[] {
  const files = new Map(sources.map((source, index) => [fileURLToPath(new URL(`block-${index}.ts`, ROOT)), source]));
  const config = ts.readConfigFile(fileURLToPath(new URL('tsconfig.json', ROOT)), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, fileURLToPath(ROOT));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, target, ...more) => {
    const source = files.get(name);
    return source === undefined
      ? getSourceFile.call(host, name, target, ...more)
      : ts.createSourceFile(name, source, target);
  };
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file === undefined ? '' : `${file.fileName.split('/').at(-1)}: `;
    return where + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}
