import { dirname, join, resolve } from 'node:path';
import { list } from '../base/sentence.ts';
import { askGit, type Context, tryGit } from './context.ts';
import { partsOf } from './git/git-text.ts';
import { type ConfigEntry, isOfRepository, readAllConfig } from './git/repository.ts';

/**
 * Worktrees share `.git`, so a task can change what git runs on the person's machine. This looks whether `.git/config`, a hook,
 * `.git/info/attributes` or `.git/info/exclude` changed since the session began, and so the files outside the repository that say what git leaves out or does to
 * files. Branch settings may change, and remotes may come, but no address of a known one.
 */
export interface ConfigurationWatch {
  changed(): Promise<Difference | null>;
  /** Does what `store` does, if the state is still the one that a person looked at (`Difference.state`); else gives `null`. */
  accept(state: string): Promise<string | null>;
  /** Stores the present state as the known one, in a blob; the caller gives it its ref. */
  store(): Promise<string>;
}

export interface Difference {
  /** What changed, as a clause: "the hook pre-commit is new". */
  readonly what: string;
  /** A fingerprint of what is there now. */
  readonly state: string;
}

/** The known state is in a ref of the session, so it survives a restart. */
export const createConfigurationWatch = (context: Context): ConfigurationWatch => {
  // Stamps of the files that were last found unchanged: while they hold, no process is needed.
  let fine: string | null = null;
  let watched: readonly string[] = [];
  /** The parts, and stamps that were taken before. */
  const look = async (): Promise<{ readonly parts: Parts; readonly stamps: string }> => {
    for (;;) {
      const stamps = stampsOf(context, watched);
      const { parts, files } = await readParts(context);
      if (files.every((file) => watched.includes(file))) return { parts, stamps };
      watched = files;
    }
  };
  const keep = async <T extends string | null>(store: (parts: Parts) => Promise<T>): Promise<T> => {
    const { parts, stamps } = await look();
    const stored = await store(parts);
    if (stored !== null) fine = stamps;
    return stored;
  };
  return {
    changed: async () => {
      if (stampsOf(context, watched) === fine) return null;
      const { parts, stamps } = await look();
      const what = difference(await readKnown(context), parts);
      if (what !== null) return { what, state: stateOf(context, parts) };
      fine = stamps;
      return null;
    },
    store: () => keep(async (parts) => storeParts(context, parts)),
    accept: (state) =>
      keep(async (parts) => (stateOf(context, parts) === state ? storeParts(context, parts) : null)),
  };
};

type Parts = ReadonlyMap<string, string>;

const stateOf = ({ hash }: Pick<Context, 'hash'>, parts: Parts): string =>
  hash([...parts].map(([name, part]) => `${part} ${name}\0`).join(''));

const storeParts = async (context: Context, parts: Parts): Promise<string> => {
  const input = [...parts].map(([name, hash]) => `${hash} ${name}\0`).join('');
  return askGit(context, 'store the known configuration', ['hash-object', '-w', '--stdin'], { input });
};

const readKnown = async (context: Context): Promise<Parts> => {
  const { code, out } = await tryGit(context, [
    'cat-file',
    'blob',
    context.own.refs?.get(context.names.configuration) ?? context.names.configuration,
  ]);
  if (code !== 0) return new Map();
  return new Map(
    partsOf(out).map((part) => [part.slice(part.indexOf(' ') + 1), part.slice(0, part.indexOf(' '))]),
  );
};

/** What git leaves out of every snapshot: a file of a task that it names would be lost. */
const exclude = '.git/info/exclude';

/** Settings that git itself writes in everyday work and that run nothing. */
const everyday = /^(branch\..*|remote\..*\.(url|fetch|pushurl)|core\.sparsecheckout(cone)?)$/;

/** Hashes of what could run something or keep a file from being recorded, by name, and the files outside the repository that this depends on. */
const readParts = async (
  context: Context,
): Promise<{ readonly parts: Parts; readonly files: readonly string[] }> => {
  const { commonDir, gitDir } = context.repository;
  const entries = await readAllConfig(context.git, gitDir);
  const all = entries.filter(isOfRepository);
  const config = all.filter(({ key }) => !everyday.test(key)).map(({ key, value }) => `${key}=${value}`);
  // git follows links.
  const hashOf = (path: string): string => {
    const at = context.files.resolve(path) ?? path;
    return context.hash(`${context.files.kind(at)} ${context.files.read(at) ?? context.files.stamp(at)}`);
  };
  const everywhere = namedFiles(context, entries);
  const personal = entries.filter(({ key, file }) => file !== null && ofPerson.test(key));
  const parts = new Map([
    ['.git/config', context.hash(config.join('\0'))],
    ['.git/info/attributes', hashOf(join(commonDir, 'info/attributes'))],
    [exclude, hashOf(join(commonDir, 'info/exclude'))],
    ...hooksOf(context).map(({ name, path }) => [`the hook ${name}`, hashOf(path)] as const),
    ...[...addressesIn(all)].map(([name, lines]) => [name, context.hash(lines)] as const),
    [own, context.hash(personal.map(({ key, value }) => `${key}=${value}`).join('\0'))],
    ...everywhere.map((path) => [path, hashOf(path)] as const),
  ]);
  return { parts, files: [...everywhere, ...settingsFiles(context, entries)] };
};

