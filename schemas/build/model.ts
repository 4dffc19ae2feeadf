import { readFileSync } from 'node:fs';

/** One field of a message, as the field table has it. */
export interface Field {
  readonly name: string;
  /** The proto name, where it differs from the JSON name. */
  readonly protoName?: string;
  readonly type: string;
  readonly repeated?: true;
  readonly map?: true;
  readonly required?: true;
  /** `optional` in the proto: an explicit default is not the same as unset. */
  readonly presence?: true;
  readonly oneof?: string;
  /** The one value that a discriminator has (0.3). */
  readonly const?: string;
}

export interface Model {
  readonly version: string;
  /** Members that the table does not have are no fault (0.3). */
  readonly open?: true;
  /** Names for one of several messages, told apart by their discriminator or by what is there (0.3). */
  readonly unions?: Readonly<Record<string, readonly string[]>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, readonly Field[]>>;
}

/** Types of a field that are neither a message nor an enum of the model. */
export const SCALARS = ['string', 'bool', 'int32', 'bytes', 'Timestamp', 'Struct', 'Value'] as const;

export function readModel(path: URL): Model {
  const model = JSON.parse(readFileSync(path, 'utf8')) as Model;
  for (const [message, fields] of Object.entries(model.messages)) {
    for (const { name, type } of fields) {
      const known = type in model.messages || type in model.enums || (SCALARS as readonly string[]).includes(type);
      if (!known) throw new Error(`${message}.${name} has the unknown type ${type}`);
    }
  }
  return model;
}

/** Names of the messages that can be reached from a message, itself included. */
export function reachable(model: Model, root: string): Set<string> {
  const seen = new Set<string>();
  const walk = (name: string): void => {
    const fields = model.messages[name];
    if (fields === undefined || seen.has(name)) return;
    seen.add(name);
    for (const field of fields) walk(field.type);
  };
  walk(root);
  return seen;
}

/** The messages of the card. Some of them travel in no other place. */
export function cardMessages(model: Model): string[] {
  const ofCard = reachable(model, 'AgentCard');
  return Object.keys(model.messages).filter((name) => ofCard.has(name));
}

/** The messages that travel in calls: all that do not belong to the card alone. */
export function trafficMessages(model: Model): string[] {
  if (model.open) return Object.keys(model.messages);
  const ofCard = reachable(model, 'AgentCard');
  return Object.keys(model.messages).filter((name) => !ofCard.has(name));
}
