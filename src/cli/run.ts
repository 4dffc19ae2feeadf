import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addCheckCommand } from './check.ts';
import { EXIT, type ExitStatus, StatusError } from './exit-status.ts';
import { addExplainCommand } from './explain.ts';
import { createSession, type Io, type Session } from './io.ts';
import { addMigrateCommand } from './migrate.ts';
import { WIDTH } from './paper.ts';
import { addSendCommand } from './send.ts';

const AFTER = `
Examples:
  a2a-guard check https://agents.example.com
  a2a-guard send https://agents.example.com "What is on invoice 17?"
  a2a-guard explain skills-tags-nonempty

The result is on stdout and nothing else; diagnostics are on stderr.
Exit status: 0 fine; 1 findings, or a call that was refused or failed;
2 usage; 3 not found or unreachable; 4 credentials; 5 time-out.`;

/** Runs one command line, without the name of the program. Never rejects. */
export async function run(argv: readonly string[], io: Io): Promise<ExitStatus> {
  const session = createSession(io);
  let status: ExitStatus = EXIT.ok;
  const program = createProgram(session, (end) => {
    status = end;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    return endWith(error, session);
  }
}

function createProgram(session: Session, finish: (status: ExitStatus) => void): Command {
  const { io, err } = session;
  const program = new Command('a2a-guard')
    .description('A guard for clients of A2A agents: checks cards, and calls only what they allow.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => WIDTH,
      getErrHelpWidth: () => WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text) => {
        for (const line of text.trim().split('\n')) err.text(line.replace(/^error: /, ''), { label: 'a2a-guard:' });
      },
    })
    .addHelpText('after', AFTER);
  addCheckCommand(program, session, finish);
  addSendCommand(program, session, finish);
  addExplainCommand(program, session, finish);
  addMigrateCommand(program, session, finish);
  return program;
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The status of what a command threw; commander has said its own errors already. */
function endWith(error: unknown, { err }: Session): ExitStatus {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof StatusError) {
    err.text(error.message, { label: 'a2a-guard:' });
    return error.status;
  }
  const message = error instanceof Error ? error.message : String(error);
  err.verbatim(`a2a-guard: internal error: ${message.slice(0, 500).replace(/\s+/g, ' ')}`);
  return EXIT.failed;
}
