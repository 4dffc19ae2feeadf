import { LRUCache } from 'lru-cache';

/** Texts that are remembered at most, and how long one may be. */
const MAX_TEXTS = 1000;
const MAX_LENGTH = 2048;

/** A pure function of a text, such as one that parses a URL, that gives the same object again for the texts it saw last. */
export function remembered<T extends object>(make: (text: string) => T): (text: string) => T {
  // With `max` in place of a size, the memory of all texts would be taken at once.
  const known = new LRUCache<string, T>({ maxSize: MAX_TEXTS, sizeCalculation: () => 1 });
  return (text) => {
    if (text.length > MAX_LENGTH) return make(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
