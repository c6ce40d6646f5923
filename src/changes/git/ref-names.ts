import type { Attempt } from '../port.ts';

/** The names of one session in the repository. */
export interface RefNames {
  /** The session's id, as its refs and its directory have it. */
  readonly id: string;
  /** `refs/heads/ralph/<session>`, unless the session has a branch of another name. */
  readonly branch: string;
  /** The commit the session began at, and the configuration it knows (`configuration.ts`). */
  readonly base: string;
  readonly configuration: string;
  /** The first and the last snapshot of a shared workspace: times of refs are whole seconds, so they give no order. */
  readonly first: string;
  readonly last: string;
  /** Files that are being put back in a shared workspace (`work/move-files.ts`). */
  readonly moving: string;
  /** A commit with two parents: the squash on the person's branch, and the tip of the session's branch that it holds (`work/finish.ts`). */
  readonly squashed: string;
  /** The directory of the refs that belong to no task. */
  readonly own: string;
  /** The directory of the branches of attempts. */
  readonly attempts: string;
  /** What `for-each-ref` lists for the session. */
  readonly all: readonly string[];
  of(attempt: Attempt): AttemptRefs;
  /** Every ref of the attempt, and those that belong to no task. */
  beside(attempt: Attempt): readonly string[];
  /** The attempt and the last part of a ref below `refs/ralph/<session>/`; `null` for another ref. */
  parse(ref: string): { readonly attempt: Attempt; readonly part: string } | null;
  /** The name of the attempt's worktree directory, and back. */
  directoryOf(attempt: Attempt): string;
  attemptOf(directory: string): Attempt | null;
}

export interface AttemptRefs {
  /** `refs/heads/ralph-attempt/<session>/<task>/<attempt>`. */
  readonly branch: string;
  /** Where it began; written last, so an attempt without it was never handed out. */
  readonly start: string;
  /** Its snapshots. In a worktree `before` is `start`: what `worktree.setup` made is no work of the attempt. */
  readonly before: string;
  readonly after: string;
  /** The files after `worktree.setup`, when they differ from those of `start`. */
  readonly prepared: string;
  /** What is merged. */
  readonly commit: string;
  /** The tip of the session's branch that `openConflict` merged into the worktree. */
  readonly onto: string;
  /** Files that were in the worktree when a conflict was written into it. */
  readonly left: string;
  /** The repositories in its worktree whose files its commit does not hold (`nested.ts`), as a blob of their paths. */
  readonly nested: string;
  /** Work that was undone in a shared workspace. */
  readonly undone: string;
  /** What `for-each-ref` lists for the attempt. */
  readonly all: readonly string[];
}

/** The directory of the session's own worktree. No attempt has it: theirs end in a number. */
export const sessionDirectory = 'merged';

/** Parts of a session that belong to no task: `=` begins no encoded id. */
const own = '=session';

/** The ref names of a session. `ignoresCase`: ids that differ only in case get names that differ in more. */
export const refNames = (session: string, ignoresCase: boolean, named?: string): RefNames => {
  const id = encodeId(session, ignoresCase);
  const taskName = (task: string): string => encodeId(task, ignoresCase);
  const root = `refs/ralph/${id}`;
  const branch = `refs/heads/${named ?? `ralph/${id}`}`;
  const attempts = `refs/heads/ralph-attempt/${id}`;
  const single = {
    branch,
    base: `${root}/${own}/base`,
    configuration: `${root}/${own}/configuration`,
    first: `${root}/${own}/first`,
    last: `${root}/${own}/last`,
    moving: `${root}/${own}/moving`,
    squashed: `${root}/${own}/squashed`,
  };
  const singleOf = ({ task, attempt }: Attempt) => {
    const at = `${root}/${taskName(task)}/${attempt}`;
    return {
      branch: `${attempts}/${taskName(task)}/${attempt}`,
      start: `${at}/start`,
      before: `${at}/before`,
      after: `${at}/after`,
      prepared: `${at}/prepared`,
      commit: `${at}/commit`,
      onto: `${at}/onto`,
      left: `${at}/left`,
      nested: `${at}/nested`,
      undone: `${at}/undone`,
    };
  };
  return {
    ...single,
    id,
    own: `${root}/${own}`,
    attempts,
    all: [root, branch, attempts],
    of: (attempt) => ({
      ...singleOf(attempt),
      all: [
        `${root}/${taskName(attempt.task)}/${attempt.attempt}`,
        `${attempts}/${taskName(attempt.task)}/${attempt.attempt}`,
      ],
    }),
    beside: (attempt) => [...Object.values(single), ...Object.values(singleOf(attempt))],
    parse: (ref) => {
      const [task = '', attempt = '', part = '', ...more] = ref.startsWith(`${root}/`)
        ? ref.slice(root.length + 1).split('/')
        : [];
      if (task === own || part === '' || more.length > 0 || !/^\d{1,9}$/.test(attempt)) return null;
      return { attempt: { task: decodeId(task), attempt: Number(attempt) }, part };
    },
    directoryOf: ({ task, attempt }) => `${taskName(task)}-${attempt}`,
    attemptOf: (directory) => {
      const match = /^(.+)-(\d{1,9})$/.exec(directory);
      return match?.[1] === undefined ? null : { task: decodeId(match[1]), attempt: Number(match[2]) };
    },
  };
};

/** A branch as people write it. */
export const shortBranch = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** Dots that a ref refuses become `=0`. Where names ignore case, a capital becomes `=` and its small letter. */
const encodeId = (id: string, ignoresCase: boolean): string => {
  const dots = id.replace(/^\.|\.(?=\.|lock$|$)/g, '=0');
  return ignoresCase ? dots.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`) : dots;
};

/** The issue of a stream of a flow, from the name that its refs have (`refs/ralph/<session>+<issue>`); `null` for a session as a whole. */
export const streamOfName = (name: string): string | null => {
  const at = name.indexOf('+');
  return at < 0 ? null : decodeId(name.slice(at + 1));
};

/** The branch of a stream, unless somebody else has one of that name. */
export const streamBranch = (issue: string): string => `ralph/${issue}`;

/** The ref that every opened session has, and every stream of one. `name` may be a pattern. */
export const openedRef = (name: string): string => `refs/ralph/${name}/${own}/configuration`;

const decodeId = (name: string): string =>
  name.replace(/=(.)/g, (_, letter: string) => (letter === '0' ? '.' : letter.toUpperCase()));
