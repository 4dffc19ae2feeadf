import type { CheckId } from '../checks.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetList, isUnsetText, type Json, readField, writtenName } from './read.ts';

type IsUnset = (value: unknown) => boolean;
/** An empty capabilities object is fine: no flag is set. */
const isUnsetObject: IsUnset = (value) => value === undefined || value === null;

interface RequiredField {
  readonly id: CheckId;
  readonly name: string;
  readonly isUnset: IsUnset;
}

const OF_CARD: readonly RequiredField[] = [
  { id: 'required-name', name: 'name', isUnset: isUnsetText },
  { id: 'required-description', name: 'description', isUnset: isUnsetText },
  { id: 'required-version', name: 'version', isUnset: isUnsetText },
  { id: 'required-capabilities', name: 'capabilities', isUnset: isUnsetObject },
  { id: 'required-defaultInputModes', name: 'defaultInputModes', isUnset: isUnsetList },
  { id: 'required-defaultOutputModes', name: 'defaultOutputModes', isUnset: isUnsetList },
  { id: 'required-supportedInterfaces', name: 'supportedInterfaces', isUnset: isUnsetList },
  { id: 'skills-nonempty', name: 'skills', isUnset: isUnsetList },
];

const OF_SKILL: readonly RequiredField[] = [
  { id: 'skills-id-nonempty', name: 'id', isUnset: isUnsetText },
  { id: 'skills-name-nonempty', name: 'name', isUnset: isUnsetText },
  { id: 'skills-description-nonempty', name: 'description', isUnset: isUnsetText },
  { id: 'skills-tags-nonempty', name: 'tags', isUnset: isUnsetList },
];

function checkFields(message: string, value: Json, path: string, fields: readonly RequiredField[]): Fault[] {
  return fields
    .filter((field) => field.isUnset(readField(message, value, field.name)))
    .map(({ id, name }) => {
      const where = path === '' ? 'The card' : path.slice(1);
      const place = `${path}/${writtenName(message, value, name)}`;
      return { id, path: place, keyword: 'required', message: `${where} has no ${name}; A2A 1.0 requires it.` };
    });
}

/** The REQUIRED fields of the card. A 0.x card has its endpoint elsewhere, so interfaces are not asked of it. */
export function checkRequired({ card, legacy, shaped }: CardFacts): Fault[] {
  if (shaped) return [];
  const fields = legacy ? OF_CARD.filter(({ name }) => name !== 'supportedInterfaces') : OF_CARD;
  return checkFields('AgentCard', card, '', fields);
}

/** The REQUIRED fields of one skill. */
export function checkSkillRequired(skill: Json, path: string): Fault[] {
  return checkFields('AgentSkill', skill, path, OF_SKILL);
}
