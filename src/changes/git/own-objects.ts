import { join } from 'node:path';
import type { WorkFiles } from '../files/work-files.ts';
import type { Located } from './repository.ts';

/**
 * The objects that this session writes. They are in a directory of ours, where no `git gc` or `git prune` of the repository removes one before a ref names
 * it. The repository has each by a second name before a ref is written. What a `gc` took away there comes again.
 */
export interface OwnObjects {
  readonly directory: string;
  /** The object directory of the repository. */
  readonly of: string;
  /** What was last passed on of each directory. */
  readonly passed: Map<string, Passed>;
  /** Of the repository's packs when all was last passed on, and when the session was opened: another one tells of a `gc`. */
  packs: string;
  readonly began: string;
  /** The session has begun: what git writes goes there. */
  isUsed: boolean;
  /** A process of git that may write has answered since all was last passed on. */
  hasNew: boolean;
}

interface Passed {
  readonly stamp: string;
  /** When the directory was first seen with this stamp, in milliseconds since 1970. */
  readonly since: number;
  /** Whatever came later gave it another stamp. */
  readonly isAll: boolean;
  readonly names: ReadonlySet<string>;
}

/** Changes of a directory within so many milliseconds may leave it with one and the same time: a tick of the kernel's clock is shorter. */
const tickMs = 20;

/** `null` where others of a group write into the repository as well: only git knows whose files are whose then. */
export const ownObjects = (
  { files }: { readonly files: WorkFiles },
  { commonDir, config }: Pick<Located, 'commonDir' | 'config'>,
  place: string,
): OwnObjects | null => {
  if (config.some(({ key }) => key === 'core.sharedrepository')) return null;
  const of = join(commonDir, 'objects');
  const began = files.stamp(join(of, 'pack'));
  return {
    directory: join(place, objectsName),
    of,
    passed: new Map(),
    packs: began,
    began,
    isUsed: false,
    hasNew: true,
  };
};

/** From now on git writes there. */
export const takeObjects = ({ files, objects }: Seen): void => {
  if (objects === null) return;
  files.makeDirectory(join(objects.directory, 'pack'));
  objects.isUsed = true;
};

interface Seen {
  readonly files: WorkFiles;
  readonly objects: OwnObjects | null;
}

/** The name of their directory in that of the session. */
export const objectsName = 'objects';

/** git has answered a call in the session's work. */
export const tellAnswered = ({ objects }: Pick<Seen, 'objects'>, command: string | undefined): void => {
  if (objects !== null && !(command !== undefined && readers.has(command))) objects.hasNew = true;
};

/** Commands of git that write no object. */
const readers: ReadonlySet<string> = new Set([
  'checkout',
  'clean',
  'diff-tree',
  'for-each-ref',
  'ls-files',
  'ls-tree',
  'read-tree',
  'rev-parse',
  'worktree',
]);

/**
 * Gives the repository what it does not have yet. No process, and next to nothing where nothing was written: a session writes refs a dozen times for each
 * task, and its objects are in 256 directories.
 */
export const passOn = ({ files, objects, now }: Seen & { readonly now: () => number }): void => {
  if (objects === null) return;
  const packs = files.stamp(join(objects.of, 'pack'));
  if (packs === objects.packs && !objects.hasNew) return;
  if (packs !== objects.packs) objects.passed.clear();
  objects.packs = packs;
  // An error below leaves it as it was.
  objects.hasNew = true;
  for (const part of files.list(objects.directory)) {
    if (!/^(?:[0-9a-f]{2}|pack)$/.test(part)) continue;
    const from = join(objects.directory, part);
    const stamp = files.stamp(from);
    const known = objects.passed.get(part);
    const isSame = known?.stamp === stamp;
    if (isSame && known.isAll) continue;
    const looked = now();
    const since = isSame ? known.since : looked;
    const names = files.list(from).filter((name) => isWhole.test(name));
    // The index of a pack comes last: it makes the pack visible.
    const inOrder = names.toSorted((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
    for (const name of inOrder)
      if (!known?.names.has(name)) files.link(join(from, name), join(objects.of, part, name));
    objects.passed.set(part, { stamp, since, isAll: looked - since > tickMs, names: new Set(names) });
  }
  objects.hasNew = false;
};

/** Once more for all objects, also those known to be there: times of some file systems are coarse, and somebody may have removed one. */
export const passOnAll = (from: Parameters<typeof passOn>[0]): void => {
  from.objects?.passed.clear();
  if (from.objects !== null) from.objects.hasNew = true;
  passOn(from);
};

/** Loose objects and parts of packs, not those that git still writes. */
const isWhole = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-[0-9a-f]+\.(?:pack|idx|rev))$/;
