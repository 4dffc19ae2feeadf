import { type Json, readField, readObject } from './read.ts';

/** What the client intends to do with the agent; the report's `capability` answers. */
export interface Plan {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
}

/** Each flag as the card has it, and whether the client's plan needs it. `ok` is false when the plan needs one that is not true. */
export interface CapabilityReport {
  readonly streaming: boolean;
  readonly clientWillStream: boolean;
  readonly pushNotifications: boolean;
  readonly clientWillPush: boolean;
  readonly extendedAgentCard: boolean;
  readonly clientWillExtend: boolean;
  readonly ok: boolean;
}

/** What the card's flags say of a plan. */
export function reportCapability(card: Json, plan: Plan = {}): CapabilityReport {
  const flags = readObject('AgentCard', card, 'capabilities') ?? {};
  const streaming = readFlag(flags, 'streaming') === true;
  const pushNotifications = readFlag(flags, 'pushNotifications') === true;
  const extendedAgentCard = readFlag(flags, 'extendedAgentCard') === true;
  const wants = (flag: keyof Plan): boolean => plan[flag] === true;
  return {
    streaming,
    clientWillStream: wants('streaming'),
    pushNotifications,
    clientWillPush: wants('pushNotifications'),
    extendedAgentCard,
    clientWillExtend: wants('extendedAgentCard'),
    ok:
      (streaming || !wants('streaming')) &&
      (pushNotifications || !wants('pushNotifications')) &&
      (extendedAgentCard || !wants('extendedAgentCard')),
  };
}

/** A capability flag: true, false, or undefined when absent, null or of another type. */
export function readFlag(capabilities: Json, name: keyof Plan): boolean | undefined {
  const flag = readField('AgentCapabilities', capabilities, name);
  return typeof flag === 'boolean' ? flag : undefined;
}
