import { MIMEType } from 'whatwg-mimetype';
import { isPlainMediaType } from '../schema/media-type.ts';
import { placeOf } from '../schema/pointer.ts';
import type { Fault } from '../ticket.ts';
import type { CardFacts } from './facts.ts';
import { isUnsetList, type Json, readField, readTexts } from './read.ts';

const isMediaType = (text: string): boolean => isPlainMediaType(text) || MIMEType.parse(text) !== null;

/** Every mode is a media type or a media range; parameters are fine. */
export function checkModes({ card, skills }: CardFacts): Fault[] {
  const faults: Fault[] = [];
  const check = (message: string, holder: Json, base: string, name: string): void => {
    for (const { text, path } of readTexts(message, holder, name)) {
      if (isMediaType(text)) continue;
      const place = base + path;
      faults.push({
        id: 'modes-media-type',
        path: place,
        message: `${placeOf(place)} is not a media type (type/subtype).`,
      });
    }
  };
  for (const name of ['defaultInputModes', 'defaultOutputModes']) {
    if (!isUnsetList(readField('AgentCard', card, name))) check('AgentCard', card, '', name);
  }
  for (const { item, path } of skills) {
    for (const name of ['inputModes', 'outputModes']) check('AgentSkill', item, path, name);
  }
  return faults;
}
