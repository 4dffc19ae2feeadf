import { type Command, Option } from 'commander';
import type { Plan } from '../card/capability.ts';
import type { SignaturePolicy } from '../card/signatures.ts';
import { createUndiciClient } from '../client/undici.ts';
import { createGuard, type Guard } from '../index.ts';
import { type GuardOptions, resolveOptions, type SignatureOptions } from '../options.ts';
import { parseUrl } from '../schema/url.ts';
import { asUsage, EXIT, type ExitStatus, StatusError, worseOf } from './exit-status.ts';
import { addGuardFlags, type GuardFlags, readNames, toGuardOptions } from './flags.ts';
import type { Session } from './io.ts';
import { readJsonFile, withFile } from './json-file.ts';
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
  readonly signatures?: SignaturePolicy;
  readonly jwks?: string;
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
  a2a-guard check https://agents.example.com --jwks trusted-keys.json

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
      new Option('--signatures <policy>', 'what is asked of signatures').choices([
        'shape',
        'verify-if-present',
        'require',
      ]),
    )
    .option('--jwks <file>', 'JSON Web Key Set of the keys that are trusted; implies --signatures require')
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
  const signatures = await readSignatureFlags(flags);
  const options = { ...toGuardOptions(flags, true), ...(signatures !== undefined && { signatures }) };
  const resolved = asUsage(() => resolveOptions(options));
  const bundle = flags.bundle === undefined ? undefined : await readJsonFile(flags.bundle, '--bundle');
  const client = createUndiciClient({ connectMs: resolved.limits.connectMs, network: resolved.network });
  const guard =
    bundle === undefined
      ? createGuard({ ...options, client })
      : withFile('--bundle', () => createGuard({ ...options, client, bundle }));
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

/** What the flags ask of signatures, with the keys of their file. */
async function readSignatureFlags({ signatures, jwks }: CheckFlags): Promise<GuardOptions['signatures']> {
  if (jwks === undefined) return signatures;
  const keys = (await readJsonFile(jwks, '--jwks')) as NonNullable<SignatureOptions['jwks']>;
  const given = { policy: signatures ?? 'require', jwks: keys } as const;
  withFile('--jwks', () => resolveOptions({ signatures: given }));
  return given;
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
function createJudge(guard: Guard, flags: CheckFlags, maxBytes: number): (content: Content) => Promise<Judged> {
  const { pointer } = flags;
  if (pointer === undefined) {
    return async (content) => {
      const report = await judgeCardOf(content, guard, flags);
      return { ok: report.ok && report.capability.ok, report, write: ({ out }) => writeReport(report, out) };
    };
  }
  const direction = flags.incoming ? 'incoming' : 'outgoing';
  asUsage(() => guard.check(pointer, {}));
  return async (content) => {
    const report = judgeValueOf(content, guard, { pointer, direction, maxBytes });
    return { ok: report.ok, report, write: ({ out }) => writeValueReport(report, out) };
  };
}

async function checkAll(
  targets: readonly Target[],
  judge: (content: Content) => Promise<Judged>,
  facts: ReadFacts,
  { format }: CheckFlags,
  session: Session,
): Promise<ExitStatus> {
  const verdicts: Judged[] = [];
  let status: ExitStatus = EXIT.ok;
  for (const target of targets) {
    try {
      const judged = await judge(await readTarget(target, facts));
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
