import type { CapabilityReport } from '../card/capability.ts';
import type { CardReport } from '../card/report.ts';
import { LAYERS } from '../checks.ts';
import type { Finding } from '../ticket.ts';
import { countFindings, toneOf, writeFindings } from './findings-text.ts';
import type { ValueReport } from './judge.ts';
import { NEXT_MOVES } from './next-moves.ts';
import type { Paper, Tone } from './paper.ts';

const LABEL_WIDTH = 12;

/** Interfaces, and signatures, that are listed at most. */
const MAX_LISTED = 10;

/** The layers that judge a card, whether or not they found something. */
const CARD_LAYERS = ['parse', 'schema', 'spec', 'trust'] as const;

type Flag = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** Flags of the card, and the members of the report that say whether the client intends to use them. */
const FLAGS: readonly { readonly flag: Flag; readonly intended: keyof CapabilityReport }[] = [
  { flag: 'streaming', intended: 'clientWillStream' },
  { flag: 'pushNotifications', intended: 'clientWillPush' },
  { flag: 'extendedAgentCard', intended: 'clientWillExtend' },
];

/** The report on a card, for people: verdict, one line a layer, then what was found. */
export function writeReport(report: CardReport, paper: Paper): void {
  writeVerdict(report.target, report.ok, paper);
  const { card } = report;
  if (card !== undefined && card.name !== '') {
    paper.text(`${card.name} ${card.version}`.trimEnd(), { indent: LABEL_WIDTH, tone: 'quiet' });
  }
  paper.blank();
  writeLayers(report, paper);
  writeCapability(report, paper);
  writeInterfaces(report, paper);
  writeSignatures(report, paper);
  row(paper, 'next', `${report.next}: ${NEXT_MOVES[report.next]}`, 'strong');
  writeByLayer(report.findings, paper);
  if (report.ok) {
    paper.blank();
    paper.text(report.note, { tone: 'quiet' });
  }
}

/** The verdict on a value at a pointer, for people. */
export function writeValueReport(report: ValueReport, paper: Paper): void {
  writeVerdict(report.target, report.ok, paper);
  paper.blank();
  row(paper, 'pointer', report.pointer);
  row(paper, 'direction', report.direction);
  row(paper, 'findings', countFindings(report.findings), toneOf(report.findings));
  writeByLayer(report.findings, paper);
}

function writeVerdict(target: string, ok: boolean, paper: Paper): void {
  paper.text(target, {
    label: ok ? 'GREEN' : 'RED',
    labelTone: ok ? 'good' : 'bad',
    labelWidth: LABEL_WIDTH,
    tone: 'strong',
  });
}

function row(paper: Paper, label: string, text: string, tone: Tone = 'plain'): void {
  paper.text(text, { label, labelTone: 'quiet', labelWidth: LABEL_WIDTH, tone });
}

function writeLayers({ findings, parse, schemaPass }: CardReport, paper: Paper): void {
  const found = LAYERS.filter((layer) => findings.some((finding) => finding.layer === layer));
  const shown = LAYERS.filter((layer) => found.includes(layer) || CARD_LAYERS.some((judged) => judged === layer));
  for (const layer of shown) {
    const own = findings.filter((finding) => finding.layer === layer);
    const judged = parse || own.length > 0;
    const fact =
      layer === 'schema' && judged && !schemaPass && own.length === 0 ? 'not passed, by rule off' : undefined;
    row(paper, layer, judged ? (fact ?? countFindings(own)) : 'not judged', judged ? toneOf(own) : 'quiet');
  }
}

function writeCapability({ parse, capability }: CardReport, paper: Paper): void {
  if (!parse) return;
  for (const [index, { flag, intended }] of FLAGS.entries()) {
    const declared = capability[flag];
    const wanted = capability[intended];
    const answer = declared ? 'declared' : 'not declared';
    const verdict = wanted ? (declared ? '; intended and allowed' : '; intended, and would be refused') : '';
    const tone = wanted ? (declared ? 'good' : 'bad') : 'plain';
    row(paper, index === 0 ? 'capability' : '', `${flag} ${answer}${verdict}`, tone);
  }
}

function writeInterfaces({ interfaces = [] }: CardReport, paper: Paper): void {
  for (const [index, { url, binding, version, chosen, why }] of interfaces.slice(0, MAX_LISTED).entries()) {
    const name = [binding || 'no binding', version || 'no version', url || 'no url'].join('  ');
    row(paper, index === 0 ? 'interface' : '', name, chosen ? 'good' : 'plain');
    paper.text(`${chosen ? 'chosen' : 'not chosen'}: ${why}`, { indent: LABEL_WIDTH + 2, tone: 'quiet' });
  }
  if (interfaces.length > MAX_LISTED) row(paper, '', `and ${interfaces.length - MAX_LISTED} more`, 'quiet');
}

function writeSignatures({ signatures = [] }: CardReport, paper: Paper): void {
  for (const [index, { state, alg = '', kid = '', why }] of signatures.slice(0, MAX_LISTED).entries()) {
    const tone = state === 'verified' ? 'good' : 'plain';
    row(paper, index === 0 ? 'signature' : '', [state, alg, kid].join('  ').trimEnd(), tone);
    paper.text(why, { indent: LABEL_WIDTH + 2, tone: 'quiet' });
  }
}

function writeByLayer(findings: readonly Finding[], paper: Paper): void {
  for (const layer of LAYERS) {
    const own = findings.filter((finding) => finding.layer === layer);
    if (own.length === 0) continue;
    paper.blank();
    paper.text(layer, { tone: 'strong' });
    writeFindings(own, paper, 2);
  }
}
