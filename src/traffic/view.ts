/** Moves what was found in a view to its place in the wire's own writing. */
export type Locate = <T extends { readonly path: string }>(found: T) => T;

/** A value of the wire in another writing, as a set of rules sees it. */
export interface View {
  readonly value: unknown;
  readonly locate: Locate;
}

export const asIs: Locate = (found) => found;
