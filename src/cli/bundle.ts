import { parseText } from '../traffic/wire.ts';
import { EXIT, StatusError } from './exit-status.ts';
import { readFile } from './target.ts';

/** Bytes of a schema bundle that are read at most; the published one has about 60 KiB. */
const MAX_BUNDLE_BYTES = 8 * 1024 * 1024;

/** @throws StatusError for a file that cannot be read or holds no JSON object. */
export async function loadBundle(path: string): Promise<object> {
  const bytes = await readFile(path, MAX_BUNDLE_BYTES);
  if (bytes.length > MAX_BUNDLE_BYTES) throw notABundle(`it is larger than ${MAX_BUNDLE_BYTES} bytes`);
  const parsed = parseText(new TextDecoder().decode(bytes));
  if ('fault' in parsed) throw notABundle('it is not JSON');
  if (typeof parsed.value !== 'object' || parsed.value === null) throw notABundle('it is not a JSON object');
  return parsed.value;
}

/** Runs the step that compiles the bundle; whatever that throws is said of the bundle. */
export function compileWith<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw notABundle(error instanceof Error ? error.message.replace(/^bundle: /, '') : 'it cannot be compiled');
  }
}

function notABundle(reason: string): StatusError {
  return new StatusError(EXIT.usage, `--bundle: ${reason}.`.replace(/\.\.$/, '.'));
}
