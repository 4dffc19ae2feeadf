import { type Command, Option } from 'commander';
import type { Plan } from '../card/capability.ts';
import { createUndiciClient } from '../client/undici.ts';
import { createGuard, type Guard } from '../index.ts';
import { resolveOptions } from '../options.ts';
import { parseUrl } from '../schema/url.ts';
import { compileWith, loadBundle } from './bundle.ts';
import { asUsage, EXIT, type ExitStatus, StatusError, worseOf } from './exit-status.ts';
import { addGuardFlags, type GuardFlags, readNames, toGuardOptions } from './flags.ts';
import type { Session } from './io.ts';
import { judgeCardOf, judgeValueOf } from './judge.ts';
import { toJson } from './printable.ts';
import { writeReport, writeValueReport } from './report-text.ts';
import { type Content, type ReadFacts, readTarget, resolveTarget, type Target } from './target.ts';
import { writeFailure } from './ticket-text.ts';

const PLAN_FLAGS = ['streaming', 'pushNotifications', 'extendedAgentCard'] as const satisfies readonly (keyof Plan)[];

interface CheckFlags extends GuardFlags {
  readonly bundle?: string;
  readonly plan?: Plan;
  readonly cardUrl?: string;
  readonly pointer?: string;
  readonly incoming?: boolean;
}

const AFTER = `
A target is a file, "-" for stdin, the URL of an agent or that of its card.
--format json prints one report for one target and an array for several; a
target that could not be read has no report, only a line on stderr.

Examples:
  a2a-guard check agent-card.json
  a2a-guard check https://agents.example.com --plan streaming
  a2a-guard check *.json --preset interop --rule no-secret=warn --format json
  a2a-guard check task.json --pointer '#/$defs/Task' --incoming

Exit status: 0 green; 1 red, or an intention that the card does not allow;
2 usage; 3 not found or unreachable; 4 credentials; 5 time-out. With several
targets it is the largest one.`;

export function addCheckCommand(program: Command, session: Session, finish: (status: ExitStatus) => void): void {
  const command = program
    .command('check')
    .summary('check Agent Cards by the schema, the specification and trust')
    .description('Checks Agent Cards, or with --pointer other values, and prints what is wrong.')
    .argument('<target...>', 'file, URL or "-"');
  addGuardFlags(command)
    .addOption(
      new Option('--plan <flags>', `what the client intends: ${PLAN_FLAGS.join(', ')}`).argParser(
        (text): Plan => Object.fromEntries(readNames(text, PLAN_FLAGS).map((flag) => [flag, true])),
      ),
    )
    .option('--card-url <url>', 'where the card of a file or of stdin is served')
    .option('--bundle <file>', 'JSON Schema bundle to use in place of the pinned one')
    .addOption(
      new Option('--pointer <pointer>', "judge a value at this pointer, such as '#/$defs/Message'").conflicts([
        'plan',
        'cardUrl',
      ]),
    )
    .option('--incoming', 'with --pointer: judge the value as an answer, not as a request')
    .addHelpText('after', AFTER)
    .action(async (names: readonly string[], flags: CheckFlags) => finish(await runCheck(names, flags, session)));
}

/** Whatever is wrong on the command line is said before the first target is read. */
async function runCheck(names: readonly string[], flags: CheckFlags, session: Session): Promise<ExitStatus> {
  const targets = names.map((name) => resolveTarget(name, flags.exact === true));
  checkUsage(targets, flags);
  const options = toGuardOptions(flags, true);
  const resolved = asUsage(() => resolveOptions(options));
  const bundle = flags.bundle === undefined ? undefined : await loadBundle(flags.bundle);
  const client = createUndiciClient({ connectMs: resolved.limits.connectMs, network: resolved.network });
  const guard =
    bundle === undefined
      ? createGuard({ ...options, client })
      : compileWith(() => createGuard({ ...options, client, bundle }));
  const { limits } = resolved;
  const maxBytes = flags.pointer === undefined ? limits.cardBytes : limits.responseBytes;
  try {
    const judge = createJudge(guard, flags, maxBytes);
    const facts: ReadFacts = { client, options: resolved, io: session.io, maxBytes };
    return await checkAll(targets, judge, facts, flags, session);
  } finally {
    await guard.close();
  }
}

function checkUsage(targets: readonly Target[], { cardUrl, pointer, incoming }: CheckFlags): void {
  const fail = (message: string): never => {
    throw new StatusError(EXIT.usage, message);
  };
  if (targets.filter(({ kind }) => kind === 'stdin').length > 1) fail('stdin can be read once only.');
  if (incoming && pointer === undefined) fail('--incoming says how a value is judged; give its --pointer.');
  if (cardUrl === undefined) return;
  if (targets.some(({ kind }) => kind === 'url')) fail('--card-url is for files and stdin; a URL says where it is.');
  if (parseUrl(cardUrl) === undefined) fail('--card-url: expected an absolute URL.');
}

/** A verdict, as it is printed. */
interface Judged {
  readonly ok: boolean;
  readonly report: object;
  readonly write: (session: Session) => void;
}

/** What is done with the content of each target: judged as a card, or at the pointer. */
function createJudge(guard: Guard, flags: CheckFlags, maxBytes: number): (content: Content) => Judged {
  const { pointer } = flags;
  if (pointer === undefined) {
    return (content) => {
      const report = judgeCardOf(content, guard, flags);
      return { ok: report.ok && report.capability.ok, report, write: ({ out }) => writeReport(report, out) };
    };
  }
  const direction = flags.incoming ? 'incoming' : 'outgoing';
  asUsage(() => guard.check(pointer, {}));
  return (content) => {
    const report = judgeValueOf(content, guard, { pointer, direction, maxBytes });
    return { ok: report.ok, report, write: ({ out }) => writeValueReport(report, out) };
  };
}

async function checkAll(
  targets: readonly Target[],
  judge: (content: Content) => Judged,
  facts: ReadFacts,
  { format }: CheckFlags,
  session: Session,
): Promise<ExitStatus> {
  const verdicts: Judged[] = [];
  let status: ExitStatus = EXIT.ok;
  for (const target of targets) {
    try {
      const judged = judge(await readTarget(target, facts));
      if (format === 'text' && verdicts.length > 0) session.out.blank();
      if (format === 'text') judged.write(session);
      verdicts.push(judged);
      status = worseOf(status, judged.ok ? EXIT.ok : EXIT.failed);
    } catch (error) {
      status = worseOf(status, writeFailure(error, format, session));
    }
  }
  if (format === 'json') writeJson(verdicts, targets.length, session);
  else if (targets.length > 1) writeSummary(verdicts, targets.length, session);
  return status;
}

/** One report for one target, an array for several; a target that could not be read has none. */
function writeJson(verdicts: readonly Judged[], count: number, { io }: Session): void {
  const reports = verdicts.map(({ report }) => report);
  const value = count === 1 ? reports[0] : reports;
  if (value !== undefined) io.stdout.write(`${toJson(value, 2)}\n`);
}

function writeSummary(verdicts: readonly Judged[], count: number, { out }: Session): void {
  const green = verdicts.filter(({ ok }) => ok).length;
  const parts = [`${green} hold`, `${verdicts.length - green} do not`];
  if (verdicts.length < count) parts.push(`${count - verdicts.length} could not be read`);
  if (verdicts.length > 0) out.blank();
  out.text(`${count} targets: ${parts.join(', ')}.`, { tone: 'strong' });
}
