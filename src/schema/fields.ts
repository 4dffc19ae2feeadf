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
}

export interface FieldTable {
  readonly version: string;
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
  return {
    version: table.version,
    messages: new Map(Object.entries(table.messages).map(([name, fields]) => [name, indexMessage(name, fields)])),
    enums: new Map(Object.entries(table.enums)),
  };
}

/** The messages and enums of A2A 1.0. */
export const SHAPES: Shapes = indexTable(FIELDS);
