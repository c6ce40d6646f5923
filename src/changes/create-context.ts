import { join } from 'node:path';
import { type ChangesPorts, type Context, markerOf, ownStore, refuse, repositoryPlace } from './context.ts';
import { whyNoSnapshots, whyNoWorktrees } from './examine.ts';
import { comparisons } from './git/compare.ts';
import { linesOf } from './git/git-text.ts';
import { objectReader } from './git/object-reader.ts';
import { ownObjects } from './git/own-objects.ts';
import { type RefNames, refNames, streamBranch, streamOfName } from './git/ref-names.ts';
import { findRepository, type Located } from './git/repository.ts';
import type { StayingGit } from './git.ts';
import { wasLeftAt } from './own-refs.ts';
import type { Opening } from './port.ts';

/** A session's view of its repository; a fault when the workspace does not allow the isolation. */
export const createContext = async (ports: ChangesPorts, opening: Opening): Promise<Context> => {
  const found = await findRepository(ports.git, opening.workspace);
  const why = opening.isolation === 'worktree' ? whyNoWorktrees(found) : whyNoSnapshots(found);
  if (why !== null || found.kind !== 'repository')
    throw refuse(
      found.kind === 'none' ? 'no-repository' : 'no-isolation',
      (why ?? 'there is no git repository').replace(/\.$/, ''),
    );
  const { repository } = found;
  const { names, continued } = await namesFor(ports, opening, repository);
  const place = join(repositoryPlace(ports, repository), names.id);
  const memory = {
    own: { refs: null },
    genuine: { ids: null },
    packed: { stamp: '', refs: new Map() },
    trees: new Map(),
    parents: new Map(),
    history: { base: '', tip: '', steps: [] },
    recorders: new Map(),
  };
  const objects = opening.isolation === 'worktree' ? ownObjects(ports, repository, place) : null;
  const context = { ...ports, ...memory, opening, repository, names, place, continued, objects };
  return { ...context, staying: stayingIn(context) };
};

/**
 * A branch with the wished name may be somebody else's: then the session's id is added. One that an earlier session left is continued (`continued`: its
 * tip), if it stands where that session left it, nobody has it checked out, and it does not conflict with the person's. An opened session keeps the one that it has.
 */
const namesFor = async (
  ports: ChangesPorts,
  { session, branch }: Opening,
  repository: Located,
): Promise<{ readonly names: RefNames; readonly continued: string | null }> => {
  const { ignoresCase, root, gitDir } = repository;
  if (branch === undefined) return { names: refNames(session, ignoresCase), continued: null };
  const wished = refNames(session, ignoresCase, branch);
  const other = refNames(session, ignoresCase, `${branch}-${wished.id.replaceAll('+', '-')}`);
  const answer = await ports.git.run({
    args: [
      'for-each-ref',
      '--format=%(refname) %(objectname) %(worktreepath)',
      wished.branch,
      other.branch,
      wished.configuration,
    ],
    cwd: root,
    gitDir,
    workTree: root,
    marker: `changes:${wished.id}`,
  });
  const found = new Map(
    linesOf(answer.out).map((line) => {
      const [ref = '', tip = '', ...checkedOut] = line.split(' ');
      return [ref, { tip, isFree: checkedOut.join(' ') === '' }] as const;
    }),
  );
  if (found.has(other.branch)) return { names: other, continued: null };
  const taken = found.has(wished.configuration) ? undefined : found.get(wished.branch);
  if (taken === undefined) return { names: wished, continued: null };
  const isOurs = taken.isFree && wasLeftAt(ports, repository, wished, taken.tip);
  return isOurs && (await mergesStill(ports, repository, taken.tip))
    ? { names: wished, continued: taken.tip }
    : { names: other, continued: null };
};

/** What conflicts with the person's branch by now would never come to it: the work begins again on what that holds. */
const mergesStill = async ({ git }: ChangesPorts, at: Located, tip: string): Promise<boolean> => {
  const { head, root, gitDir } = at;
  if (head === null) return true;
  const args = ['merge-tree', '--write-tree', '--no-messages', '-z', head, tip];
  return (await git.run({ args, cwd: root, gitDir, workTree: root, marker: 'changes:continue' })).code === 0;
};

/** Nothing starts before it is asked. */
const stayingIn = (context: Omit<Context, 'staying'>): Context['staying'] => {
  const { gitDir, root } = context.repository;
  const stay = (args: readonly string[], where = ownStore(context)): StayingGit =>
    context.git.stay({ args, cwd: root, gitDir, workTree: root, marker: markerOf(context), ...where });
  return {
    refs: stay(['update-ref', '-z', '--stdin']),
    commits: stay(['hash-object', '-w', '-t', 'commit', '--no-filters', '--stdin-paths']),
    files: stay([...comparisons.files, '--stdin']),
    names: stay([...comparisons.names, '--stdin']),
    objects: stay(objectReader),
    stored: stay(objectReader, {}),
  };
};

/** The same for looking only, also where there are no worktrees. */
export const createReadingContext = (
  ports: ChangesPorts,
  workspace: string,
  session: string,
): Promise<Context> => {
  const stream = streamOfName(session);
  return createContext(ports, {
    workspace,
    session,
    ...(stream === null ? {} : { branch: streamBranch(stream) }),
    isolation: 'shared',
    copy: [],
    patches: '',
    secrets: [],
  });
};
