import { createGuard } from '../dist/core.js';
import { type Pace, type Row, race, ratio, toRow } from './measure.ts';
import { CARD_URL, makeCard, makeFaultyCard } from './payloads.ts';

/** What judging a card with both passes costs beside parsing its text. */
export async function benchCard(pace: Pace): Promise<Row[]> {
  const guard = createGuard();
  const options = { cardUrl: new URL(CARD_URL) };
  const card = makeCard();
  const text = JSON.stringify(card);
  const bytes = new TextEncoder().encode(text);
  const faulty = makeFaultyCard();
  const faultyText = JSON.stringify(faulty);
  if (guard.checkCard(card, options).findings.length > 0) throw new Error('the card has findings');
  if (guard.checkCard(faulty, options).findings.length < 20) throw new Error('the faulty card has few findings');
  const laps = await race(
    {
      parse: () => JSON.parse(text),
      object: () => guard.checkCard(card, options),
      bytes: () => guard.checkCard(bytes, options),
      parseFaulty: () => JSON.parse(faultyText),
      faulty: () => guard.checkCard(faulty, options),
    },
    pace,
  );
  return [
    toRow('card', 'checkCard of an object / JSON.parse', ratio(laps.object, laps.parse), { atMost: 1 }),
    toRow('card', 'checkCard of bytes / JSON.parse', ratio(laps.bytes, laps.parse), { atMost: 4 }),
    toRow('card', 'checkCard of an object with 24 findings / JSON.parse', ratio(laps.faulty, laps.parseFaulty)),
  ];
}
