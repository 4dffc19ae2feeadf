import { createPaper, type Paper } from './paper.ts';

/** One of the two streams that a command writes to. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** True when nobody reads any more. */
  readonly closed: boolean;
}

/** What the command line needs of a process, so that tests can stand in for one. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One run of the command line: where it reads, and how it writes for people. */
export interface Session {
  readonly io: Io;
  /** The result. */
  readonly out: Paper;
  /** Diagnostics. */
  readonly err: Paper;
}

export function createSession(io: Io): Session {
  const mayColour = !io.env.NO_COLOR && io.env.TERM !== 'dumb';
  const paperOf = (output: Output): Paper =>
    createPaper({ write: (text) => output.write(text), colour: mayColour && output.isTTY });
  return { io, out: paperOf(io.stdout), err: paperOf(io.stderr) };
}
