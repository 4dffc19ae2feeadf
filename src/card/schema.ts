import { type BundleFault, type BundleValidator, readBundleErrors } from '../schema/bundle.ts';
import { type Field, type MessageShape, SHAPES } from '../schema/fields.ts';
import { didYouMean, joinPath, placeOf } from '../schema/pointer.ts';
import { isObject } from '../schema/scalars.ts';
import type { Fault } from '../ticket.ts';
import { leftoverMove } from './leftovers.ts';
import { type Json, readField } from './read.ts';

export interface SchemaPass {
  /** The facts of pass 1, as the bundle has them. */
  readonly errors: readonly BundleFault[];
  readonly faults: readonly Fault[];
  readonly legacy: boolean;
}

/** Top-level members that only a 0.x card has, in either spelling. */
const LEGACY_MARKS = [
  'url',
  'endpoints',
  'preferredTransport',
  'preferred_transport',
  'additionalInterfaces',
  'additional_interfaces',
];
const LEGACY_VERSIONS = ['protocolVersion', 'protocol_version', 'protocolVersions', 'protocol_versions'];

/** Where a 0.x card rightly has a shape that is not the 1.0 one. */
const OTHER_SHAPE_IN_LEGACY =
  /^(?:\/skills\/\d+)?\/(?:securitySchemes|securityRequirements|security_schemes|security_requirements)\//;

function namesLegacyVersion(value: unknown): boolean {
  const versions = Array.isArray(value) ? value : [value];
  return versions.some((version) => typeof version === 'string' && /^v?0(?:\.|$)/.test(version));
}

/** True for a 0.x card: no interfaces, and an endpoint, transport or 0.x version at the top. */
export function isLegacyCard(card: Json): boolean {
  const interfaces = readField('AgentCard', card, 'supportedInterfaces');
  if (interfaces !== undefined && !(Array.isArray(interfaces) && interfaces.length === 0)) return false;
  return (
    LEGACY_MARKS.some((key) => Object.hasOwn(card, key)) ||
    LEGACY_VERSIONS.some((key) => Object.hasOwn(card, key) && namesLegacyVersion(card[key]))
  );
}

/** Pass 1: the bundle at `#/$defs/AgentCard`, and what the bundle cannot say about names and null. */
export function checkSchema(card: Json, validate: BundleValidator): SchemaPass {
  const legacy = isLegacyCard(card);
  const spelling = checkSpelling(card);
  const errors = validate(card) ? [] : readBundleErrors(validate.errors, (path) => spelling.nulls.has(path));
  const faults: Fault[] = [];
  if (legacy) {
    const message = 'This is a 0.x card: it lists no supportedInterfaces. A2A 1.0 names each endpoint there.';
    faults.push({ id: 'legacy-card', path: '', keyword: 'legacy-card', message });
  }
  for (const error of errors) {
    if (legacy && OTHER_SHAPE_IN_LEGACY.test(error.path)) continue;
    faults.push(toFault(error));
  }
  return { errors, faults: [...faults, ...spelling.faults], legacy };
}

function toFault({ path, keyword, message, definition = 'AgentCard' }: BundleFault): Fault {
  if (keyword !== 'additionalProperties') {
    return { id: 'schema-type', path, keyword, message: `${placeOf(path)} ${message}.` };
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const fields = [...(SHAPES.messages.get(definition)?.fields.keys() ?? [])];
  const move = leftoverMove(path) ?? didYouMean(name, fields);
  const problem = `${placeOf(path)} is not a member that A2A 1.0 defines there. ${move}`.trim();
  return { id: 'schema-unknown-key', path, keyword, message: problem };
}

/** Nulls that are listed at most. */
const MAX_NULLS = 100;

interface Spelling {
  readonly faults: Fault[];
  /** Paths of fields that are null, which means unset: no error of the schema. */
  readonly nulls: Set<string>;
}

/** Walks the card along the field table for proto names and nulls. */
function checkSpelling(card: Json): Spelling {
  const found: Spelling = { faults: [], nulls: new Set() };
  const root = SHAPES.messages.get('AgentCard');
  if (root !== undefined) visitMessage(root, card, '', found);
  return found;
}

function visitMessage(shape: MessageShape, value: Json, path: string, found: Spelling): void {
  for (const key of Object.keys(value)) {
    const alias = shape.aliases.get(key);
    const field = shape.fields.get(key) ?? alias;
    if (field === undefined) continue;
    const place = joinPath(path, key);
    if (alias !== undefined) found.faults.push(protoName(alias, value, place));
    if (value[key] === null) {
      found.nulls.add(place);
      if (!field.required && found.nulls.size <= MAX_NULLS) found.faults.push(nullField(place));
    } else {
      visitField(field, value[key], place, found);
    }
  }
}

function visitField(field: Field, value: unknown, path: string, found: Spelling): void {
  const shape = SHAPES.messages.get(field.type);
  if (shape === undefined) return;
  const items = field.list || field.map ? value : { '': value };
  if (typeof items !== 'object' || items === null) return;
  if (field.list && !Array.isArray(items)) return;
  for (const [key, item] of Object.entries(items)) {
    if (isObject(item)) visitMessage(shape, item, field.list || field.map ? joinPath(path, key) : path, found);
  }
}

function protoName(field: Field, value: Json, path: string): Fault {
  const base = { id: 'camel-case', path, keyword: 'camel-case' } as const;
  if (Object.hasOwn(value, field.name)) {
    const message = `${placeOf(path)} and ${field.name} are one field in two spellings; readers take one or the other. Keep ${field.name}.`;
    return { ...base, message, severity: 'error' };
  }
  return { ...base, message: `${placeOf(path)} is a proto name. In JSON the field is called ${field.name}.` };
}

function nullField(path: string): Fault {
  const message = `${placeOf(path)} is null, which means unset. Leave it out.`;
  return { id: 'null-as-unset', path, keyword: 'null-as-unset', message };
}
