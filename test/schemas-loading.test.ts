import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { namedBundle } from './support/schemas.ts';

const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url));

/** Files of Ajv that a process has loaded after this code. */
function loaded(code: string): string[] {
  expect(existsSync(entry), 'build the package first').toBe(true);
  const program = `
    import { createRequire } from 'node:module';
    import { createGuard } from ${JSON.stringify(pathToFileURL(entry).href)};
    ${code}
    const { cache } = createRequire(import.meta.url);
    console.log(JSON.stringify(Object.keys(cache).filter((file) => /[\\\\/]ajv[\\\\/]/.test(file))));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return JSON.parse(output) as string[];
}

describe('Ajv', () => {
  it('is not loaded for the pinned bundle', () => {
    expect(loaded(`createGuard().checkCard({ skills: [] }); createGuard().check('#/$defs/Task', {});`)).toEqual([]);
  });

  it("is loaded for a bundle of the user's", () => {
    expect(loaded(`createGuard({ bundle: ${JSON.stringify(namedBundle())} });`)).not.toEqual([]);
  });
});
