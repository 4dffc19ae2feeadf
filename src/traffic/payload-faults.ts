import type { CheckId, Severity } from '../checks.ts';
import { type Field, type MessageShape, type ProtocolVersion, type Shapes, shapesOf } from '../schema/fields.ts';
import { didYouMean, joinPath, placeOf } from '../schema/pointer.ts';
import { isBase64, isInt32, isObject, isShallow, readTimestamp } from '../schema/scalars.ts';
import { type Fault, type Finding, type Grade, MAX_FINDINGS, toFindings } from '../ticket.ts';

export type Direction = 'outgoing' | 'incoming';

export interface PayloadFacts {
  readonly version: ProtocolVersion;
  readonly direction: Direction;
  /** Levels of nesting that the value may have. */
  readonly depth: number;
  readonly grade: Grade;
}

/** REQUIRED fields without which a value that comes in is of no use; the others are reported and delivered. */
const LOAD_BEARING: ReadonlySet<string> = new Set([
  'Task.id',
  'Task.status',
  'TaskStatus.state',
  'Message.role',
  'Message.parts',
  'TaskStatusUpdateEvent.taskId',
  'TaskStatusUpdateEvent.status',
  'TaskArtifactUpdateEvent.taskId',
  'TaskArtifactUpdateEvent.artifact',
  'TaskPushNotificationConfig.url',
  'TaskPushNotificationConfig.pushNotificationConfig',
  'PushNotificationConfig.url',
  'TextPart.text',
  'FilePart.file',
  'DataPart.data',
]);

/** Messages whose REQUIRED fields may be empty: the last page of a list, a text without letters, a file without bytes. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['ListTasksResponse', 'TextPart', 'FileWithBytes']);

/** What 0.3 called a member or value of 1.0, for hints. */
const MOVED: Readonly<Record<string, string>> = {
  kind: '0.3 names the sort of a value by kind; 1.0 by the member that holds it.',
  type: '1.0 names the sort of a part by the member that holds it.',
  file: '1.0 has raw or url, filename and mediaType in the part itself.',
  final: '1.0 ends a stream by closing it at a terminal state.',
  blocking: '1.0 has returnImmediately, which is the opposite.',
  pushNotificationConfig: '1.0 has taskPushNotificationConfig.',
  mimeType: '1.0 has mediaType.',
};

/**
 * The slow path: names what is wrong with a value at its definition. At most {@link MAX_FINDINGS} errors and as many
 * warnings; a flood of warnings hides no error.
 */
export function explainPayload(definition: string, value: unknown, facts: PayloadFacts): Finding[] {
  const judge = new PayloadJudge(facts);
  if (definition.endsWith('[]')) judge.visitList(definition.slice(0, -2), value);
  else judge.visitSingle({ name: definition, type: definition }, value, '', facts.depth);
  return toFindings(judge.faults, facts.grade);
}

class PayloadJudge {
  readonly faults: Fault[] = [];
  readonly #facts: PayloadFacts;
  readonly #shapes: Shapes;
  #errors = 0;
  #warnings = 0;

  constructor(facts: PayloadFacts) {
    this.#facts = facts;
    this.#shapes = shapesOf(facts.version);
  }

  #visit(shape: MessageShape, value: unknown, path: string, depth: number): void {
    if (!isObject(value)) {
      this.#wrongType(path, 'an object', value);
      return;
    }
    if (depth < 1) {
      this.#tooDeep(path);
      return;
    }
    for (const key in value) {
      if (this.#full) return;
      if (Object.hasOwn(value, key)) this.#visitMember(shape, key, value[key], path, depth);
    }
    this.#visitRequired(shape, value, path);
    for (const fields of shape.oneofs.values()) this.#visitOneof(fields, value, path);
  }

  #visitMember(shape: MessageShape, key: string, member: unknown, path: string, depth: number): void {
    if (member === undefined) return;
    const field = shape.fields.get(key);
    const place = joinPath(path, key);
    if (field === undefined) {
      this.#unknownKey(shape, key, place);
      if (!isShallow(member, depth - 1)) this.#tooDeep(place);
    } else if (member === null && field.type !== 'Value') {
      if (this.#incoming && !field.required)
        this.#add('value-type', place, 'type', 'is null, which means unset', 'warn');
    } else {
      this.#visitField(field, member, place, depth - 1);
    }
  }

