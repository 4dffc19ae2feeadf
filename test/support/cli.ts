import type { Io, Output } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

export interface Setup {
  readonly stdin?: readonly Uint8Array[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tty?: boolean;
}

export interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process. */
export async function cli(argv: readonly string[], { stdin = [], env = {}, tty = false }: Setup = {}): Promise<Ended> {
  const written = { out: '', err: '' };
  const toOutput = (name: 'out' | 'err'): Output => ({
    write(text) {
      written[name] += text;
    },
    isTTY: tty,
    closed: false,
  });
  const bytes = (async function* () {
    yield* stdin;
  })();
  const io: Io = { stdout: toOutput('out'), stderr: toOutput('err'), stdin: bytes, env };
  return { status: await run(argv, io), ...written };
}

export const json = <T>(text: string): T => JSON.parse(text) as T;

/** A text without its line breaks and columns. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The length of the longest line. */
export const widest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));

/** Characters that no output may have but for line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL: RegExp = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
