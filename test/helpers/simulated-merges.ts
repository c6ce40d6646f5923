import { asResult, nameOf, refuse } from '../../src/changes/context.ts';
import type { Step } from '../../src/changes/memory.ts';
import type { Conflict, Merged, Resolution } from '../../src/changes/merged.ts';
import type { Attempt, SessionChanges, Train, Undone, Work } from '../../src/changes/port.ts';
import { asMerged } from '../../src/changes/work/merge.ts';
import { changedSince, dependsOn, isPart } from '../../src/changes/work/undo.ts';
import type { SimulatedCheck } from './simulated-git.ts';
import { blobAt, filesAt, isOf, mergeThreeWay, pathsBetween, put, standingOf } from './simulated-git.ts';
import type { SimulatedPlace } from './simulated-session-changes.ts';

/** Merges, conflicts, undo and redo of a simulated session. */
export const createSimulatedMerges = (
  place: SimulatedPlace,
  call: <T>(work: () => T) => Promise<T>,
): Pick<
  SessionChanges,
  | 'merge'
  | 'land'
  | 'showBranch'
  | 'showMerged'
  | 'keepShown'
  | 'hideMerged'
  | 'missingInShown'
  | 'takeBack'
  | 'openConflict'
  | 'resolve'
  | 'undo'
  | 'redo'
> => ({
  merge: (attempt, train) => asMerged(() => call(() => merge(place, attempt, train))),
  // It shows the branch at all times.
  showBranch: async () => ({ ok: true, value: null }),
  land: (attempt, made) => asResult(() => call(() => land(place, attempt, made))),
  showMerged: (attempt, commit, { isSent = false } = {}) =>
    asResult(() =>
      call(() => {
        const tree = checkTreeFor(place, attempt);
        place.write(tree, filesAt(place.git, commit ?? place.git.tip));
        const directory = place.directory(tree);
        return { directory, branch: null, slot: null, existed: isSent || tree.isSetUp, problems: [] };
      }),
    ),
  keepShown: (attempt) =>
    asResult(() =>
      call(() => {
        checkTreeFor(place, attempt).isSetUp = true;
        return null;
      }),
    ),
  missingInShown: async () => ({ ok: true, value: [] }),
  hideMerged: (attempt) => {
    checkTreeFor(place, attempt).user = null;
  },
  takeBack: (attempt) => asResult(() => call(() => takeBack(place, attempt))),
  openConflict: (attempt) => asResult(() => call(() => ({ directory: openConflict(place, attempt) }))),
  resolve: (attempt, resolution, train) =>
    asMerged(() => call(() => resolve(place, attempt, resolution, train))),
  undo: (work) => asResult(() => call(() => undo(place, work))),
  redo: (work) => asResult(() => call(() => redo(place, work))),
});

/** The check tree that shows an attempt's merge, else a free one, else a new one. */
const checkTreeFor = ({ git: { checks } }: SimulatedPlace, { task, attempt }: Attempt): SimulatedCheck => {
  const user = `${task}-${attempt}`;
  const known = checks.find((each) => each.user === user) ?? checks.find((each) => each.user === null);
  const tree = known ?? { task: `check.${checks.length}`, attempt: 0, user, isSetUp: false };
  if (known === undefined) checks.push(tree);
  tree.user = user;
  return tree;
};

const merge = (place: SimulatedPlace, attempt: Attempt, train?: Train): Merged => {
  const { git } = place;
  const own = place.kept(attempt);
  if (own.commit === null) return { kind: 'refused', reason: `${nameOf(attempt)} is not committed yet.` };
  const [done] = standingOf(git, attempt);
  if (done?.parents[1] === own.commit) return merged(place, done.commit, done.parents[0] ?? '');
  if (git.steps.findLast((step) => isOf(step, attempt))?.what === 'undone')
    return { kind: 'refused', reason: `${nameOf(attempt)} was undone: redo it instead of merging it again.` };
  const before = train?.onto ?? git.tip;
  const isBelow = own.commit === own.base || git.steps.some(({ parents }) => parents[1] === own.commit);
  if (own.commit === own.start && isBelow) return { kind: 'merged', commit: before, before, files: [] };
  const result = mergeThreeWay(git, own.base, before, own.commit);
  if (result.conflicts.length > 0)
    return { kind: 'conflict', conflict: conflictOf(place, attempt, result.conflicts) };
  const commit = put(git, result.files);
  if (train === undefined) land(place, attempt, { before, commit });
  return merged(place, commit, before);
};

const land = (
  place: SimulatedPlace,
  attempt: Attempt,
  { before, commit }: { readonly before: string; readonly commit: string },
): null => {
  const { git } = place;
  if (git.tip === commit) return null;
  if (git.tip !== before)
    throw refuse('branch-moved', `the branch moved while ${nameOf(attempt)} was verified`);
  git.steps.push({
    commit,
    parents: [before, place.kept(attempt).commit ?? ''],
    what: 'merged',
    ...attempt,
  });
  place.moveTo(commit);
  return null;
};

const merged = ({ git }: SimulatedPlace, commit: string, before: string): Merged => ({
  kind: 'merged',
  commit,
  before,
  files: pathsBetween(git, before, commit),
});

