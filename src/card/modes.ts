import { MIMEType } from 'whatwg-mimetype';
import { placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetList, readField, readObjects, readTexts } from './read.ts';

/** Every mode is a media type or a media range; parameters are fine. */
export function checkModes({ card }: CardFacts): Fault[] {
  const ofCard = ['defaultInputModes', 'defaultOutputModes'].flatMap((name) =>
    isUnsetList(readField('AgentCard', card, name)) ? [] : readTexts('AgentCard', card, name),
  );
  const ofSkills = readObjects('AgentCard', card, 'skills').flatMap(({ item, path }) =>
    ['inputModes', 'outputModes'].flatMap((name) =>
      readTexts('AgentSkill', item, name).map((mode) => ({ ...mode, path: path + mode.path })),
    ),
  );
  return [...ofCard, ...ofSkills]
    .filter(({ text }) => MIMEType.parse(text) === null)
    .map(({ path }) => ({
      id: 'modes-media-type',
      path,
      message: `${placeOf(path)} is not a media type (type/subtype).`,
    }));
}