  #visitField(field: Field, value: unknown, path: string, depth: number): void {
    if (!field.list && !field.map) {
      this.visitSingle(field, value, path, depth);
    } else if (field.list ? !Array.isArray(value) : !isObject(value)) {
      this.#wrongType(path, field.list ? 'a list' : 'an object', value);
    } else {
      const keys = Array.isArray(value) ? value.keys() : Object.keys(value as object);
      for (const key of keys) {
        if (this.#full) return;
        this.visitSingle(field, (value as Record<string, unknown>)[key], joinPath(path, key), depth - 1);
      }
    }
  }

  /** A bare list, as 0.3 answers some calls. */
  visitList(type: string, value: unknown): void {
    this.#visitField({ name: type, type, list: true }, value, '', this.#facts.depth);
  }

  visitSingle(field: Field, value: unknown, path: string, depth: number): void {
    const shape = this.#shapes.messages.get(field.type);
    const names = this.#shapes.enums.get(field.type);
    const members = this.#shapes.unions.get(field.type);
    if (field.const !== undefined) this.#visitConst(field.const, value, path);
    else if (members !== undefined) this.#visitUnion(members, value, path, depth);
    else if (shape !== undefined) this.#visit(shape, value, path, depth);
    else if (names !== undefined) this.#visitEnum(names, value, path, field);
    else this.#visitScalar(field.type, value, path, depth);
  }

