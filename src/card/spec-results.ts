import { type CheckId, findCheck } from '../checks.ts';
import type { Fault, Grade } from '../ticket.ts';
import { SPEC_IDS } from './spec.ts';

/** What one check of pass 2 said; one for each fault, or one that says that there was none. */
export interface SpecCheckResult {
  readonly id: string;
  readonly pass: boolean;
  readonly severity?: 'error' | 'warn';
  readonly path?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** On a 0.x card these have no subject to judge. */
const NOT_IN_LEGACY = /^(?:interface-|security-|required-supportedInterfaces)/;

const pass = (id: CheckId): SpecCheckResult => Object.freeze({ id, pass: true });

/** The results of a card without a fault: made once, so that most reports make none. */
const PASSED: readonly SpecCheckResult[] = Object.freeze(SPEC_IDS.map(pass));
const PASSED_LEGACY: readonly SpecCheckResult[] = Object.freeze(PASSED.filter(({ id }) => !NOT_IN_LEGACY.test(id)));

/** Lists every check of pass 2 with at most `max` faults of it, in the order of the table of checks. */
export function listResults(
  faults: readonly Fault[],
  { grade, legacy, max }: { readonly grade: Grade; readonly legacy: boolean; readonly max: number },
): readonly SpecCheckResult[] {
  const passed = legacy ? PASSED_LEGACY : PASSED;
  if (faults.length === 0) return passed;
  const failed = new Set<string>(faults.map(({ id }) => id));
  return passed.flatMap((result) => {
    if (!failed.has(result.id)) return result;
    const own = faults.filter(({ id }) => id === result.id);
    return own.slice(0, max).map((fault) => toResult(fault, grade));
  });
}

function toResult(fault: Fault, grade: Grade): SpecCheckResult {
  const severity = grade(fault);
  const { id, path, message, hint = findCheck(id)?.hint } = fault;
  return {
    id,
    pass: false,
    ...(severity !== 'off' && { severity: severity === 'error' ? ('error' as const) : ('warn' as const) }),
    path,
    message,
    ...(hint !== undefined && { hint }),
  };
}
