import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPage } from './support/markdown.ts';

const threats = readPage('SECURITY.md').table('attack', 'what it is after');

describe('the threat model', () => {
  it.each(threats.map((row) => [row[0] ?? '', row] as const))(
    '%s: says what stops it, and names its tests',
    (_, row) => {
      expect(row).toHaveLength(5);
      for (const cell of row) expect(cell).not.toBe('');
      const tests = (row[3] ?? '').split(',').map((name) => name.trim().replaceAll('`', ''));
      for (const test of tests) expect(existsSync(new URL(`../${test}`, import.meta.url)), test).toBe(true);
    },
  );
});