/** The settings of the person, for all their repositories, that name programs or files of patterns. */
const own = 'your own configuration of git';
const ofPerson = /^(?:core\.(?:excludesfile|attributesfile)|filter\..*|merge\..*\.driver)$/;

/** The files of patterns that git reads beside those of the repository: what is left out, and what is done to files. */
const namedFiles = (context: Context, entries: readonly ConfigEntry[]): readonly string[] =>
  (['excludesfile', 'attributesfile'] as const).map((name) => {
    const named = entries.findLast(({ key }) => key === `core.${name}`)?.value ?? '';
    return named === ''
      ? join(context.personal.settings, name === 'excludesfile' ? 'ignore' : 'attributes')
      : fromHome(context, context.repository.root, named);
  });

const fromHome = ({ personal }: Context, from: string, path: string): string =>
  path === '~' || path.startsWith('~/') ? join(personal.home, path.slice(1)) : resolve(from, path);

/** The files of settings outside the repository, and those that they name and that may come. */
const settingsFiles = (context: Context, entries: readonly ConfigEntry[]): readonly string[] => [
  ...new Set([
    join(context.personal.home, '.gitconfig'),
    join(context.personal.settings, 'config'),
    ...entries.flatMap((entry) => {
      const { file, key, value } = entry;
      if (file === null || isOfRepository(entry)) return [];
      return /^include(?:if\..*)?\.path$/s.test(key)
        ? [file, fromHome(context, dirname(file), value)]
        : [file];
    }),
  ]),
];

/** Where each remote leads: somebody else's address would get what is pushed. */
const addressesIn = (config: readonly ConfigEntry[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { key, value } of config) {
    const remote = /^remote\.(.*)\.(?:url|pushurl)$/s.exec(key)?.[1];
    const name = `${address}${remote}`;
    if (remote !== undefined) found.set(name, `${found.get(name) ?? ''}${key}=${value}\0`);
  }
  return found;
};

const address = 'the address of the remote ';

/** In `.git/hooks`, and where `core.hooksPath` leads: it may name a directory of the person's own work tree. */
const hooksOf = (context: Context): readonly { readonly name: string; readonly path: string }[] =>
  hookDirectories(context).flatMap((directory) =>
    context.files
      .list(directory)
      .filter((name) => !name.endsWith('.sample'))
      .map((name) => ({ name, path: join(directory, name) })),
  );

const hookDirectories = ({ repository: { commonDir, root, config } }: Context): readonly string[] => {
  const other = config.findLast(({ key }) => key === 'core.hookspath')?.value ?? '';
  const places = [join(commonDir, 'hooks')];
  return other === '' ? places : [...places, resolve(root, other)];
};

const stampsOf = (context: Context, watched: readonly string[]): string => {
  const { commonDir, gitDir, config } = context.repository;
  // An included file may be anywhere: then the stamps tell nothing.
  const includes = config.some(({ key }) => key.startsWith('include'));
  if (includes) return context.unique();
  return [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
    join(commonDir, 'info/attributes'),
    join(commonDir, 'info/exclude'),
    ...hookDirectories(context),
    ...hooksOf(context).map(({ path }) => path),
    ...watched,
  ]
    .map((path) => `${context.files.stamp(path)} ${context.files.stamp(context.files.resolve(path) ?? '')}`)
    .join('|');
};

/** Of a file outside the repository. A setting says which one it is, and that is compared too. */
const isPlace = (name: string): boolean => name.startsWith('/');

const difference = (known: Parts, now: Parts): string | null => {
  const changes: string[] = [];
  for (const [name, hash] of now) {
    const before = known.get(name);
    // Sessions of earlier versions did not look at it; a new remote is nobody's yet.
    if (before === undefined && (name === exclude || name.startsWith(address))) continue;
    if (before === undefined && (name === own || isPlace(name))) continue;
    if (before === undefined) changes.push(`${name} is new`);
    else if (before !== hash) changes.push(`${name} changed`);
  }
  for (const name of known.keys()) if (!now.has(name) && !isPlace(name)) changes.push(`${name} was removed`);
  return changes.length === 0 ? null : list(changes, 3);
};
