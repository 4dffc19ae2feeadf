import { describe, expect, it } from 'vitest';
import { type Import, type Source, sources } from './support/sources.ts';

/** From the doors down. A module imports from its own layer and from those below it. */
const LAYERS = ['doors', 'guard', 'client', 'options', 'judges', 'schema', 'facts'] as const;
type Name = (typeof LAYERS)[number];

const DOORS = ['index.ts', 'core.ts', 'sdk.ts'];
const FILES: Readonly<Record<string, Name>> = {
  'guard.ts': 'guard',
  'arguments.ts': 'guard',
  'options.ts': 'options',
  'option-checks.ts': 'options',
  'option-defaults.ts': 'options',
  'option-rules.ts': 'options',
  'checks.ts': 'facts',
  'ticket.ts': 'facts',
  'errors.ts': 'facts',
  'exchange.ts': 'facts',
  'remembered.ts': 'facts',
};
const FOLDERS: Readonly<Record<string, Name>> = {
  cli: 'doors',
  client: 'client',
  discovery: 'client',
  card: 'judges',
  call: 'judges',
  traffic: 'judges',
  schema: 'schema',
};
const JUDGES = ['card', 'call', 'traffic'];

const folderOf = (path: string): string | undefined =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined;

function layerOf(path: string): Name {
  const folder = folderOf(path);
  const layer = folder === undefined ? (DOORS.includes(path) ? 'doors' : FILES[path]) : FOLDERS[folder];
  if (layer === undefined) throw new Error(`src/${path} is in no layer`);
  return layer;
}

const isNode = ({ specifier }: Import): boolean => specifier.startsWith('node:');
const isUndici = ({ specifier }: Import): boolean => specifier === 'undici' || specifier.startsWith('undici/');

function offences(of: (source: Source) => boolean, offends: (one: Import, source: Source) => boolean): string[] {
  return sources
    .filter(of)
    .flatMap((source) =>
      source.imports.filter((one) => offends(one, source)).map((one) => `${source.path} imports ${one.specifier}`),
    );
}

describe('imports go one way', () => {
  it('every module is in a layer', () => {
    for (const { path } of sources) expect(LAYERS).toContain(layerOf(path));
  });

  it('no module imports a value from a layer above its own', () => {
    const rising = offences(
      () => true,
      ({ target, typeOnly }, { path }) =>
        !typeOnly && target !== undefined && LAYERS.indexOf(layerOf(target)) < LAYERS.indexOf(layerOf(path)),
    );
    expect(rising).toEqual([]);
  });

  it('no module imports a type from a layer above its own', () => {
    const rising = offences(
      () => true,
      ({ target, typeOnly }, { path }) =>
        typeOnly && target !== undefined && LAYERS.indexOf(layerOf(target)) < LAYERS.indexOf(layerOf(path)),
    );
    expect(rising).toEqual([]);
  });

  it('card, call and traffic know each other by types only', () => {
    const meddling = offences(
      ({ path }) => JUDGES.includes(folderOf(path) ?? ''),
      ({ target, typeOnly }, { path }) => {
        const folder = target === undefined ? undefined : folderOf(target);
        return !typeOnly && folder !== undefined && JUDGES.includes(folder) && folder !== folderOf(path);
      },
    );
    expect(meddling).toEqual([]);
  });

  it('nothing uses the command line', () => {
    const usingCli = offences(
      ({ path }) => folderOf(path) !== 'cli',
      ({ target }) => target !== undefined && folderOf(target) === 'cli',
    );
    expect(usingCli).toEqual([]);
  });

  it('no two modules import values from each other', () => {
    const values = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.flatMap(({ target, typeOnly }) => (typeOnly || target === undefined ? [] : [target])),
      ]),
    );
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
      else for (const next of values.get(path) ?? []) visit(next, [...trail, path]);
    };
    for (const { path } of sources) visit(path, []);
    expect([...new Set(cycles)]).toEqual([]);
  });
});

describe('the pure half needs no platform', () => {
  const PURE = [...JUDGES, 'schema'];

  it('nothing under card, call, traffic and schema imports node: or undici, not even a type', () => {
    const impure = offences(
      ({ path }) => PURE.includes(folderOf(path) ?? ''),
      (one) => isNode(one) || isUndici(one),
    );
    expect(impure).toEqual([]);
  });

  it('only the main door, the command line and the undici client with its lookup import values of node: or undici', () => {
    const NODE = ['index.ts', 'client/undici.ts', 'client/lookup.ts'];
    const impure = offences(
      ({ path }) => !NODE.includes(path) && folderOf(path) !== 'cli',
      (one) => !one.typeOnly && (isNode(one) || isUndici(one)),
    );
    expect(impure).toEqual([]);
  });

  it('the core reaches no module that imports a value of node:, undici or ajv', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { target, typeOnly } of byPath.get(path)?.imports ?? [])
        if (!typeOnly && target !== undefined) visit(target);
    };
    visit('core.ts');
    const impure = offences(
      ({ path }) => reached.has(path),
      (one) => !one.typeOnly && (isNode(one) || isUndici(one) || /^ajv(?:\/|$)/.test(one.specifier)),
    );
    expect(impure).toEqual([]);
  });
});

describe('the shape of modules', () => {
  it('no default exports', () => {
    expect(sources.filter((source) => source.hasDefaultExport).map((source) => source.path)).toEqual([]);
  });

  it('no export of everything', () => {
    expect(
      offences(
        () => true,
        (one) => one.star,
      ),
    ).toEqual([]);
  });

  it('no module is found at run time', () => {
    expect(
      offences(
        () => true,
        (one) => one.specifier === '(computed)',
      ),
    ).toEqual([]);
  });

  it('every file has at most 300 lines', () => {
    const long = sources.filter(({ path, lines }) => !path.startsWith('schema/generated/') && lines > 300);
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it('both doors export the same names', () => {
    const namesOf = (path: string) => sources.find((source) => source.path === path)?.exports;
    expect(namesOf('core.ts')).toEqual(namesOf('index.ts'));
    expect(namesOf('core.ts')).toEqual(expect.arrayContaining(['CHECKS', 'GuardError', 'createGuard', 'isGuardError']));
  });
});
