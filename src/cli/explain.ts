import type { Command } from 'commander';
import { EXIT, type ExitStatus, StatusError } from './exit-status.ts';
import { writeContents, writeSubject } from './explain-text.ts';
import type { Session } from './io.ts';
import { findSubjects, nearSubjects } from './subjects.ts';

const AFTER = `
Without a word it lists what can be explained.

Examples:
  a2a-guard explain skills-tags-nonempty
  a2a-guard explain -32004
  a2a-guard explain skills.tags
  a2a-guard explain trust

Exit status: 0 explained; 2 nothing by that name.`;

/** Other meanings of a word that are named at most. */
const MAX_OTHERS = 8;

export function addExplainCommand(program: Command, session: Session, finish: (status: ExitStatus) => void): void {
  program
    .command('explain')
    .summary('explain a check, an error code, a layer or a field')
    .description('Explains a check, an error code, a layer, or a message or field of A2A 1.0.')
    .argument('[what]', 'id of a check, name or number of an error, layer, message, field')
    .addHelpText('after', AFTER)
    .action((what: string | undefined) => finish(runExplain(what, session)));
}

function runExplain(what: string | undefined, { out }: Session): ExitStatus {
  if (what === undefined) {
    writeContents(out);
    return EXIT.ok;
  }
  const [first, ...others] = findSubjects(what.trim());
  if (first === undefined) {
    const near = nearSubjects(what).map((name) => `"${name}"`);
    const message = `There is nothing to explain about "${what.slice(0, 80)}".`;
    throw new StatusError(
      EXIT.usage,
      near.length === 0 ? message : `${message} Did you mean ${near.join(', ').replace(/, ([^,]*)$/, ' or $1')}?`,
    );
  }
  writeSubject(first, out);
  if (others.length === 0) return EXIT.ok;
  const names = others.slice(0, MAX_OTHERS).map(({ kind, name }) => `${name} (${kind})`);
  out.blank();
  out.text(names.join(', '), { label: 'also', labelTone: 'quiet', labelWidth: 12 });
  return EXIT.ok;
}
