import { FIELDS as FIELDS_03 } from './generated/fields-0.3.ts';
import { FIELDS } from './generated/fields-1.0.ts';

/** One field of a message, as the normative proto has it. */
export interface Field {
  readonly name: string;
  /** The proto's snake_case name, where it differs. */
  readonly alias?: string;
  /** A scalar (`string`, `bool`, `int32`, `bytes`, `Timestamp`, `Struct`, `Value`), an enum or a message. */
  readonly type: string;
  readonly list?: true;
  readonly map?: true;
  readonly required?: true;
  /** `optional` in the proto: an explicit default is not the same as unset. */
  readonly presence?: true;
  /** The group of which exactly one member is set. */
  readonly oneof?: string;
  /** The one value that a discriminator has (0.3). */
  readonly const?: string;
}

export interface FieldTable {
  readonly version: string;
  /** Members that the table does not have are no fault (0.3). */
  readonly open?: true;
  /** Names for one of several messages (0.3). */
  readonly unions?: Readonly<Record<string, readonly string[]>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, readonly Field[]>>;
}

/** A message of the field table, indexed for names that come from the wire. */
export interface MessageShape {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly aliases: ReadonlyMap<string, Field>;
  readonly required: readonly Field[];
  /** Groups of which exactly one member is set, by name. */
  readonly oneofs: ReadonlyMap<string, readonly Field[]>;
}

export interface Shapes {
  readonly version: string;
  readonly open: boolean;
  /** One of several messages, told apart by `kind` or by what is there. */
  readonly unions: ReadonlyMap<string, readonly MessageShape[]>;
  readonly messages: ReadonlyMap<string, MessageShape>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
}

function indexMessage(name: string, fields: readonly Field[]): MessageShape {
  return {
    name,
    fields: new Map(fields.map((field) => [field.name, field])),
    aliases: new Map(fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]]))),
    required: fields.filter((field) => field.required),
    oneofs: groupOneofs(fields),
  };
}

function groupOneofs(fields: readonly Field[]): Map<string, Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    if (field.oneof !== undefined) groups.set(field.oneof, [...(groups.get(field.oneof) ?? []), field]);
  }
  return groups;
}

function indexTable(table: FieldTable): Shapes {
  const messages = new Map(
    Object.entries(table.messages).map(([name, fields]) => [name, indexMessage(name, fields)] as const),
  );
  const unions = Object.entries(table.unions ?? {}).map(([name, members]) => {
    return [name, members.map((member) => messages.get(member)).filter((shape) => shape !== undefined)] as const;
  });
  return {
    version: table.version,
    open: table.open === true,
    messages,
    unions: new Map(unions),
    enums: new Map(Object.entries(table.enums)),
  };
}

/** The messages and enums of A2A 1.0. */
export const SHAPES: Shapes = indexTable(FIELDS);

/** The messages and enums of A2A 0.3 that travel in calls. */
export const SHAPES_03: Shapes = indexTable(FIELDS_03);

/** Protocol versions that values can be judged in. */
export type ProtocolVersion = '1.0' | '0.3';

/** Whether values of this protocol version can be judged. */
export function isJudged(version: string): version is ProtocolVersion {
  return version === '1.0' || version === '0.3';
}

export function shapesOf(version: ProtocolVersion): Shapes {
  return version === '1.0' ? SHAPES : SHAPES_03;
}
