import distance, { closestMatch } from 'leven';

/** Characters of one member name that a path shows at most; names come from the wire. */
const MAX_SEGMENT = 80;

/** Adds a member to a JSON Pointer (RFC 6901). A very long name is cut. */
export function joinPath(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}/${member}`;
  const name = member.length > MAX_SEGMENT ? `${member.slice(0, MAX_SEGMENT)}…` : member;
  return `${path}/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
}

/** A JSON Pointer of another hand, in the form in which {@link joinPath} writes it: very long names are cut. */
export function cutPath(path: string): string {
  if (path.length <= MAX_SEGMENT) return path;
  const names = path.split('/').slice(1);
  return names.reduce((cut, name) => joinPath(cut, name.replaceAll('~1', '/').replaceAll('~0', '~')), '');
}

/** A path as a sentence names it: "skills/0/tags", or "the value" for the root. */
export function placeOf(path: string): string {
  return path === '' ? 'the value' : path.slice(1);
}

const DEFS = '#/$defs/';

/** "a Task; its pointer is #/$defs/Task": how a value at the wrong place is told its right one. */
export function describeDefinition(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}; its pointer is ${DEFS}${name}`;
}

/**
 * The definition name that a pointer such as `#/$defs/Message` names.
 * @throws TypeError for the root pointer, for a pointer of another form, and for a name that `names` does not have;
 * the message lists near names.
 */
export function resolvePointer(pointer: unknown, names: Iterable<string>): string {
  if (typeof pointer !== 'string') throw new TypeError(`the pointer must be a string, got ${typeof pointer}`);
  if (pointer === '#' || pointer === '' || pointer === '#/') {
    throw new TypeError(
      `the root pointer "${pointer}" validates nothing: the bundle is a set of definitions, so every value passes there. ` +
        `Name a definition, for example "${DEFS}AgentCard".`,
    );
  }
  const known = [...names];
  if (pointer.startsWith(DEFS) && known.includes(pointer.slice(DEFS.length))) return pointer.slice(DEFS.length);
  const wanted = pointer.slice(pointer.lastIndexOf('/') + 1);
  const near = nearest(wanted, known).map((name) => `"${DEFS}${name}"`);
  throw new TypeError(`the bundle has nothing at "${pointer}". Near: ${near.join(', ') || 'nothing'}.`);
}

/** How far a name is from the wanted one: as a whole, or with its end cut off, which people leave out. */
function farness(wanted: string, name: string): number {
  if (name.includes(wanted)) return 1;
  return Math.min(distance(wanted, name), distance(wanted, name.slice(0, wanted.length)) + 1);
}

/** How far a name may be to count as near. */
const nearness = (wanted: string): number => Math.max(2, Math.ceil(wanted.length * 0.4));

/** At most three names that a person may have meant, best first. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  if (names.length === 0 || wanted === '') return [];
  const lower = wanted.toLowerCase().slice(0, MAX_SEGMENT);
  const near = names
    .map((name) => ({ name, far: farness(lower, name.toLowerCase()) }))
    .filter((candidate) => candidate.far <= nearness(lower))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map((candidate) => candidate.name);
  if (near.length > 0) return near;
  const closest = closestMatch(lower, names);
  return closest === undefined ? [] : [closest];
}

/** `Did you mean "x"?` for a misspelt name, or an empty text when none is near. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const [best] = nearest(wanted, names);
  if (best === undefined || best === wanted) return '';
  const lower = wanted.toLowerCase().slice(0, MAX_SEGMENT);
  return farness(lower, best.toLowerCase()) <= nearness(lower) ? `Did you mean "${best}"?` : '';
}
