/**
 * Rebuilds everything that follows from the field table: the bundle beside it, and the modules under
 * `src/schema/generated`. With `--pin` it also writes the manifest that locks the committed files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { makeBundle } from './bundle.ts';
import { makeFused, makeFusedCard } from './fused.ts';
import { makeManifest, sha256 } from './manifest.ts';
import { readModel } from './model.ts';
import { makeBundle03, readModel03, readRawTable } from './model-0.3.ts';
import { makeStandalone } from './standalone.ts';
import { makeTables } from './tables.ts';
import { makeTypes } from './types.ts';

const schemas = new URL('../', import.meta.url);
const generated = new URL('../../src/schema/generated/', import.meta.url);
mkdirSync(generated, { recursive: true });

const model = readModel(new URL('fields-1.0.json', schemas));
const bundle = makeBundle(model);
const bundleText = `${JSON.stringify(bundle, null, 2)}\n`;
writeFileSync(new URL('a2a-1.0.json', schemas), bundleText);
const table03 = readRawTable(new URL('fields-0.3.json', schemas));
const model03 = readModel03(table03);
writeFileSync(new URL('a2a-0.3.json', schemas), `${JSON.stringify(makeBundle03(table03), null, 2)}\n`);

const modules = {
  'fields-1.0.ts': makeTables(model),
  'types-1.0.ts': makeTypes(model),
  'fused-1.0.ts': makeFused(model),
  'fused-card-1.0.ts': makeFusedCard(model),
  'fields-0.3.ts': makeTables(model03),
  'fused-0.3.ts': makeFused(model03),
  'card-1.0.ts': makeStandalone(bundle, '#/$defs/AgentCard', 'validateCard'),
  'pinned.ts': `export const PINNED_BUNDLE = { name: 'a2a-1.0.json', sha256: '${sha256(bundleText)}' } as const;\n`,
};
for (const [file, text] of Object.entries(modules)) writeFileSync(new URL(file, generated), text);

if (process.argv.includes('--pin')) {
  writeFileSync(new URL('manifest.json', schemas), `${JSON.stringify(makeManifest(schemas), null, 2)}\n`);
}
