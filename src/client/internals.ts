import type { Agent } from './agent.ts';
import type { AgentFacts } from './establish.ts';

/** What other doors of this package need of a guard beyond its public face. */
export interface GuardInternals {
  readonly facts: AgentFacts;
  /** Admits a card without fetching it; the same verdicts and errors as `guard.agent`. */
  readonly admit: (card: object) => Agent;
}

const INTERNALS = new WeakMap<object, GuardInternals>();

export function setInternals(guard: object, internals: GuardInternals): void {
  INTERNALS.set(guard, internals);
}

/** @throws TypeError for what is no guard of this copy of the package. */
export function internalsOf(guard: object): GuardInternals {
  const internals = INTERNALS.get(guard);
  if (internals === undefined)
    throw new TypeError('guard: expected what createGuard returned, of the same copy of a2a-guard');
  return internals;
}
