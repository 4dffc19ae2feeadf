import { CHECKS, type CheckId, createGuard, type GuardOptions, type Preset } from '../../src/index.ts';
import { CARD_URL } from '../support/cards.ts';

export type CardInput = string | Uint8Array | object;

/** How a finding shows in a preset; `off` does not show. */
export type Shown = 'error' | 'warn' | 'off';

interface Row {
  /** The rule in plain English. */
  readonly name: string;
  readonly input: CardInput;
  readonly options?: GuardOptions;
  /** Where the card came from; null: not known. Default: the host of the sound card. */
  readonly cardUrl?: string | null;
}

/** A card that fails a check. */
export interface FailingRow extends Row {
  readonly want: {
    readonly id: CheckId;
    readonly path: string;
    readonly keyword?: string;
    readonly strict: Shown;
    readonly interop: Shown;
    /** Every other id that is reported; no further one may be. */
    readonly also?: readonly CheckId[];
    /** Where it does not follow from this finding and the severities of the others in the table. */
    readonly ok?: Readonly<Record<Preset, boolean>>;
  };
}

/** A card that looks as if it failed a check, and must not. */
export interface NearMiss extends Row {
  readonly want: { readonly not: CheckId /** Every id that is reported. */; readonly also?: readonly CheckId[] };
}

export interface Sheet {
  readonly family: string;
  readonly fails: readonly FailingRow[];
  readonly passes: readonly NearMiss[];
}

export const PRESETS: readonly Preset[] = ['strict', 'interop'];

export function judge({ input, options, cardUrl = CARD_URL }: Row, preset: Preset) {
  return createGuard({ ...options, preset }).checkCard(input, cardUrl === null ? {} : { cardUrl });
}

export function severityOf(id: CheckId, preset: Preset): Shown | 'entry' {
  const check = CHECKS.find((candidate) => candidate.id === id);
  if (check === undefined) throw new Error(`no check ${id}`);
  return check.severity[preset];
}

/** Same severity in both presets. */
export const error = { strict: 'error', interop: 'error' } as const;
export const warn = { strict: 'warn', interop: 'warn' } as const;
/** An error that interop reports as a warning. */
export const softer = { strict: 'error', interop: 'warn' } as const;
/** Advice, which interop leaves out. */
export const advice = { strict: 'warn', interop: 'off' } as const;
