import type { Command } from 'commander';
import { type Migration, migrateCard } from '../card/migrate.ts';
import { parseCard } from '../card/parse.ts';
import { createUndiciClient } from '../client/undici.ts';
import { createGuard } from '../index.ts';
import { resolveOptions } from '../options.ts';
import { isError } from '../ticket.ts';
import { EXIT, type ExitStatus, StatusError } from './exit-status.ts';
import { addGuardFlags, type GuardFlags, toGuardOptions } from './flags.ts';
import type { Session } from './io.ts';
import { toJson } from './printable.ts';
import { readTarget, resolveTarget } from './target.ts';

const AFTER = `
The 1.0 card is on stdout; what was moved, renamed, dropped or cannot be known
is on stderr. --format json prints both as one object. Nothing is invented:
what 1.0 requires and the old card does not say stays missing, and is named.

Example:
  a2a-guard migrate agent.json > agent-card.json

Exit status: 0 the result is green; 1 it still has findings; 2 usage;
3 not found or unreachable; 4 credentials; 5 time-out.`;

export function addMigrateCommand(program: Command, session: Session, finish: (status: ExitStatus) => void): void {
  const command = program
    .command('migrate')
    .summary('rewrite a 0.x card as a 1.0 card')
    .description('Rewrites an Agent Card of 0.x as one of 1.0 and says what became of each member.')
    .argument('<target>', 'file, URL or "-"');
  addGuardFlags(command)
    .addHelpText('after', AFTER)
    .action(async (name: string, flags: GuardFlags) => finish(await runMigrate(name, flags, session)));
}

async function runMigrate(name: string, flags: GuardFlags, session: Session): Promise<ExitStatus> {
  const options = toGuardOptions(flags, true);
  const resolved = resolveOptions(options);
  const client = createUndiciClient({ connectMs: resolved.limits.connectMs, network: resolved.network });
  const guard = createGuard({ ...options, client });
  try {
    const target = resolveTarget(name, flags.exact === true);
    const maxBytes = resolved.limits.cardBytes;
    const { bytes } = await readTarget(target, { client, options: resolved, io: session.io, maxBytes });
    const { card, faults } = parseCard(bytes, resolved.limits);
    if (card === undefined) throw new StatusError(EXIT.failed, faults[0]?.message ?? 'This is no card.');
    const migration = migrateCard(card);
    const left = guard.checkCard(migration.card).findings.filter(isError);
    write(
      migration,
      left.map(({ message }) => message),
      flags,
      session,
    );
    return left.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await guard.close();
  }
}

const LABEL_WIDTH = 9;

function write(
  { card, moves }: Migration,
  left: readonly string[],
  { format }: GuardFlags,
  { io, err }: Session,
): void {
  io.stdout.write(`${toJson(format === 'json' ? { card, moves, left } : card, 2)}\n`);
  if (format === 'json') return;
  for (const { what, from, to, note } of moves) {
    err.text(`${from}${to === undefined ? '' : ` -> ${to}`}: ${note}`, { label: what, labelWidth: LABEL_WIDTH });
  }
  for (const message of left) err.text(message, { label: 'left', labelTone: 'bad', labelWidth: LABEL_WIDTH });
}
