import { describe, expect, it } from 'vitest';
import { CHECKS, type CheckId, type Preset } from '../../src/index.ts';
import { ADDRESS_ROWS } from './addresses.ts';
import { type FailingRow, judge, type NearMiss, PRESETS, severityOf } from './row.ts';
import { SHEETS } from './sheets/index.ts';

const CARD_LAYERS = ['parse', 'schema', 'spec', 'trust'];
/** These need the network, and are shown in test/signatures.test.ts and test/card-cache.test.ts. */
const IN_DISCOVERY = ['signature-verified', 'card-changed', 'card-version'];
const ofCard = CHECKS.filter(({ id, layer }) => CARD_LAYERS.includes(layer) && !IN_DISCOVERY.includes(id));

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
const shown = (ids: readonly CheckId[], preset: Preset): string[] =>
  unique(ids.filter((id) => severityOf(id, preset) !== 'off'));

function expectFailure(row: FailingRow, preset: Preset): void {
  const { id, path, keyword, also = [], ok } = row.want;
  const severity = row.want[preset];
  const report = judge(row, preset);
  const { findings } = report;
  expect(unique(findings.map((finding) => finding.id))).toEqual(
    unique([...(severity === 'off' ? [] : [id]), ...shown(also, preset)]),
  );
  const check = CHECKS.find((candidate) => candidate.id === id);
  const finding = findings.find((candidate) => candidate.id === id && candidate.path === path);
  if (severity !== 'off') {
    const paths = findings.filter((candidate) => candidate.id === id).map((candidate) => candidate.path);
    expect(paths).toContain(path);
    expect(finding).toMatchObject({ severity, layer: check?.layer, hint: expect.any(String), spec: check?.section });
    if (keyword !== undefined) expect(finding?.keyword).toBe(keyword);
  }
  const follows = severity !== 'error' && also.every((other) => severityOf(other, preset) !== 'error');
  expect(report.ok).toBe(ok?.[preset] ?? follows);
  expect(report.ok).toBe(!findings.some((candidate) => candidate.severity === 'error'));
  if (check?.layer === 'spec') {
    expect(report.specChecks.filter((result) => result.id === id)).toContainEqual(
      expect.objectContaining({ pass: false, path }),
    );
  }
}

function expectPass(row: NearMiss, preset: Preset): void {
  const { not, also = [] } = row.want;
  const report = judge(row, preset);
  const ids = unique(report.findings.map((finding) => finding.id));
  expect(ids).not.toContain(not);
  expect(ids).toEqual(shown(also, preset));
  expect(report.specChecks.filter((result) => result.id === not && !result.pass)).toEqual([]);
}

for (const { family, fails, passes } of SHEETS) {
  describe(family, () => {
    for (const row of fails) {
      it.each(PRESETS)(`${row.want.id}: ${row.name} (%s)`, (preset) => expectFailure(row, preset));
    }
    for (const row of passes) {
      it.each(PRESETS)(`not ${row.want.not}: ${row.name} (%s)`, (preset) => expectPass(row, preset));
    }
  });
}

describe('the sheets are whole', () => {
  const failing = new Set<string>([
    ...SHEETS.flatMap(({ fails }) => fails.map((row) => row.want.id)),
    ...ADDRESS_ROWS.map((row) => row.want.id),
  ]);
  const passing = new Set<string>([
    ...SHEETS.flatMap(({ passes }) => passes.map((row) => row.want.not)),
    ...ADDRESS_ROWS.filter((row) => row.want.allowed).map((row) => row.want.id),
  ]);

  it.each(ofCard.map((check) => check.id))('%s has a card that fails it', (id) => {
    expect(failing.has(id)).toBe(true);
  });

  it.each(ofCard.map((check) => check.id))('%s has a near miss', (id) => {
    expect(passing.has(id)).toBe(true);
  });

  it('no two rows of a sheet state the same rule', () => {
    for (const { fails, passes } of SHEETS) {
      const names = [...fails.map((row) => row.want.id + row.name), ...passes.map((row) => row.want.not + row.name)];
      expect(names).toEqual([...new Set(names)]);
    }
  });
});
