import { parseText } from '../traffic/wire.ts';
import { EXIT, StatusError } from './exit-status.ts';
import { readFile } from './target.ts';

/** Bytes of a schema bundle or key set that are read at most; the published bundle has about 60 KiB. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads the file that a flag names.
 * @throws StatusError for a file that cannot be read or holds no JSON object.
 */
export async function readJsonFile(path: string, flag: string): Promise<object> {
  const bytes = await readFile(path, MAX_BYTES);
  if (bytes.length > MAX_BYTES) throw wrongFile(flag, `it is larger than ${MAX_BYTES} bytes`);
  const parsed = parseText(new TextDecoder().decode(bytes));
  if ('fault' in parsed) throw wrongFile(flag, 'it is not JSON');
  if (typeof parsed.value !== 'object' || parsed.value === null) throw wrongFile(flag, 'it is not a JSON object');
  return parsed.value;
}

/** Runs the step that uses the file; whatever that throws is said of the flag. */
export function withFile<T>(flag: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw wrongFile(flag, error instanceof Error ? error.message.replace(/^[\w.]+: /, '') : 'it cannot be used');
  }
}

function wrongFile(flag: string, reason: string): StatusError {
  return new StatusError(EXIT.usage, `${flag}: ${reason}.`.replace(/\.\.$/, '.'));
}
