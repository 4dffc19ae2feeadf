import { type Client, createGuard } from '../dist/core.js';
import { type Pace, type Row, race, ratio, toRow } from './measure.ts';
import { CARD_URL, makeCard, makeFaultyCard } from './payloads.ts';

/** A client in whose place no network is: it serves the card, and 304 to whoever has it. */
function cardServer(body: Uint8Array, control: string): Client {
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    'cache-control': control,
    etag: '"v1"',
  };
  const header = (name: string): string | undefined => headers[name];
  return {
    request: async (request) =>
      request.headers['if-none-match'] === undefined
        ? { status: 200, header, body }
        : { status: 304, header, body: new Uint8Array() },
    stream: async () => {
      throw new Error('a card is no stream');
    },
  };
}

/** What judging a card with both passes costs beside parsing its text. */
export async function benchCard(pace: Pace): Promise<Row[]> {
  const guard = createGuard();
  const options = { cardUrl: new URL(CARD_URL) };
  const card = makeCard();
  const text = JSON.stringify(card);
  const bytes = new TextEncoder().encode(text);
  const faulty = makeFaultyCard();
  const faultyText = JSON.stringify(faulty);
  const again = createGuard({ client: cardServer(bytes, 'max-age=3600') });
  const asked = createGuard({ client: cardServer(bytes, 'no-cache') });
  for (const each of [again, asked]) await each.discover(CARD_URL);
  if (guard.checkCard(card, options).findings.length > 0) throw new Error('the card has findings');
  if (guard.checkCard(faulty, options).findings.length < 20) throw new Error('the faulty card has few findings');
  const laps = await race(
    {
      parse: () => JSON.parse(text),
      object: () => guard.checkCard(card, options),
      bytes: () => guard.checkCard(bytes, options),
      parseFaulty: () => JSON.parse(faultyText),
      faulty: () => guard.checkCard(faulty, options),
      again: () => again.discover(CARD_URL),
      asked: () => asked.discover(CARD_URL),
    },
    pace,
  );
  return [
    toRow('card', 'checkCard of an object / JSON.parse', ratio(laps.object, laps.parse), { atMost: 1 }),
    toRow('card', 'checkCard of bytes / JSON.parse', ratio(laps.bytes, laps.parse), { atMost: 4 }),
    toRow('card', 'discover again, still fresh / JSON.parse', ratio(laps.again, laps.parse), { atMost: 0.1 }),
    toRow('card', 'discover again, answered 304 without a network / JSON.parse', ratio(laps.asked, laps.parse)),
    toRow('card', 'checkCard of an object with 24 findings / JSON.parse', ratio(laps.faulty, laps.parseFaulty)),
  ];
}
