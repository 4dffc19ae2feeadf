import type { Fault } from '../ticket.ts';
import { type InterfaceEntry, majorMinor } from './interfaces.ts';

/** A binding that the client has, and the protocol versions (Major.Minor) that it speaks over it. */
export interface Spoken {
  readonly binding: string;
  readonly versions: readonly string[];
}

/** One interface of the card, and why it was or was not chosen. */
export interface Considered {
  /** Position in `supportedInterfaces`. */
  readonly index: number;
  readonly url: string;
  readonly binding: string;
  readonly version: string;
  readonly chosen: boolean;
  readonly why: string;
}

export interface ChosenInterface {
  readonly index: number;
  /** Exactly as the card has it. */
  readonly url: string;
  readonly binding: string;
  /** Major.Minor. */
  readonly version: string;
  /** Sent with every request; absent when the card has none. */
  readonly tenant?: string;
}

export interface Selection {
  /** Every interface that is sound and can be called by HTTP, whoever speaks it, in card order. */
  readonly declared: readonly ChosenInterface[];
  readonly chosen?: ChosenInterface;
  readonly considered: readonly Considered[];
}

/** Interfaces that are listed at most, beside the one that is chosen. */
const MAX_CONSIDERED = 100;

/**
 * The first entry in card order whose binding and Major.Minor version the client speaks (§8.3.2). Entries with a fault
 * that makes them unsound are passed over, and it is said why.
 */
export function selectInterface(
  entries: readonly InterfaceEntry[],
  speaks: readonly Spoken[],
  unsound: ReadonlyMap<number, Fault>,
): Selection {
  let chosen: ChosenInterface | undefined;
  const declared = entries.filter((entry) => problemOf(entry, unsound.get(entry.index)) === undefined).map(toChosen);
  const judged = entries.map((entry): Considered => {
    const reason = refusal(entry, speaks, unsound.get(entry.index));
    const take = reason === undefined && chosen === undefined;
    if (take) chosen = toChosen(entry);
    return {
      index: entry.index,
      url: entry.url ?? '',
      binding: entry.binding ?? '',
      version: entry.version ?? '',
      chosen: take,
      why: reason ?? (take ? 'first interface in card order that both sides speak' : 'an earlier interface was chosen'),
    };
  });
  const considered = judged.filter((entry, place) => place < MAX_CONSIDERED || entry.chosen);
  return { declared, considered, ...(chosen !== undefined && { chosen }) };
}

function toChosen(entry: InterfaceEntry): ChosenInterface {
  const { index, url = '', binding = '', version = '', tenant } = entry;
  return { index, url, binding, version: majorMinor(version) ?? version, ...(tenant !== undefined && { tenant }) };
}

function refusal(entry: InterfaceEntry, speaks: readonly Spoken[], fault: Fault | undefined): string | undefined {
  const ours = speaks.filter((spoken) => spoken.binding === entry.binding).flatMap(({ versions }) => versions);
  if (ours.length === 0) {
    return `the client does not speak ${entry.binding ?? 'an unnamed binding'}; it speaks ${speaks.map(({ binding }) => binding).join(', ')}`;
  }
  const problem = problemOf(entry, fault);
  if (problem !== undefined) return problem;
  const version = majorMinor(entry.version ?? '') ?? '';
  return ours.includes(version) ? undefined : `the client speaks ${entry.binding} ${ours.join(', ')}, not ${version}`;
}

/** Why an entry cannot be called by anyone. */
function problemOf(entry: InterfaceEntry, fault: Fault | undefined): string | undefined {
  if (fault !== undefined) return fault.message;
  if (majorMinor(entry.version ?? '') === undefined) return 'it has no protocolVersion of the form Major.Minor';
  return entry.address === undefined ? 'its url cannot be called' : undefined;
}
