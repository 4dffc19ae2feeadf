/**
 * Makes the JavaScript of the package: one file a door, and what doors share in chunks, so that a process has one copy of
 * every module and opens a few files instead of a hundred. Dependencies stay imports.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  entryPoints: ['src/index.ts', 'src/core.ts', 'src/sdk.ts', 'src/cli/main.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  packages: 'external',
  legalComments: 'inline',
  logLevel: 'warning',
});