const conflictOf = (place: SimulatedPlace, attempt: Attempt, paths: readonly string[]): Conflict => {
  const { git } = place;
  const { base, commit } = place.kept(attempt);
  const files = paths.map((path) => ({
    path,
    base: blobAt(git, base, path),
    session: blobAt(git, git.tip, path),
    task: blobAt(git, commit ?? '', path),
    marked: null,
  }));
  return { ...attempt, files, against: changersOf(place, standingOf(git), paths) };
};

const changersOf = (
  { git }: SimulatedPlace,
  steps: readonly Step[],
  paths: readonly string[],
): readonly string[] => {
  const tasks = steps
    .filter(({ parents: [before = ''], commit }) =>
      pathsBetween(git, before, commit).some((path) => paths.includes(path)),
    )
    .map(({ task }) => task);
  return [...new Set(tasks)];
};

const takeBack = (place: SimulatedPlace, attempt: Attempt): null => {
  const { git } = place;
  const last = git.steps.at(-1);
  const [before] = last?.parents ?? [];
  if (last?.what !== 'merged' || before === undefined || !isOf(last, attempt)) {
    if (standingOf(git, attempt).length === 0) return null;
    throw refuse('not-newest', `${nameOf(attempt)} is not the newest merge`, { hint: 'use undo' });
  }
  git.steps.pop();
  place.moveTo(before);
  return null;
};

/** Writes the merge with conflict markers into the worktree. Edits under way stay. */
const openConflict = (place: SimulatedPlace, attempt: Attempt): string => {
  const { git } = place;
  const own = place.kept(attempt);
  if (own.commit === null) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  if (own.onto === null) {
    place.write(attempt, mergeThreeWay(git, own.base, git.tip, own.commit).files);
    own.onto = git.tip;
  }
  return place.directory(attempt);
};

const resolve = (place: SimulatedPlace, attempt: Attempt, { take }: Resolution, train?: Train): Merged => {
  const { git } = place;
  const own = place.kept(attempt);
  if (own.commit === null) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  const keep = (commit: string, onto: string): Merged => {
    Object.assign(own, { commit, base: onto, onto: null });
    return merge(place, attempt, train);
  };
  if (take !== 'edited')
    return keep(put(git, mergeThreeWay(git, own.base, git.tip, own.commit, take).files), git.tip);
  if (own.onto === null) return merge(place, attempt, train);
  const files = place.read(attempt);
  const marked = [...files].flatMap(([path, text]) => (/^<<<<<<< /m.test(text) ? [path] : []));
  if (marked.length > 0)
    throw refuse('markers-left', `there are still conflict markers in ${marked.join(', ')}`, {
      hint: 'remove them, then resolve again',
    });
  return keep(put(git, files), own.onto);
};

const undo = (place: SimulatedPlace, work: Work): Undone => {
  const { git } = place;
  const stand = standingOf(git);
  const mine = stand.filter((step) => isPart(step, work));
  if (mine.length === 0) throw refuse('not-merged', `no changes from ${work.task} are merged`);
  const later = stand.filter(({ task }) => work.dependants.includes(task)).map(({ task }) => task);
  if (later.length > 0) throw dependsOn(work, [...new Set(later)]);
  const before = git.tip;
  let tree = before;
  for (const step of mine.toReversed()) {
    const result = mergeThreeWay(git, step.commit, tree, step.parents[0] ?? before);
    const after = stand.slice(stand.indexOf(step) + 1).filter(({ task }) => task !== work.task);
    if (result.conflicts.length > 0)
      throw changedSince(work, result.conflicts, changersOf(place, after, result.conflicts));
    tree = put(git, result.files);
  }
  const patch = place.savePatch(work.task, tree);
  return moved(place, 'undone', { work, parts: mine, commit: tree, patch });
};

const redo = (place: SimulatedPlace, work: Work): Undone => {
  const { git } = place;
  const undone = git.steps.filter(
    (step) => step.what === 'undone' && isPart(step, work) && standingOf(git, step).length === 0,
  );
  const newest = undone.at(-1);
  if (newest === undefined) throw refuse('not-undone', `no changes from ${work.task} were undone`);
  const back = undone.filter(({ commit }) => commit === newest.commit);
  const result = mergeThreeWay(git, newest.commit, git.tip, newest.parents[0] ?? git.tip);
  if (result.conflicts.length > 0) throw changedSince(work, result.conflicts, []);
  return moved(place, 'redone', { work, parts: back, commit: put(git, result.files), patch: null });
};

interface Move {
  readonly work: Work;
  readonly parts: readonly Attempt[];
  readonly commit: string;
  readonly patch: string | null;
}

const moved = (
  place: SimulatedPlace,
  what: 'undone' | 'redone',
  { work, parts, commit, patch }: Move,
): Undone => {
  const { git } = place;
  const before = git.tip;
  const files = pathsBetween(git, before, commit);
  work.began?.({ patch, files });
  for (const { task, attempt } of parts) git.steps.push({ commit, parents: [before], what, task, attempt });
  place.moveTo(commit);
  return { patch, files, commit };
};
