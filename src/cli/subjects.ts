import { CHECKS, type Check, LAYERS, type Layer } from '../checks.ts';
import { A2A_ERROR_ROWS, type A2AErrorRow, GUARD_CODES, type TicketCode } from '../errors.ts';
import { type Field, type MessageShape, SHAPES } from '../schema/fields.ts';
import { nearest } from '../schema/pointer.ts';
import { isCardMessage } from './field-facts.ts';

/** One thing that can be explained. */
export type Subject =
  | { readonly kind: 'check'; readonly name: string; readonly check: Check }
  | { readonly kind: 'code'; readonly name: TicketCode; readonly row?: A2AErrorRow }
  | { readonly kind: 'layer'; readonly name: Layer }
  | { readonly kind: 'message'; readonly name: string; readonly shape: MessageShape }
  | { readonly kind: 'field'; readonly name: string; readonly message: string; readonly field: Field };

const same = (a: string | undefined, b: string): boolean => a !== undefined && a.toLowerCase() === b.toLowerCase();

const FINDERS: readonly ((what: string) => readonly Subject[])[] = [
  findChecks,
  findCodes,
  findLayers,
  findMessages,
  findFields,
  findLeftovers,
];

/** Everything that a word can mean, the likeliest first: check, code, layer, message, field, name of 0.x. */
export function findSubjects(what: string): readonly Subject[] {
  const found = FINDERS.flatMap((find) => find(what));
  return found.filter(
    ({ kind, name }, index) => index === found.findIndex((it) => it.kind === kind && it.name === name),
  );
}

/** At most three names that a person may have meant. */
export function nearSubjects(what: string): readonly string[] {
  return nearest(what, [
    ...CHECKS.map(({ id }) => id),
    ...A2A_ERROR_ROWS.flatMap(({ name, reason }) => [name, ...(reason === undefined ? [] : [reason])]),
    ...GUARD_CODES,
    ...LAYERS,
    ...[...SHAPES.messages.values()].flatMap(({ name, fields }) => [
      name,
      ...(isCardMessage(name) ? [...fields.keys()].flatMap((field) => [field, `${name}.${field}`]) : []),
    ]),
  ]);
}

const toCheck = (check: Check): Subject => ({ kind: 'check', name: check.id, check });

function findChecks(what: string): readonly Subject[] {
  return CHECKS.filter(({ id }) => same(id, what)).map(toCheck);
}

/** A member of a 0.x card has no field in 1.0; the check of its leftover is about it. */
function findLeftovers(what: string): readonly Subject[] {
  const leftovers = [`no-${what}`, `no-top-level-${what}`, `no-legacy-${what}`];
  return CHECKS.filter(({ id }) => leftovers.some((leftover) => same(id, leftover))).map(toCheck);
}

function findCodes(what: string): readonly Subject[] {
  const rows = A2A_ERROR_ROWS.filter(
    ({ name, jsonRpcCode, reason }) =>
      same(name, what) || same(name, `${what}Error`) || same(reason, what) || String(jsonRpcCode) === what,
  ).map((row): Subject => ({ kind: 'code', name: row.name as TicketCode, row }));
  const own = GUARD_CODES.filter((name) => same(name, what)).map((name): Subject => ({ kind: 'code', name }));
  return [...rows, ...own];
}

function findLayers(what: string): readonly Subject[] {
  return LAYERS.filter((layer) => same(layer, what)).map((name): Subject => ({ kind: 'layer', name }));
}

function shapeOf(name: string | undefined): MessageShape | undefined {
  return name === undefined ? undefined : [...SHAPES.messages.values()].find((shape) => same(shape.name, name));
}

/** A message by its name or by its pointer. */
function findMessages(what: string): readonly Subject[] {
  const shape = shapeOf(what.replace(/^#\/\$defs\//, ''));
  return shape === undefined ? [] : [{ kind: 'message', name: shape.name, shape }];
}

/** A field by its path in a card (`skills.tags`, `/skills/0/tags`), in a message (`AgentSkill.tags`), or by name alone. */
function findFields(what: string): readonly Subject[] {
  const steps = what
    .replace(/^#\/\$defs\//, '')
    .replaceAll(/\[\w*\]/g, '')
    .split(/[./]/)
    .filter((step) => step !== '' && !/^\d+$/.test(step));
  const [first, ...rest] = steps;
  if (first === undefined) return [];
  const start = shapeOf(first);
  const byPath = start !== undefined && rest.length > 0 ? walk(start, rest) : walk(shapeOf('AgentCard'), steps);
  return [...byPath, ...(rest.length === 0 ? findByName(first) : [])];
}

function walk(start: MessageShape | undefined, steps: readonly string[]): readonly Subject[] {
  let shape = start;
  let last: Subject | undefined;
  let inMap = false;
  for (const step of steps) {
    const field = shape === undefined ? undefined : fieldOf(shape, step);
    if (field === undefined && inMap) {
      inMap = false;
      continue;
    }
    if (shape === undefined || field === undefined) return [];
    last = { kind: 'field', name: `${shape.name}.${field.name}`, message: shape.name, field };
    inMap = field.map === true;
    shape = shapeOf(field.type);
  }
  return last === undefined ? [] : [last];
}

function fieldOf({ fields, aliases }: MessageShape, name: string): Field | undefined {
  return fields.get(name) ?? aliases.get(name) ?? [...fields.values()].find((candidate) => same(candidate.name, name));
}

/** Every field of that name; those of a card come first. */
function findByName(name: string): readonly Subject[] {
  const shapes = [...SHAPES.messages.values()];
  const ordered = [...shapes.filter((it) => isCardMessage(it.name)), ...shapes.filter((it) => !isCardMessage(it.name))];
  return ordered.flatMap((shape) => walk(shape, [name]));
}
