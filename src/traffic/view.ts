import type { Fault } from '../ticket.ts';

/** Moves what was found in a view to its place in the wire's own writing. */
export type Locate = <T extends { readonly path: string }>(found: T) => T;

/** A value of the wire in another writing, as a set of rules sees it. */
export interface View {
  readonly value: unknown;
  readonly locate: Locate;
  /** What could not be read without a doubt, at its place on the wire. */
  readonly faults: readonly Fault[];
}

export const asIs: Locate = (found) => found;

/** The value itself, in its own writing. */
export function viewAsIs(value: unknown): View {
  return { value, locate: asIs, faults: NOTHING };
}

const NOTHING: readonly Fault[] = [];
