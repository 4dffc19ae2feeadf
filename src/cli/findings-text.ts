import { placeOf } from '../schema/pointer.ts';
import { type Finding, isError } from '../ticket.ts';
import type { Paper, Tone } from './paper.ts';

/** Places that are listed for one check; the rest is counted. */
const MAX_PLACES = 6;

export const SEVERITY_TONE: Readonly<Record<Finding['severity'], Tone>> = { error: 'bad', warn: 'odd' };

/** Columns of the severity before a finding. */
const LABEL_WIDTH = 7;

/** Prints findings in their order, those of one check together: its places, then once how to mend it. */
export function writeFindings(findings: readonly Finding[], paper: Paper, indent = 0): void {
  for (const group of groupFindings(findings)) writeGroup(group, paper, indent);
}

function groupFindings(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = [finding.layer, finding.severity, finding.id, finding.hint].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

function writeGroup(group: readonly Finding[], paper: Paper, indent: number): void {
  const [first] = group;
  if (first === undefined) return;
  const { id, severity, hint, spec } = first;
  const section = spec === undefined ? '' : `  ${spec}`;
  const inner = indent + LABEL_WIDTH;
  paper.text(`${id}${section}`, {
    indent,
    label: severity,
    labelTone: SEVERITY_TONE[severity],
    labelWidth: LABEL_WIDTH,
    tone: 'strong',
  });
  for (const finding of group.slice(0, MAX_PLACES)) {
    paper.text(sentenceOf(finding), { indent: inner, ...(group.length > 1 && { label: '-' }) });
  }
  if (group.length > MAX_PLACES) {
    const more = group.length - MAX_PLACES;
    paper.text(`and ${more} more`, { indent: inner, label: '-', tone: 'quiet' });
  }
  if (hint !== undefined) paper.text(hint, { indent: inner, label: '->', labelTone: 'good' });
}

/** The message, with the place in front where it does not name it. */
function sentenceOf({ path, message }: Finding): string {
  return path === '' || message.includes(placeOf(path)) ? message : `${placeOf(path)}: ${message}`;
}

/** "2 errors, 1 warning", or "ok". */
export function countFindings(findings: readonly Finding[]): string {
  const errors = findings.filter(isError).length;
  const counts = [
    { count: errors, word: 'error' },
    { count: findings.length - errors, word: 'warning' },
  ];
  const said = counts.filter(({ count }) => count > 0);
  return said.map(({ count, word }) => `${count} ${word}${count === 1 ? '' : 's'}`).join(', ') || 'ok';
}

export function toneOf(findings: readonly Finding[]): Tone {
  if (findings.some(isError)) return 'bad';
  return findings.length > 0 ? 'odd' : 'good';
}
