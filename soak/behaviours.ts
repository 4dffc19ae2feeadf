/** How a call has to end: with a value, or with the ticket of a GuardError. */
export type Ending = 'value' | 'ticket';

export interface Behaviour {
  readonly ends: Ending;
  /** How many of a hundred calls are answered in this way, roughly. */
  readonly share: number;
}

/** What the agent does with a call, by the word that the call names. */
export const ANSWERS = {
  'answers well': { ends: 'value', share: 50 },
  'answers with a message': { ends: 'value', share: 6 },
  'answers piece by piece': { ends: 'value', share: 4 },
  'ends the task as failed': { ends: 'value', share: 4 },
  'closes the connection later': { ends: 'value', share: 3 },
  'answers twice': { ends: 'value', share: 2 },
  'answers with an error': { ends: 'ticket', share: 6 },
  'resets at once': { ends: 'ticket', share: 4 },
  'resets in the body': { ends: 'ticket', share: 3 },
  'stalls before the headers': { ends: 'ticket', share: 2 },
  'stalls in the body': { ends: 'ticket', share: 2 },
  'cuts the JSON': { ends: 'ticket', share: 3 },
  'answers with two bodies': { ends: 'ticket', share: 2 },
  'answers another call': { ends: 'ticket', share: 2 },
  'answers with junk': { ends: 'ticket', share: 3 },
  'answers with a page': { ends: 'ticket', share: 2 },
  'answers too much': { ends: 'ticket', share: 2 },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** What the agent, or the caller, does with a stream. */
export const STREAMS = {
  'streams well': { ends: 'value', share: 30 },
  'stays open after the end': { ends: 'value', share: 10 },
  'resets after the end': { ends: 'value', share: 10 },
  'is left by the caller': { ends: 'value', share: 10 },
  'is stopped by the caller': { ends: 'ticket', share: 10 },
  'resets in the middle': { ends: 'ticket', share: 10 },
  'stalls in the middle': { ends: 'ticket', share: 5 },
  'ends in an event': { ends: 'ticket', share: 5 },
  'sends junk': { ends: 'ticket', share: 5 },
  'goes on after the end': { ends: 'ticket', share: 5 },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type AnswerName = keyof typeof ANSWERS;
export type StreamName = keyof typeof STREAMS;

/** Names in the order of a spread deck, each as often as its share says. */
export function deckOf<Name extends string>(table: Readonly<Record<Name, Behaviour>>): readonly Name[] {
  const cards = (Object.keys(table) as Name[]).flatMap((name) =>
    Array.from({ length: table[name].share }, (_, index) => ({ name, place: (index + 0.5) / table[name].share })),
  );
  return cards.sort((one, other) => one.place - other.place).map(({ name }) => name);
}

/** Largest answer that the guard takes here, in bytes; what answers too much sends more. */
export const RESPONSE_BYTES = 20_000;
