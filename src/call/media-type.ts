import { MIMEType } from 'whatwg-mimetype';
import { isPlainMediaType } from '../schema/media-type.ts';

/** What the modes of a card say about one media type. */
export type MediaVerdict =
  | 'allowed'
  /** Allowed because a bare word of the card was read as a range. */
  | 'allowed-as-range'
  /** Nothing readable was declared, so nothing is refused. */
  | 'nothing-declared'
  | 'refused';

/** Bare words in cards that stand for every subtype. */
const TOP_LEVEL = new Set(['text', 'image', 'audio', 'video', 'font', 'model', 'application', 'multipart']);

interface Mode {
  readonly essence: string;
  /** "image/" for image/*, "" for *&#47;*; undefined for one exact type. */
  readonly prefix: string | undefined;
  /** Written as a bare word, not as a media type. */
  readonly bare: boolean;
}

function readMode(text: string): Mode | undefined {
  const word = text.trim().toLowerCase();
  if (word === '*' || word === '*/*') return { essence: '*/*', prefix: '', bare: word === '*' };
  if (word === 'json') return { essence: 'application/json', prefix: undefined, bare: true };
  if (TOP_LEVEL.has(word)) return { essence: `${word}/*`, prefix: `${word}/`, bare: true };
  const type = MIMEType.parse(text);
  if (type === null) return undefined;
  return { essence: type.essence, prefix: type.subtype === '*' ? `${type.type}/` : undefined, bare: false };
}

/** type/subtype of a media type in lower case, without parameters; undefined for what is none. */
export function essenceOf(mediaType: string): string | undefined {
  return isPlainMediaType(mediaType) ? mediaType : MIMEType.parse(mediaType)?.essence;
}

/** Media types that a card or a request lists, compiled once. */
export interface MediaTypes {
  judge(essence: string | undefined): MediaVerdict;
  /** Whether two lists have a type in common; ranges count. */
  meets(other: MediaTypes): boolean;
  readonly modes: readonly Mode[];
}

const covers = (mode: Mode, essence: string): boolean =>
  mode.prefix === undefined ? mode.essence === essence : essence.startsWith(mode.prefix);

/** Verdicts that one list remembers: answers name the same few types again and again. */
const MAX_KNOWN = 32;

function judgeType(modes: readonly Mode[], essence: string | undefined): MediaVerdict {
  if (modes.length === 0) return 'nothing-declared';
  const fitting = essence === undefined ? [] : modes.filter((mode) => covers(mode, essence));
  if (fitting.some(({ bare }) => !bare)) return 'allowed';
  if (fitting.length > 0) return 'allowed-as-range';
  return modes.some(({ prefix }) => prefix === '') ? 'allowed' : 'refused';
}

/** Compiles a list of media types, ranges and bare words. Undefined: nothing was declared. */
export function compileMediaTypes(list: readonly string[] | undefined): MediaTypes {
  const modes = (list ?? []).map(readMode).filter((mode) => mode !== undefined);
  const known = new Map<string | undefined, MediaVerdict>();
  return {
    modes,
    judge(essence) {
      const before = known.get(essence);
      if (before !== undefined) return before;
      const verdict = judgeType(modes, essence);
      if (known.size < MAX_KNOWN) known.set(essence, verdict);
      return verdict;
    },
    meets(other) {
      if (modes.length === 0 || other.modes.length === 0) return true;
      return modes.some((mine) =>
        other.modes.some((theirs) => covers(mine, theirs.essence) || covers(theirs, mine.essence)),
      );
    },
  };
}

const TEXT = { essence: 'text/plain' } as const;
const JSON_DATA = { essence: 'application/json' } as const;

/**
 * The media type of a part in lower case: its own, else that of its content. `undeclared` for bytes and links without
 * one, `unreadable` for a text that is no media type (§4.1.6).
 */
export function mediaTypeOf(
  part: Readonly<Record<string, unknown>>,
): { readonly essence: string } | 'undeclared' | 'unreadable' {
  const own = part.mediaType;
  if (typeof own === 'string' && own !== '') {
    const essence = essenceOf(own);
    return essence === undefined ? 'unreadable' : { essence };
  }
  if (typeof part.text === 'string') return TEXT;
  if (Object.hasOwn(part, 'data') && part.data !== undefined) return JSON_DATA;
  return 'undeclared';
}
