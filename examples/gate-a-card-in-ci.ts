/**
 * A step of a build that fails for a red card: `tsx gate-a-card-in-ci.ts card.json ...` exits 1 when one of the files is
 * red. Without files it tries itself on a green card and a red one.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGuard } from 'a2a-guard';
import { sampleCard } from './support/agent.ts';

/** The exit status for these files. Advice is shown and fails nothing; of it, only bare modes such as "text" do here. */
function gate(files: readonly string[]): 0 | 1 {
  const guard = createGuard({ preset: 'strict', rules: { 'modes-media-type': 'error' } });
  const reports = files.map((file) => guard.checkCard(readFileSync(file), { target: basename(file) }));
  for (const { target, ok, schemaPass, specChecks, findings } of reports) {
    const failed = specChecks.filter(({ pass, severity }) => !pass && severity === 'error').length;
    console.log(`${ok ? 'green' : 'RED  '} ${target}: schema ${schemaPass ? 'pass' : 'FAIL'}, spec ${failed} failed`);
    for (const { severity, path, id, hint } of findings) console.log(`  ${severity} ${path} ${id}: ${hint}`);
  }
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

/** Runs this file on one card, as a build would, and returns its exit status. */
function build(name: string, card: object): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'card-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(card));
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', self, file], {
      cwd: dirname(self),
      stdio: 'inherit',
    });
    console.log(`exit ${status}`);
    return status;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const files = process.argv.slice(2);
if (files.length > 0) {
  process.exitCode = gate(files);
} else {
  const green = sampleCard('https://agents.example.com/parcels');
  const red = { ...green, url: 'https://agents.example.com', skills: [{ ...green.skills[0], tags: [] }] };
  assert.equal(build('green.json', green), 0);
  assert.equal(build('red.json', red), 1);
}
