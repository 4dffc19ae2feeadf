import type { CheckId, Layer } from '../checks.ts';
import type { BundleValidator } from '../schema/bundle.ts';
import { validateCard } from '../schema/generated/card-1.0.ts';
import { isShaped } from '../schema/generated/fused-card-1.0.ts';
import { withoutSecrets } from '../schema/url.ts';
import { byLayer, capFindings, type Fault, type Finding, type Grade, isError, toFindings } from '../ticket.ts';
import { type CapabilityReport, type Plan, reportCapability } from './capability.ts';
import { recognizeDocument } from './document.ts';
import type { CardFacts, NetworkFacts } from './facts.ts';
import { type InterfaceEntry, readInterfaces } from './interfaces.ts';
import { checkLeftovers } from './leftovers.ts';
import { type Move, migrateCard } from './migrate.ts';
import { type ParsedCard, type ParseLimits, parseCard } from './parse.ts';
import { type Json, readObjects, readText } from './read.ts';
import { checkSchema, type SchemaPass } from './schema.ts';
import { type Considered, type Selection, type Spoken, selectInterface } from './select.ts';
import type { SignatureState } from './signatures.ts';
import { checkSpec } from './spec.ts';
import { listResults, type SpecCheckResult } from './spec-results.ts';
import { checkTrust } from './trust.ts';

export interface SchemaError {
  readonly path: string;
  readonly keyword: string;
  readonly message?: string;
}

export type ReportNext = 'fix-card' | 'choose-agent' | 'fix-request' | 'authenticate' | 'delegate';

/** The verdict on one card. `schemaPass`, `schemaErrors` and `specChecks[].pass` are facts, the same in every preset. */
export interface CardReport {
  readonly kind: 'card-validation-report';
  readonly note: string;
  readonly target: string;
  readonly schema: {
    readonly bundle: string;
    readonly pointer: '#/$defs/AgentCard';
    readonly normative: false;
    readonly sha256: string;
  };
  readonly parse: boolean;
  readonly schemaPass: boolean;
  readonly schemaErrors: readonly SchemaError[];
  readonly specChecks: readonly SpecCheckResult[];
  readonly capability: CapabilityReport;
  readonly next: ReportNext;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly card?: { readonly name: string; readonly version: string; readonly sha256: string };
  readonly interfaces?: readonly Considered[];
  /** What became of each signature, where the `signatures` option asked for it. */
  readonly signatures?: readonly SignatureState[];
  /** Set when a 0.x card was read as a 1.0 card (`legacyCards`): what was moved, renamed, dropped or is not known. */
  readonly compat?: { readonly note: string; readonly moves: readonly Move[] };
}

/** What the guard was set up with, as far as a card is judged by it. */
export interface CardPolicy {
  readonly limits: ParseLimits;
  readonly network: NetworkFacts;
  readonly speaks: readonly Spoken[];
  readonly grade: Grade;
  /** Whether a 0.x card is read as a 1.0 card, with warnings. */
  readonly legacyCards: boolean;
  readonly bundle: { readonly name: string; readonly sha256: string; readonly validateCard: BundleValidator };
  /** Whether the client has credentials that meet these requirements. */
  readonly canAuthenticate: (card: Json) => boolean;
}

export interface CardContext {
  readonly target?: string;
  readonly cardUrl?: URL;
  readonly plan?: Plan;
}

export interface CardVerdict {
  readonly report: CardReport;
  readonly selection: Selection;
  /** The card as it came; absent when there was none to judge. */
  readonly card?: Json;
  /** The card as it is read: the same, or what a 0.x card means in 1.0. */
  readonly effective?: Json;
}

const KIND = 'card-validation-report';

const NOTE =
  'Green is not a pass: it says that the card is legal under both passes, not that the agent keeps to it. The schema bundle is non-normative; the specification decides.';

const COMPAT =
  'This is a 0.x card. It was read as a 1.0 card by the table of what became of each member, because legacyCards allows it; the agent was not asked.';

/** What is left over from 0.x in a card that is read as 1.0: said, and no reason to refuse it. */
function tolerate(faults: readonly Fault[], source: Json, facts: CardFacts): Fault[] {
  const shape = faults.filter(({ id }) => id === 'legacy-card' || id === 'schema-unknown-key');
  const older = { ...facts, card: source, skills: readObjects('AgentCard', source, 'skills') };
  return [...shape, ...checkLeftovers(older)].map((fault) => ({ ...fault, severity: 'warn' }));
}

/** Pass 1 of a card that the fused validator calls right. */
const SOUND: SchemaPass = { errors: Object.freeze([]), faults: [], legacy: false };

/** Findings that a report lists at most. */
const MAX_REPORTED = 500;

/**
 * Judges a card from end to end: parse, then schema, spec, trust and interface, whatever the earlier ones said. Where
 * `hasShape` says yes, what it covers is not judged again; the verdict is the same if it always says no.
 */
