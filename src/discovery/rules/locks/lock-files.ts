import { posix } from 'node:path';
import type { Hit, Rule, Tree } from '../../rule.ts';
import { fileRole, isQuietRole } from '../../scanner/file-role.ts';
import type { LockKind } from './lock-kind.ts';
import { nodeLocks } from './node-locks.ts';
import { otherLocks } from './other-locks.ts';

const kinds: readonly LockKind[] = [...nodeLocks, ...otherLocks];

/** Several lock files of one ecosystem in one directory: the installed packages then depend on the package manager. */
export const lockConflict: Rule = {
  name: 'lock_conflict',
  tree: (tree) =>
    [...Map.groupBy(locksOf(tree), ({ folder, kind }) => `${folder}\0${kind.ecosystem}`).values()]
      .filter((found) => found.length > 1)
      .flatMap((found) => {
        const names = found.map(({ kind }) => kind.lock).sort();
        const [first] = found;
        return first === undefined
          ? []
          : [
              hitOf(first, {
                value: names.join(', '),
                description: `Several lock files lock the same packages: ${names.join(', ')}`,
                recommendation:
                  'Keep the lock file of the package manager the project uses and remove the others',
                steps: [
                  'Find out which one CI installs from',
                  `Keep that one of ${names.join(', ')} and remove the others`,
                ],
              }),
            ];
      }),
};

/** A lock that lacks requirements of its manifest. */
export const staleLock: Rule = {
  name: 'stale_lock',
  tree: (tree) =>
    locksOf(tree).flatMap((found) => {
      const { kind, folder, path } = found;
      const manifest = tree.read(posix.join(folder, kind.manifest));
      const lock = kind.missing === undefined || manifest === null ? null : tree.read(path);
      const own = manifest === null || lock === null ? [] : (kind.missing?.(lock, manifest, '') ?? []);
      const missing = lock === null ? own : [...own, ...missingOfMembers(tree, found, lock)];
      if (missing.length === 0) return [];
      const named = missing.slice(0, 3).join(', ');
      const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
      return [
        hitOf(found, {
          value: kind.lock,
          description: `${path} lacks what ${kind.manifest} requires: ${named}${more}`,
          recommendation: `Run \`${kind.refresh}\` and commit the lock file before the session`,
          steps: [
            `Run \`${kind.refresh}\` in ${folder === '' ? 'the project directory' : folder}`,
            `Commit ${path}`,
          ],
        }),
      ];
    }),
};

/** What members of a workspace require and the lock lacks: `packages/a: zod ^4.0.0`. */
const missingOfMembers = (tree: Tree, { kind, folder }: FoundLock, lock: string): readonly string[] =>
  (kind.members?.(lock) ?? []).flatMap((member) => {
    const manifest = tree.read(posix.join(folder, member, kind.manifest));
    const missing = manifest === null ? [] : (kind.missing?.(lock, manifest, member) ?? []);
    return missing.map((each) => `${member}: ${each}`);
  });

/** A lock without a manifest beside it. */
export const orphanLock: Rule = {
  name: 'orphan_lock',
  tree: (tree) => {
    const paths = new Set(tree.paths);
    return locksOf(tree)
      .filter(({ folder, kind }) => !paths.has(posix.join(folder, kind.manifest)))
      .map((found) => ({
        ...hitOf(found, {
          value: found.kind.lock,
          description: `${found.path} has no ${found.kind.manifest} beside it`,
          recommendation: `Remove ${found.path}, or restore ${found.kind.manifest}`,
          steps: [],
        }),
        severity: 'low' as const,
      }));
  },
};

interface FoundLock {
  readonly kind: LockKind;
  /** '' for the project directory. */
  readonly folder: string;
  readonly path: string;
}

const locksOf = (tree: Tree): readonly FoundLock[] =>
  tree.paths.flatMap((path) => {
    const name = posix.basename(path);
    const kind = kinds.find(({ lock }) => lock === name);
    const folder = posix.dirname(path);
    return kind === undefined ? [] : [{ kind, path, folder: folder === '.' ? '' : folder }];
  });

const hitOf = (
  { kind, folder, path }: FoundLock,
  words: Pick<Hit, 'value' | 'description' | 'recommendation'> & { readonly steps: readonly string[] },
): Hit => {
  const role = fileRole(posix.join(folder, kind.manifest));
  return {
    ...words,
    per: 'file',
    file: path,
    line: null,
    severity: role === 'test' || isQuietRole(role) ? 'low' : 'medium',
    role,
    tags: ['dependencies', kind.ecosystem],
  };
};
