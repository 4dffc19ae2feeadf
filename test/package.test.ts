import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { soundCard } from './support/cards.ts';
import { installPacked, manifest, packedFiles } from './support/packed.ts';
import { sources } from './support/sources.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = packedFiles();
const installed = installPacked();
afterAll(() => installed.remove());

const CHUNK = /^dist\/chunks\/[A-Z0-9]+\.js$/;
const doors = Object.values(manifest.exports).flatMap((target) => (typeof target === 'object' ? [target.default] : []));
const entries = [...doors, ...Object.values(manifest.bin)].map((path) => path.replace(/^\.\//, ''));

/** Files of the package that are loaded with one of them, and what these import from outside. */
function reachedFrom(entry: string): { readonly files: readonly string[]; readonly outside: readonly string[] } {
  const reached = new Set<string>();
  const outside = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(installed.file(path), 'utf8');
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) visit(posix.join(posix.dirname(path), fileName));
      else outside.add(fileName);
    }
  };
  visit(entry);
  return { files: [...reached], outside: [...outside] };
}

describe('the package has what is meant to be published', () => {
  it.each(['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'package.json'])('%s', (file) => {
    expect(files).toContain(file);
  });

  it.each(['fields-1.0.json', 'a2a-1.0.json', 'manifest.json'])('schemas/%s', (file) => {
    expect(files).toContain(`schemas/${file}`);
  });

  it('nothing but documents, schemas, and modules with their types', () => {
    const expected = [
      /^(?:README|CHANGELOG|SECURITY)\.md$/,
      /^LICENSE$/,
      /^package\.json$/,
      /^schemas\/[^/]+\.json$/,
      /^dist\/(?:[a-z0-9.-]+\/)*[a-z0-9.-]+(?:\.js|\.d\.ts)$/,
      CHUNK,
    ];
    expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  it('no tests, no examples, no sources, no build scripts', () => {
    expect(files.filter((file) => /(?:^|\/)(?:test|tests|examples|src|build|fixtures)\/|\.test\./.test(file))).toEqual(
      [],
    );
    expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
  });

  it('every module of the sources has its types, and no types are left over', () => {
    const declared = files.filter((file) => file.endsWith('.d.ts'));
    expect(declared).toEqual(sources.map(({ path }) => `dist/${path.replace(/\.ts$/, '.d.ts')}`).sort());
  });

  it('the code is the doors, the command and what they share', () => {
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect(scripts.filter((file) => !CHUNK.test(file))).toEqual([...entries].sort());
  });

  it('no chunk is left over from an earlier build', () => {
    const reached = new Set(entries.flatMap((entry) => reachedFrom(entry).files));
    expect(files.filter((file) => CHUNK.test(file) && !reached.has(file))).toEqual([]);
  });

  it('what the core loads imports no module of node, no undici and no Ajv', () => {
    const { outside } = reachedFrom('dist/core.js');
    expect(outside).toContain('@noble/hashes/sha2.js');
    expect(outside.filter((name) => /^(?:node:|undici|ajv|commander|@a2a-js)/.test(name))).toEqual([]);
  });

  it('the command is a script of node', () => {
    const paths = Object.values(manifest.bin).map((path) => path.replace(/^\.\//, ''));
    expect(paths.filter((path) => !files.includes(path))).toEqual([]);
    for (const path of paths) expect(readFileSync(installed.file(path), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('every door of package.json is there', () => {
    const targets = Object.values(manifest.exports)
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .filter((target) => !target.includes('*'));
    expect(targets.filter((target) => !existsSync(installed.file(target)))).toEqual([]);
  });

  it('it imports only what it depends on', () => {
    const known = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies ?? {})];
    const used = sources.flatMap(({ imports }) =>
      imports.filter(({ target }) => target === undefined).map(({ specifier }) => specifier),
    );
    const foreign = used.filter(
      (name) => !name.startsWith('node:') && !known.some((own) => name === own || name.startsWith(`${own}/`)),
    );
    expect([...new Set(foreign)]).toEqual([]);
  });

  it('it depends only on what it imports', () => {
    const used = sources.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const unused = Object.keys(manifest.dependencies).filter(
      (name) => !used.some((one) => one === name || one.startsWith(`${name}/`)),
    );
    expect(unused).toEqual([]);
  });
});

const CARD = JSON.stringify(soundCard());
const VERDICTS = `
  const report = createGuard().checkCard(${JSON.stringify(CARD)});
  const findings = createGuard().check('#/$defs/Task', { id: 't-1', status: { state: 'done' } });
  console.log(JSON.stringify({ ok: report.ok, next: report.next, ids: findings.map((finding) => finding.id) }));
`;
const WANT = { ok: true, next: 'delegate', ids: ['value-enum'] };

describe('the installed package', () => {
  it.each(['a2a-guard', 'a2a-guard/core'])('%s is imported by an ES module', (door) => {
    const output = installed.run('main.mjs', `import { createGuard } from '${door}';${VERDICTS}`);
    expect(JSON.parse(output)).toEqual(WANT);
  });

  it.each(['a2a-guard', 'a2a-guard/core'])('%s is required by a CommonJS module', (door) => {
    const output = installed.run('main.cjs', `const { createGuard } = require('${door}');${VERDICTS}`);
    expect(JSON.parse(output)).toEqual(WANT);
  });

  it('the schemas are data', () => {
    const script = `
      const bundle = require('a2a-guard/schemas/a2a-1.0.json');
      const manifest = require('a2a-guard/schemas/manifest.json');
      console.log(JSON.stringify([typeof bundle.$defs.AgentCard, manifest.length]));
    `;
    expect(JSON.parse(installed.run('schemas.cjs', script))).toEqual(['object', 4]);
    const esm = `
      import bundle from 'a2a-guard/schemas/a2a-1.0.json' with { type: 'json' };
      console.log(typeof bundle.$defs.AgentCard);
    `;
    expect(installed.run('schemas.mjs', esm).trim()).toBe('object');
  });

  it('an error of one copy is known to the other', () => {
    const script = `
      import { createGuard } from 'a2a-guard';
      import { isGuardError, findTicket } from 'a2a-guard/core';
      const error = await createGuard().agent('{}').catch((reason) => reason);
      console.log(isGuardError(error), findTicket(new Error('x', { cause: error })).code);
    `;
    expect(installed.run('error.mjs', script).trim()).toBe('true CardParseError');
  });

  it('the doors have one copy of what they share', () => {
    const script = `
      import * as main from 'a2a-guard';
      import * as core from 'a2a-guard/core';
      const names = Object.keys(core).filter((name) => name !== 'createGuard');
      console.log(JSON.stringify([names.length > 5, names.filter((name) => main[name] !== core[name])]));
    `;
    expect(JSON.parse(installed.run('one.mjs', script))).toEqual([true, []]);
  });

  it('a guard of the core is known to the door for the SDK', () => {
    const script = `
      import { createGuard } from 'a2a-guard/core';
      import { guardedOptions } from 'a2a-guard/sdk';
      console.log(guardedOptions(createGuard()).transports.length);
    `;
    const flags = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, flags, { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('2');
  });

  it.each(['a2a-guard/dist/guard.js', 'a2a-guard/guard', 'a2a-guard/dist/index.js'])('%s is no door', (path) => {
    const script = `import('${path}').then(() => console.log('open'), (error) => console.log(error.code));`;
    expect(installed.run('closed.mjs', script).trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('core says what it lacks when it is asked to fetch or to compile', () => {
    const script = `
      import { createGuard } from 'a2a-guard/core';
      const words = [];
      try { createGuard({ bundle: { $defs: { AgentCard: {} } } }); } catch (error) { words.push(String(error)); }
      await createGuard().discover('https://parcels.example.com').catch((error) => words.push(String(error)));
      console.log(JSON.stringify(words));
    `;
    expect(JSON.parse(installed.run('lacks.mjs', script))).toEqual([
      expect.stringMatching(/^TypeError: bundle: /),
      expect.stringMatching(/^TypeError: .*client/),
    ]);
  });
});

describe('core in a browser or worker', async () => {
  const result = await build({
    stdin: { contents: `import { createGuard } from 'a2a-guard/core';${VERDICTS}`, resolveDir: installed.folder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = result.outputFiles;
  const text = output?.text ?? '';

  it('is bundled without a warning and without a module from outside', () => {
    expect(result.warnings).toEqual([]);
    const outside = Object.values(result.metafile.outputs).flatMap((one) => one.imports);
    expect(outside).toEqual([]);
  });

  it('has no module of node, no undici and no Ajv in it', () => {
    expect(text).not.toMatch(/["'`]node:/);
    expect(
      Object.keys(result.metafile.inputs).filter((input) => /node_modules\/(?:undici|ajv|commander)\//.test(input)),
    ).toEqual([]);
  });

  it('makes no code from text', () => {
    expect(text).not.toMatch(/\bnew Function\b|\beval\(/);
    const printed = installed.run('bundled.mjs', text, '--disallow-code-generation-from-strings');
    expect(JSON.parse(printed)).toEqual(WANT);
  });

  it('needs none of the globals of node', () => {
    const hidden = `for (const name of ['process', 'Buffer', 'setImmediate', 'global', 'require']) { try { delete globalThis[name]; } catch {} }\n`;
    const printed = installed.run('bare.mjs', hidden + text, '--disallow-code-generation-from-strings');
    expect(JSON.parse(printed)).toEqual(WANT);
  });
});
