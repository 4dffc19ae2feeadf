import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Preset, Severity } from '../checks.ts';
import { DEFAULT_LIMITS } from '../option-defaults.ts';
import type { GuardOptions } from '../options.ts';
import { didYouMean } from '../schema/pointer.ts';

export type Format = 'text' | 'json';

/** Options that every command which makes a guard has. */
export interface GuardFlags {
  readonly format: Format;
  readonly preset?: Preset;
  readonly rule?: Readonly<Record<string, Severity>>;
  readonly exact?: boolean;
  readonly timeout?: number;
  readonly allowPrivate?: boolean;
  readonly allowInsecure?: boolean;
}

export function addGuardFlags(command: Command): Command {
  return command
    .addOption(
      new Option('-f, --format <format>', 'how the result is written').choices(['text', 'json']).default('text'),
    )
    .addOption(
      new Option('-p, --preset <name>', 'strict gates on every rule, interop on what is wrong or unsafe').choices([
        'strict',
        'interop',
      ]),
    )
    .addOption(
      new Option('-r, --rule <id=severity>', 'severity of one check: error, warn or off; repeatable').argParser(
        collectRule,
      ),
    )
    .option('--exact', 'the URL is that of the card, whatever its path')
    .addOption(
      new Option('--timeout <ms>', 'longest time of one exchange, in milliseconds').argParser(readMilliseconds),
    )
    .option('--allow-private', 'reach private addresses and local names')
    .option('--allow-insecure', 'reach public hosts over http');
}

/** Options of the guard. What a person typed may be on this machine, so the caller says whether loopback is meant. */
export function toGuardOptions(flags: GuardFlags, allowLoopback: boolean): GuardOptions {
  const { preset, rule, timeout, allowPrivate = false, allowInsecure = false } = flags;
  return {
    ...(preset !== undefined && { preset }),
    ...(rule !== undefined && { rules: rule }),
    ...(timeout !== undefined && { limits: toLimits(timeout) }),
    network: { allowLoopback, allowPrivate, allowInsecure },
  };
}

function toLimits(ms: number): NonNullable<GuardOptions['limits']> {
  return {
    connectMs: Math.min(ms, DEFAULT_LIMITS.connectMs),
    headersMs: ms,
    idleMs: Math.min(ms, DEFAULT_LIMITS.idleMs),
    totalMs: ms,
  };
}

/** `name=value`, split at the first sign. The value is never shown: it may be a secret in the wrong place. */
export function splitPair(text: string, wanted: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(`Expected ${wanted}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function collectRule(text: string, earlier: Readonly<Record<string, Severity>> = {}): Record<string, Severity> {
  const [id, severity] = splitPair(text, 'id=severity, for example skills-tags-nonempty=warn');
  return { ...earlier, [id]: severity as Severity };
}

function readMilliseconds(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && value <= 2_147_483_647) return value;
  throw new InvalidArgumentError('Expected a whole number of milliseconds above 0.');
}

/** A list such as `streaming,pushNotifications`, of names that are known. */
export function readNames<Name extends string>(text: string, known: readonly Name[]): Name[] {
  return text.split(',').map((part) => {
    const name = known.find((candidate) => candidate === part.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`Known are ${known.join(', ')}. ${didYouMean(part.trim(), known)}`.trim());
  });
}
