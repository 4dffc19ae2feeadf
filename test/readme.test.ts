import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGuard, DEFAULT_LIMITS, LAYER_FACTS, LAYERS } from '../src/index.ts';
import { compile, readPage } from './support/markdown.ts';

const { table, blocks } = readPage('README.md');

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
    const source = [
      first,
      'declare const text: string;',
      `declare const message: import('a2a-guard').Message;`,
      ...rest.map((block, index) => `export async function block${index}(): Promise<void> {\n${block}\n}`),
    ].join('\n');
    expect(compile(source)).toEqual([]);
  });

  it('shows a ticket that has the fields of a ticket', () => {
    const shown = JSON.parse(blocks('json')[0] ?? '') as object;
    const types = readFileSync(new URL('../src/ticket.ts', import.meta.url), 'utf8');
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
