import type { FileChange } from '../../src/changes/changed-file.ts';
import { standing } from '../../src/changes/git/history.ts';
import type { Step } from '../../src/changes/memory.ts';
import type { Attempt } from '../../src/changes/port.ts';

export type Files = ReadonlyMap<string, string>;

/** An attempt, as git's refs keep it. Texts are names of commits. */
export interface Kept extends Attempt {
  /** Where its worktree began. */
  readonly start: string;
  /** The newest commit of the session's branch below it: what a merge compares both sides with. */
  base: string;
  before: string | null;
  after: string | null;
  commit: string | null;
  /** The tip that an open conflict was written against. */
  onto: string | null;
  hasTree: boolean;
  /** The number of its worktree. */
  slot: number;
}

/** What git holds: it outlives every program, and each of its steps happens whole or not at all. */
export interface SimulatedGit {
  /** The commit the session began at. */
  readonly base: string;
  tip: string;
  /** Something was merged onto the person's branch: the next merge makes a state that nothing has verified. */
  personMoved: boolean;
  readonly commits: Map<string, Files>;
  readonly attempts: Map<string, Kept>;
  /** What happened on the session's branch, oldest first. */
  readonly steps: Step[];
  readonly checks: SimulatedCheck[];
}

/** A check tree; `task` and `attempt` name its directory. */
export interface SimulatedCheck extends Attempt {
  user: string | null;
  isSetUp: boolean;
}

/** A repository with these files in its one commit. */
export const createSimulatedGit = (files: Files = new Map()): SimulatedGit => ({
  base: 'c0',
  tip: 'c0',
  personMoved: false,
  commits: new Map([['c0', files]]),
  attempts: new Map(),
  steps: [],
  checks: [],
});

/** Keeps files as a commit and gives its name. */
export const put = (git: SimulatedGit, files: Files): string => {
  const id = `c${git.commits.size}`;
  git.commits.set(id, files);
  return id;
};

export const filesAt = (git: SimulatedGit, commit: string): Files => git.commits.get(commit) ?? new Map();

/** A blob is named by a commit that holds it and its path. */
export const blobAt = (
  git: SimulatedGit,
  commit: string,
  path: string,
): { readonly blob: string; readonly mode: string } | null =>
  filesAt(git, commit).has(path) ? { blob: `${commit}:${path}`, mode: '100644' } : null;

export const textOfBlob = (git: SimulatedGit, blob: string): string => {
  const at = blob.indexOf(':');
  return filesAt(git, blob.slice(0, at)).get(blob.slice(at + 1)) ?? '';
};

/** The merges that stand, of one attempt or of all. */
export const standingOf = (git: SimulatedGit, attempt: Attempt | null = null): readonly Step[] =>
  standing(git.steps).filter((step) => attempt === null || isOf(step, attempt));

export const isOf = (step: Attempt, { task, attempt }: Attempt): boolean =>
  step.task === task && step.attempt === attempt;

/** Paths of both that differ, sorted. */
export const pathsBetween = (git: SimulatedGit, from: string, to: string): readonly string[] => {
  const [before, after] = [filesAt(git, from), filesAt(git, to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
};

/** The files that differ. Renames are not found. */
export const changesBetween = (git: SimulatedGit, from: string, to: string): readonly FileChange[] =>
  pathsBetween(git, from, to).map((path): FileChange => {
    const [before, after] = [filesAt(git, from).get(path), filesAt(git, to).get(path)];
    return {
      path,
      from: null,
      kind: before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified',
      oldMode: before === undefined ? null : '100644',
      newMode: after === undefined ? null : '100644',
      added: countMissing(linesOf(after), linesOf(before)),
      removed: countMissing(linesOf(before), linesOf(after)),
    };
  });

const countMissing = (lines: readonly string[], others: readonly string[]): number => {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).length;
};

export type Take = 'session' | 'task' | null;

export interface ThreeWay {
  /** With conflict markers where no side was taken. */
  readonly files: Files;
  readonly conflicts: readonly string[];
}

/** Merges two commits that both come from `base`. Lines are merged where neither side added or removed any; else a file is taken whole. */
export const mergeThreeWay = (
  git: SimulatedGit,
  base: string,
  session: string,
  task: string,
  take: Take = null,
): ThreeWay => {
  const files = new Map(filesAt(git, session));
  const conflicts: string[] = [];
  for (const path of pathsBetween(git, base, task)) {
    const [was, ours, theirs] = [base, session, task].map((commit) => filesAt(git, commit).get(path));
    const merged = ours === was ? { text: theirs, clean: true } : mergeTexts(was, ours, theirs, take);
    if (!merged.clean) conflicts.push(path);
    if (merged.text === undefined) files.delete(path);
    else files.set(path, merged.text);
  }
  return { files, conflicts };
};

const mergeTexts = (
  was: string | undefined,
  ours: string | undefined,
  theirs: string | undefined,
  take: Take,
): { readonly text: string | undefined; readonly clean: boolean } => {
  if (ours === theirs) return { text: ours, clean: true };
  const [base, one, other] = [was, ours, theirs].map(linesOf);
  const isAligned = base?.length === one?.length && base?.length === other?.length;
  if (!base || !one || !other || !isAligned || was === undefined) {
    if (take !== null) return { text: take === 'session' ? ours : theirs, clean: true };
    return { text: marked(linesOf(ours), linesOf(theirs)).join(''), clean: false };
  }
  let clean = true;
  const lines = base.flatMap((line, at) => {
    const [our = '', their = ''] = [one[at], other[at]];
    if (their === line || our === their) return [our];
    if (our === line) return [their];
    if (take !== null) return [take === 'session' ? our : their];
    clean = false;
    return marked([our], [their]);
  });
  return { text: lines.join(''), clean };
};

const marked = (ours: readonly string[], theirs: readonly string[]): readonly string[] => [
  '<<<<<<< session\n',
  ...ours,
  '=======\n',
  ...theirs,
  '>>>>>>> task\n',
];

const linesOf = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split(/(?<=\n)/);
