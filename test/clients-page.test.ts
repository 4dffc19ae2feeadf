import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../src/index.ts';
import { compile, readPage } from './support/markdown.ts';

const page = readPage('docs/clients.md');

/** The module that a block stands for: where it makes no guard, it uses the one of the page's first block. */
function toModule(block: string): string {
  const guard = /const guard =/.test(block) ? '' : `declare const guard: import('a2a-guard').Guard;\n`;
  return `${guard}${block}\nexport {};\n`;
}

describe('docs/clients.md', () => {
  it('has code that compiles', () => {
    expect(compile(...page.blocks('ts').map(toModule))).toEqual([]);
  });

  it('imports only what the package exports, and says so in each block', () => {
    const specifiers = page.blocks('ts').flatMap((block) => ts.preProcessFile(block).importedFiles);
    expect(new Set(specifiers.map(({ fileName }) => fileName))).toEqual(
      new Set(['a2a-guard', 'a2a-guard/sdk', '@a2a-js/sdk/client', 'undici']),
    );
  });

  it('names every value of its options, and no other', () => {
    for (const [cell = '', values = ''] of page.table('option', 'values')) {
      const option = cell.replaceAll('`', '');
      const named = [...values.matchAll(/`'(\w+)'`/g)].map((match) => match[1] as string);
      const known = [...errorOf({ [option]: 'x' }).matchAll(/"(\w+)"(?= or |, got)/g)].map((match) => match[1]);
      expect(named.toSorted(), option).toEqual(known.toSorted());
    }
  });

  it('has a door for each link of its first table', () => {
    const headings = [...page.text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
    const links = page.table('what you have', 'what you change').map(([cell = '']) => /\(#([\w-]+)\)/.exec(cell)?.[1]);
    for (const link of links) expect(headings.map((title) => title.replaceAll(' ', '-'))).toContain(link);
  });

  it('says for each row of its tables of refusals what both values do', () => {
    for (const row of page.table('what happens', "`refuse: 'throw'`", "`refuse: 'answer'`"))
      expect(row).toHaveLength(3);
  });

  it('is linked from the README and from the examples', () => {
    const link = /\]\((?:\.\.\/)?docs\/clients\.md\)/;
    for (const path of ['README.md', 'examples/README.md']) expect(link.test(readPage(path).text), path).toBe(true);
  });

  it('names the version of the SDK that the tests run with', () => {
    const lock = JSON.parse(readPage('package-lock.json').text) as { packages: Record<string, { version: string }> };
    const version = lock.packages['node_modules/@a2a-js/sdk']?.version;
    expect(page.table('client', 'speaks')[0]?.[0]).toBe(`\`@a2a-js/sdk\` ${version}`);
  });
});

function errorOf(options: object): string {
  try {
    createGuard(options);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
