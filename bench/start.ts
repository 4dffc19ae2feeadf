import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Pace, type Row, ratio, toRow } from './measure.ts';
import { makeCard } from './payloads.ts';

const run = promisify(execFile);
const CORE = new URL('../dist/core.js', import.meta.url);
const BUNDLE = new URL('../schemas/a2a-1.0.json', import.meta.url);

/** Scripts that time themselves, so that the start of the process is not counted. */
const timed = (body: string): string =>
  `const startedAt = performance.now(); ${body} console.log(performance.now() - startedAt);`;

const SCRIPTS = {
  core: timed(`await import('${CORE}');`),
  verdict: timed(`
    const { createGuard } = await import('${CORE}');
    createGuard().checkCard(${JSON.stringify(makeCard())});
  `),
  ajv: timed(`
    const { readFileSync } = await import('node:fs');
    const { Ajv2020 } = (await import('ajv/dist/2020.js')).default;
    const bundle = JSON.parse(readFileSync(new URL('${BUNDLE}'), 'utf8'));
    const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { 'date-time': true } });
    ajv.addSchema({ ...bundle, $id: 'bundle' });
    for (const name of Object.keys(bundle.$defs)) ajv.getSchema('bundle#/$defs/' + name);
  `),
};

/** Milliseconds that a script took, in a process of its own. */
async function timeOf(script: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('..', import.meta.url),
  });
  return Number(stdout);
}

async function sizeOfCore(): Promise<number> {
  const result = await build({
    entryPoints: [CORE.pathname],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(result.outputFiles[0]?.contents ?? '').length;
}

/** What it costs to have the guard at all: time to import it, to the first verdict, and its size. */
export async function benchStart(pace: Pace): Promise<Row[]> {
  const laps = { core: [] as number[], verdict: [] as number[], ajv: [] as number[] };
  for (let round = 0; round < (pace.isShort ? 2 : 15); round += 1) {
    laps.core.push(await timeOf(SCRIPTS.core));
    laps.verdict.push(await timeOf(SCRIPTS.verdict));
    laps.ajv.push(await timeOf(SCRIPTS.ajv));
  }
  const bar = { atMost: 0.2 };
  return [
    toRow('start', 'import of core / import of Ajv and compiling', ratio(laps.core, laps.ajv), bar),
    toRow('start', 'import and first verdict / import of Ajv and compiling', ratio(laps.verdict, laps.ajv), bar),
    toRow('start', 'core, minified and gzipped', (await sizeOfCore()) / 1024, undefined, 'KB'),
  ];
}
