import type { InterfaceEntry } from './interfaces.ts';
import type { Item, Json } from './read.ts';

/** What may be reached and what is tolerated on the way; see the `network` option. */
export interface NetworkFacts {
  readonly allowPrivate: boolean;
  readonly allowInsecure: boolean;
  /** Origins that interfaces may have beside the card's own. */
  readonly allowOrigins: readonly string[];
}

/** What the card's judges know beside the card. */
export interface CardFacts {
  readonly card: Json;
  /**
   * The fused validator says that names, types, REQUIRED fields and choices are right. What judges only these need not
   * look again.
   */
  readonly shaped: boolean;
  readonly interfaces: readonly InterfaceEntry[];
  /** The skills that are objects. */
  readonly skills: readonly Item[];
  /** A 0.x card: only what has the same place in both versions is judged. */
  readonly legacy: boolean;
  /** Where the card came from; without it addresses cannot be compared. */
  readonly cardUrl?: URL;
  readonly network: NetworkFacts;
}
