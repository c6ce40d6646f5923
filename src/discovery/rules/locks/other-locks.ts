import type { LockKind } from './lock-kind.ts';
import { tomlLines } from './toml-lines.ts';

/** Lock files of Cargo, Go, uv and poetry. */
export const otherLocks: readonly LockKind[] = [
  {
    lock: 'Cargo.lock',
    manifest: 'Cargo.toml',
    ecosystem: 'rust',
    refresh: 'cargo update --workspace',
    missing: (lock, manifest) => cargoMissing(lock, manifest),
  },
  {
    lock: 'go.sum',
    manifest: 'go.mod',
    ecosystem: 'go',
    refresh: 'go mod tidy',
    missing: (lock, manifest) => goMissing(lock, manifest),
  },
  {
    lock: 'uv.lock',
    manifest: 'pyproject.toml',
    ecosystem: 'python',
    refresh: 'uv lock',
    missing: (lock, manifest) => absent(lock, projectDependencies(manifest)),
  },
  {
    lock: 'poetry.lock',
    manifest: 'pyproject.toml',
    ecosystem: 'python',
    refresh: 'poetry lock',
    missing: (lock, manifest) =>
      absent(lock, [...projectDependencies(manifest), ...poetryDependencies(manifest)]),
  },
  { lock: 'Pipfile.lock', manifest: 'Pipfile', ecosystem: 'python', refresh: 'pipenv lock' },
  { lock: 'pdm.lock', manifest: 'pyproject.toml', ecosystem: 'python', refresh: 'pdm lock' },
];

/** The package names in `[[package]]` entries, which Cargo, uv and poetry write the same way. */
const lockedNames = (lock: string): ReadonlySet<string> =>
  new Set([...lock.matchAll(/^name = "([^"]+)"/gm)].map((match) => normal(match[1] ?? '')));

/** PEP 503. Cargo also treats `-` and `_` alike. */
const normal = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

const absent = (lock: string, names: readonly string[]): readonly string[] => {
  const locked = lockedNames(lock);
  return locked.size === 0 ? [] : [...new Set(names)].filter((name) => !locked.has(normal(name)));
};

const cargoMissing = (lock: string, manifest: string): readonly string[] => {
  const tables = /^(?:target\..+\.)?(?:dev-|build-)?dependencies$/;
  const names = tomlLines(manifest).flatMap(({ table, key, value }) => {
    const [name = ''] = key.split('.');
    if (tables.test(table)) return [/\bpackage\s*=\s*"([^"]+)"/.exec(value)?.[1] ?? name];
    return [];
  });
  const own = [...manifest.matchAll(/^\[(?:dev-|build-)?dependencies\.([\w-]+)\]([^[]*)/gm)].map(
    (match) => /^package\s*=\s*"([^"]+)"/m.exec(match[2] ?? '')?.[1] ?? match[1] ?? '',
  );
  return absent(lock, [...names, ...own]);
};

const goMissing = (lock: string, manifest: string): readonly string[] => {
  const sums = new Set(lock.split('\n').map((line) => line.split(' ', 2).join(' ')));
  const lines = manifest.split('\n').map(goWords);
  const replaced = new Set(lines.flatMap((words) => (words.includes('=>') ? words.slice(0, 1) : [])));
  return lines
    .filter(([path = '', version = '', more]) => more === undefined && isGoModule(path, version))
    .filter(([path = '']) => !replaced.has(path))
    .map(([path, version]) => `${path} ${version}`)
    .filter((required) => !sums.has(`${required}/go.mod`) && !sums.has(required));
};

/** The first words of a line of `go.mod`, without its comment and directive. Reads line by line: a pattern over the text would backtrack. */
const goWords = (line: string): readonly string[] => {
  const comment = line.indexOf('//');
  const words = (comment < 0 ? line : line.slice(0, comment)).split(/\s+/, 8).filter((word) => word !== '');
  return words[0] === 'require' || words[0] === 'replace' ? words.slice(1) : words;
};

/** A module's path begins with a host, which has a dot. */
const isGoModule = (path: string, version: string): boolean =>
  path.split('/', 1)[0]?.includes('.') === true && /^[\w./~-]+$/.test(path) && /^v[\w.+-]+$/.test(version);

const projectDependencies = (manifest: string): readonly string[] =>
  tomlLines(manifest)
    .filter(({ table, key }) => table === 'project' && key === 'dependencies')
    .flatMap(({ value }) => [...value.matchAll(/["']\s*([A-Za-z0-9][\w.-]*)/g)])
    .map((match) => match[1] ?? '');

const poetryDependencies = (manifest: string): readonly string[] =>
  tomlLines(manifest)
    .filter(({ table }) => /^tool\.poetry\.(?:group\.[\w-]+\.)?(?:dev-)?dependencies$/.test(table))
    .map(({ key }) => key.split('.')[0] ?? '')
    .filter((name) => name !== 'python');
