/** Runs the demo and every example, each in a process of its own. Exits 1 if one of them fails or takes too long. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LIMIT_MS = 30_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function run(name: string): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', `examples/${name}`], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const output: string[] = [];
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream.setEncoding('utf8').on('data', (piece: string) => output.push(piece));
  const how = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (_code, signal) => signal !== null && resolve(`${signal}; the limit is ${LIMIT_MS} ms`));
    child.on('close', (code) => resolve(`exit ${code}`));
  });
  for (const stream of streams) stream.destroy();
  const ok = how === 'exit 0';
  console.log(`${name.padEnd(36)}${ok ? 'ok' : `failed (${how})`} ${Math.round(performance.now() - startedAt)} ms`);
  if (!ok) console.log(output.join('').trimEnd().replace(/^/gm, '  | '));
  return ok;
}

const others = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.endsWith('.ts') && name !== 'demo.ts' && name !== 'run-all.ts',
);
let failed = 0;
for (const name of ['demo.ts', ...others.sort()]) if (!(await run(name))) failed += 1;
if (failed > 0) {
  console.log(`${failed} failed`);
  process.exitCode = 1;
}