  /** A discriminator has one value; without it nobody can tell what the object is. */
  #visitConst(wanted: string, value: unknown, path: string): void {
    if (value !== wanted) this.#add('value-enum', path, 'const', `is not "${wanted}"`);
  }

  #visitUnion(members: readonly MessageShape[], value: unknown, path: string, depth: number): void {
    if (!isObject(value)) {
      this.#wrongType(path, 'an object', value);
      return;
    }
    const kinds = new Map(members.map((shape) => [shape.fields.get('kind')?.const, shape]));
    if (kinds.has(undefined)) {
      const named = members.filter((shape) => shape.required.every(({ name }) => Object.hasOwn(value, name)));
      const sound = named.find(({ name }) => explainPayload(name, value, { ...this.#facts, depth }).length === 0);
      if (named[0] !== undefined) this.#visit(sound ?? named[0], value, path, depth);
      else this.#add('value-oneof', path, 'oneOf', `is none of ${members.map(({ name }) => name).join(', ')}`);
      return;
    }
    const kind = Object.hasOwn(value, 'kind') ? value.kind : undefined;
    const chosen = typeof kind === 'string' ? kinds.get(kind) : undefined;
    if (chosen !== undefined) {
      this.#visit(chosen, value, path, depth);
      return;
    }
    const names = [...kinds.keys()].join(', ');
    const place = joinPath(path, 'kind');
    if (kind === undefined || kind === null)
      this.#add('value-required', place, 'required', `is missing; it is one of ${names}`);
    else this.#add('value-enum', place, 'enum', `is none of ${names}`);
  }

  #visitScalar(type: string, value: unknown, path: string, depth: number): void {
    switch (type) {
      case 'string':
        if (typeof value !== 'string') this.#wrongType(path, 'a text', value);
        break;
      case 'bool':
        if (typeof value !== 'boolean') this.#wrongType(path, 'true or false', value);
        break;
      case 'integer':
        if (!Number.isInteger(value)) this.#wrongType(path, 'a whole number', value);
        break;
      case 'int32':
        if (!isInt32(value)) this.#wrongNumber(path, value);
        break;
      case 'bytes':
        this.#visitBytes(path, value);
        break;
      case 'Timestamp':
        this.#visitTimestamp(path, value);
        break;
      default:
        if (type === 'Struct' && !isObject(value)) this.#wrongType(path, 'an object', value);
        else if (!isShallow(value, depth)) this.#tooDeep(path, value);
    }
  }

  #visitEnum(names: readonly string[], value: unknown, path: string, field: Field): void {
    if (value === names[0]) {
      const severity = field.required ? undefined : 'warn';
      this.#add('value-unset-enum', path, 'enum', 'has the UNSPECIFIED name, which means not set', severity);
    } else if (typeof value !== 'string' && typeof value !== 'number') {
      this.#wrongType(path, 'the name of an enum value', value);
    } else if (!names.includes(value as string)) {
      const name = typeof value === 'string' ? oldEnumName(names, value) : undefined;
      const move = name === undefined ? `one of ${names.slice(1).join(', ')}` : `written ${name} in 1.0`;
      this.#add('value-enum', path, 'enum', `is not a name of its enum; it is ${move}`);
    }
  }

  #visitBytes(path: string, value: unknown): void {
    if (typeof value !== 'string') this.#wrongType(path, 'bytes as base64 text', value);
    else if (!isBase64(value)) this.#add('value-pattern', path, 'pattern', 'is not base64');
  }

  #visitTimestamp(path: string, value: unknown): void {
    const reading = readTimestamp(value);
    if (typeof value !== 'string') {
      this.#wrongType(path, 'a time as text', value);
    } else if (reading === 'offset') {
      const problem = 'is a time with an offset; 1.0 writes UTC with "Z"';
      this.#add('value-format', path, 'format', problem, this.#incoming ? 'warn' : undefined);
    } else if (reading === 'invalid') {
      this.#add('value-format', path, 'format', 'is not a time in UTC with "Z"');
    }
  }

  #visitRequired(shape: MessageShape, value: Readonly<Record<string, unknown>>, path: string): void {
    for (const field of shape.required) {
      const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (member !== undefined && member !== null && (!isEmpty(member) || MAY_BE_EMPTY.has(shape.name))) continue;
      const bears = field.const !== undefined || LOAD_BEARING.has(`${shape.name}.${field.name}`);
      const light = this.#incoming && !bears;
      const problem = `is ${member === undefined ? 'missing' : 'not set'}; ${shape.name} requires it`;
      this.#add('value-required', joinPath(path, field.name), 'required', problem, light ? 'warn' : undefined);
    }
  }

  #visitOneof(fields: readonly Field[], value: Readonly<Record<string, unknown>>, path: string): void {
    const set = fields.filter(({ name, type }) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      return member !== undefined && (member !== null || type === 'Value');
    });
    if (set.length === 1) return;
    const names = fields.map(({ name }) => name).join(', ');
    const problem = set.length === 0 ? 'has none' : `has ${set.map(({ name }) => name).join(' and ')}`;
    this.#add('value-oneof', path, 'oneOf', `${problem}; exactly one of ${names} must be set`);
  }

  #unknownKey(shape: MessageShape, key: string, path: string): void {
    if (this.#shapes.open) return;
    const alias = shape.aliases.get(key);
    const move =
      alias === undefined ? (own(MOVED, key) ?? didYouMean(key, [...shape.fields.keys()])) : `JSON has ${alias.name}.`;
    this.#add('value-unknown-key', path, 'additionalProperties', `is not a member of ${shape.name}`, undefined, move);
  }

  #wrongType(path: string, wanted: string, value: unknown): void {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    this.#add('value-type', path, 'type', `is ${kind}, not ${wanted}`);
  }

  #wrongNumber(path: string, value: unknown): void {
    if (typeof value === 'string') this.#add('value-pattern', path, 'pattern', 'is not a whole number of 32 bits');
    else if (typeof value === 'number') this.#add('value-type', path, 'type', 'is not a whole number of 32 bits');
    else this.#wrongType(path, 'a whole number', value);
  }

  #tooDeep(path: string, value?: unknown): void {
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
      this.#wrongType(path, 'a JSON value', value);
      return;
    }
    this.#add('wire-size', path, 'maxDepth', `is nested too deep (limits.jsonDepth)`);
  }

  #add(id: CheckId, path: string, keyword: string, problem: string, severity?: Severity, hint?: string): void {
    const message = `${placeOf(path)} ${problem}.`;
    const fault = { id, path, keyword, message, ...(severity && { severity }), ...(hint && { hint }) };
    const graded = this.#facts.grade(fault);
    if (graded === 'off') return;
    const count = graded === 'error' ? ++this.#errors : ++this.#warnings;
    if (count <= MAX_FINDINGS) this.faults.push(fault);
  }

  get #full(): boolean {
    return this.#errors >= MAX_FINDINGS;
  }

  get #incoming(): boolean {
    return this.#facts.direction === 'incoming';
  }
}

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** The 1.0 name that a 0.3 or shortened enum value stands for. */
function oldEnumName(names: readonly string[], value: string): string | undefined {
  const ending = `_${value.toUpperCase().replaceAll('-', '_')}`;
  return names.slice(1).find((name) => name === value.toUpperCase() || name.endsWith(ending));
}