export function judgeCard(
  input: string | Uint8Array | object,
  policy: CardPolicy,
  context: CardContext = {},
  hasShape: typeof isShaped = isShaped,
): CardVerdict {
  const parsed = parseCard(input, policy.limits);
  const shaped = parsed.card !== undefined && hasShape(parsed.card, policy.limits.jsonDepth);
  const foreign = parsed.card === undefined || shaped ? undefined : recognizeDocument(parsed.card);
  const parseFaults = foreign === undefined ? parsed.faults : [...parsed.faults, foreign];
  const parseFindings = toFindings(
    parseFaults,
    parsed.card === undefined ? gradeUnreadable(policy.grade) : policy.grade,
  );
  const readable = parsed.card !== undefined && !parseFindings.some(isError);
  if (!readable || parsed.card === undefined) return unreadable(parseFindings, policy, context);

  const source = parsed.card;
  const { validateCard: validate } = policy.bundle;
  const schema = shaped && validate === validateCard ? SOUND : checkSchema(source, validate);
  const migration = schema.legacy && policy.legacyCards ? migrateCard(source) : undefined;
  const card = migration?.card ?? source;
  const entries = readInterfaces(card);
  const facts: CardFacts = {
    card,
    shaped,
    interfaces: entries,
    skills: readObjects('AgentCard', card, 'skills'),
    legacy: schema.legacy && migration === undefined,
    network: policy.network,
    ...(/^https?:$/.test(context.cardUrl?.protocol ?? '') && { cardUrl: context.cardUrl as URL }),
  };
  const spec = checkSpec(facts);
  const older =
    migration === undefined
      ? schema.faults
      : [...tolerate(schema.faults, source, facts), ...checkSchema(card, validate).faults];
  const faults = [...older, ...spec, ...checkTrust(facts)];
  const unsound = unsoundEntries(entries, faults, policy.grade);
  const grade = gradeEntries(policy.grade, entries.length > 0 && unsound.size === entries.length);
  const findings = capFindings(byLayer([...parseFindings, ...toFindings(faults, grade)]), MAX_REPORTED);
  const selection = selectInterface(entries, policy.speaks, unsound);
  const ok = !findings.some(isError);
  const capability = reportCapability(card, context.plan);
  // Written out: objects that are spread into others are among the dearest things here.
  const report: CardReport = {
    kind: KIND,
    note: NOTE,
    target: targetOf(context),
    schema: schemaOf(policy),
    parse: true,
    schemaPass: schema.errors.length === 0,
    schemaErrors: schema.errors,
    specChecks: listResults(spec, { grade, legacy: facts.legacy, max: MAX_REPORTED }),
    capability,
    next: nextMove(ok, selection, capability, policy.canAuthenticate(card)),
    ok,
    findings,
    card: identityOf(card, parsed),
    interfaces: selection.considered,
  };
  return {
    card: source,
    effective: card,
    selection,
    report: migration === undefined ? report : { ...report, compat: { note: COMPAT, moves: migration.moves } },
  };
}

function targetOf({ target, cardUrl }: CardContext): string {
  return target ?? (cardUrl === undefined ? 'inline card' : withoutSecrets(cardUrl));
}

function schemaOf({ bundle }: CardPolicy): CardReport['schema'] {
  return { bundle: bundle.name, pointer: '#/$defs/AgentCard', normative: false, sha256: bundle.sha256 };
}

function identityOf(card: Json, parsed: ParsedCard): NonNullable<CardReport['card']> {
  return {
    name: readText('AgentCard', card, 'name') ?? '',
    version: readText('AgentCard', card, 'version') ?? '',
    get sha256() {
      return parsed.sha256?.() ?? '';
    },
  };
}

function unreadable(findings: Finding[], policy: CardPolicy, context: CardContext): CardVerdict {
  const report: CardReport = {
    kind: KIND,
    note: NOTE,
    target: targetOf(context),
    schema: schemaOf(policy),
    parse: false,
    schemaPass: false,
    schemaErrors: [],
    specChecks: [],
    capability: reportCapability({}, context.plan),
    next: 'fix-card',
    ok: false,
    findings,
  };
  return { report, selection: { declared: [], considered: [] } };
}

/** Entries that must not be called, each with the first reason. */
function unsoundEntries(
  entries: readonly InterfaceEntry[],
  faults: readonly Fault[],
  grade: Grade,
): Map<number, Fault> {
  const unsound = new Map<number, Fault>();
  if (faults.length === 0) return unsound;
  const known = new Map(entries.map(({ index, path }) => [path, index]));
  for (const fault of faults) {
    if (!ENTRY_CHECKS.has(fault.id) || !['error', 'entry'].includes(grade(fault))) continue;
    const index = known.get(fault.path.slice(0, fault.path.lastIndexOf('/')));
    if (index !== undefined && !unsound.has(index)) unsound.set(index, fault);
  }
  return unsound;
}

/** Checks whose severity may be `entry`: their faults belong to one interface. */
const ENTRY_CHECKS: ReadonlySet<CheckId> = new Set([
  'interface-url',
  'interface-https',
  'interface-version',
  'interface-private',
]);

/** Whether `rules` may set this check to `entry`. */
export function isEntryCheck(id: string): boolean {
  return ENTRY_CHECKS.has(id as CheckId);
}

/** Where there is no card to go on with, no rule can make that a warning; only what is no fault of it stays one. */
function gradeUnreadable(grade: Grade): Grade {
  return (fault) => (fault.id === 'parse-bom' ? grade(fault) : 'error');
}

/** `entry` is a warning while a sound interface is left, and gates the card when none is. */
function gradeEntries(grade: Grade, noneLeft: boolean): Grade {
  return (fault) => {
    const severity = grade(fault);
    return severity === 'entry' && noneLeft ? 'error' : severity;
  };
}

function nextMove(
  ok: boolean,
  selection: Selection,
  capability: CapabilityReport,
  canAuthenticate: boolean,
): ReportNext {
  if (!ok) return 'fix-card';
  if (selection.chosen === undefined) return 'choose-agent';
  if (!capability.ok) return 'fix-request';
  return canAuthenticate ? 'delegate' : 'authenticate';
}

/** The first layer, in the order of the layers, in which a card failed. */
export function firstFailure(report: CardReport): Layer | undefined {
  return report.findings.find(isError)?.layer;
}
