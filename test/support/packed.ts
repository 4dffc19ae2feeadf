import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

export interface Manifest {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

function npmPack(...options: string[]): {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
} {
  // Scripts would rebuild what other tests are reading.
  const output = execFileSync(NPM, ['pack', '--json', '--ignore-scripts', ...options], { cwd: ROOT, encoding: 'utf8' });
  const [pack] = JSON.parse(output) as [ReturnType<typeof npmPack>];
  return pack;
}

/** The paths in the package, as npm would publish it. */
export function packedFiles(): string[] {
  return npmPack('--dry-run')
    .files.map((file) => file.path)
    .sort();
}

export interface Installed {
  /** A project that has the packed package, and its dependencies, installed. */
  readonly folder: string;
  /** Path of a file of the installed package. */
  file(path: string): string;
  /** Runs a script in the project and returns what it prints. */
  run(name: string, script: string, ...nodeOptions: string[]): string;
  remove(): void;
}

/** Packs the package and puts it into an empty project, as `npm install` would, without asking a registry. */
export function installPacked(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-guard-'));
  const { filename } = npmPack('--pack-destination', folder);
  const home = join(folder, 'node_modules', manifest.name);
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  return {
    folder,
    file: (path) => join(home, path),
    run(name, script, ...nodeOptions) {
      writeFileSync(join(folder, name), script);
      return execFileSync(process.execPath, [...nodeOptions, name], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
