import { CHECKS, type CheckId } from '../checks.ts';
import type { Fault } from '../ticket.ts';
import { checkAdvice, checkParties } from './advice.ts';
import type { CardFacts } from './facts.ts';
import { checkInterfaces } from './interfaces.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkModes } from './modes.ts';
import { checkRequired } from './required.ts';
import { checkSecurity } from './security.ts';
import { checkSignatures } from './signatures.ts';
import { checkSkills } from './skills.ts';

/** The judges of pass 2. To add a rule: a row in `checks.ts`, and the fault in the judge of its subject. */
const JUDGES: readonly ((facts: CardFacts) => Fault[])[] = [
  checkLeftovers,
  checkRequired,
  checkSkills,
  checkInterfaces,
  checkModes,
  checkSecurity,
  checkSignatures,
  checkParties,
  checkAdvice,
];

/** Ids of pass 2 in the order of the table of checks. */
export const SPEC_IDS: readonly CheckId[] = CHECKS.filter((check) => check.layer === 'spec').map((check) => check.id);

/** Pass 2: the specification's table. */
export function checkSpec(facts: CardFacts): Fault[] {
  return JUDGES.flatMap((judge) => judge(facts));
}
