import { join, relative } from 'node:path';
import type { Brief, InvocationId } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import type { Core } from '../core.ts';
import { tellProblem } from '../tell-problem.ts';
import { cutJournal, deleted, deletedGit, deletedOthers } from './control-faults.ts';
import {
  type ControlChange,
  type ControlFiles,
  controlChanges,
  gitWithHead,
  readControlFiles,
} from './control-files.ts';
import { byHand, issuesOf, mayBeByHand } from './issue-changes.ts';
import { putBack } from './put-back.ts';
import { keepAside, takeOver } from './restore-file.ts';

/** Guards control files while agents with a model work. */
export interface ControlGuard {
  /** Runs `work`, then restores control files that changed meanwhile. Reports each change as a problem. */
  around<T>(brief: Brief, work: () => Promise<T>): Promise<T>;
  /**
   * Call it before git is asked anything on behalf of an agent's work: puts back control files that changed since before that work, also after its turn.
   * A daemon that it left could plant a hook then. Without such work it does nothing, because a person may change these files.
   */
  look(): void;
  /** Why the attempt of this invocation failed, or `null`: it worked alone, and our files or those of git changed meanwhile. */
  blame(invocation: InvocationId): string | null;
  /**
   * Whether a foreign text in a file of the session counts as written by an agent, because one works: reports it and keeps the text. The caller
   * puts ours back. A person edits such a file while no agent works.
   */
  overwrote(path: string, text: string): boolean;
}

/**
 * Overlapping turns share one picture of the files, taken when the first began: a change by one turn is not accepted
 * by the next. It holds until the work is reviewed and committed. When several agents worked, the problem names all of them, because nothing shows which one it was.
 */
interface Picture {
  readonly core: Core;
  /** The turns under way of each invocation. */
  readonly working: Map<string, number>;
  /** The invocations that worked since the picture was taken. */
  readonly names: Set<string>;
  /** What each invocation harmed while it worked alone, in the order in which it was found: one look may come in the middle of a deletion. */
  readonly blamed: Map<string, Set<string>>;
  /** Tasks whose work is under this picture. */
  readonly covered: Set<string>;
  before: ControlFiles | null;
  git: string | null;
  /** Number of texts kept aside. */
  kept: number;
}

export const createControlGuard = (core: Core, lookForEdits: () => void): ControlGuard => {
  const { paths } = core.options;
  const picture: Picture = {
    ...{ core, working: new Map(), names: new Set(), blamed: new Map(), covered: new Set() },
    ...{ before: null, git: null, kept: 0 },
  };
  const { working } = picture;
  return {
    look: () => {
      if (working.size > 0 || awaitsGit(picture)) look(picture);
    },
    blame: (invocation) => {
      const [first, ...more] = picture.blamed.get(invocation) ?? [];
      if (first === undefined) return null;
      return `it changed or deleted ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
    },
    overwrote: (path, text) => {
      if (working.size === 0) return false;
      note(picture, [relative(paths.workspace, path)]);
      picture.kept += 1;
      const after = { kind: 'file', bytes: new TextEncoder().encode(text), mode: 0o600 } as const;
      core.problem(overwritten(core, { path, before: null, after }, whoOf(picture), picture.kept));
      return true;
    },
    around: async (brief, work) => {
      if (!brief.model) return work().finally(() => tellCut(core, brief.invocation));
      const { invocation } = brief;
      begin(picture, brief);
      try {
        return await work();
      } finally {
        core.loop.run(lookForEdits);
        const left = (working.get(invocation) ?? 1) - 1;
        look(picture);
        if (left === 0) working.delete(invocation);
        else working.set(invocation, left);
      }
    },
  };
};

/** Takes the picture when no other turn is under way, and adds the turn to those under it. */
const begin = (picture: Picture, { invocation, task }: Brief): void => {
  const { core, working, names, covered } = picture;
  if (working.size === 0) {
    const { disk, paths } = core.options;
    if (awaitsGit(picture)) look(picture);
    else {
      picture.before = null;
      covered.clear();
    }
    names.clear();
    picture.before ??= readControlFiles(disk, paths.workspace, undefined, issuesOf(core));
    picture.git = gitWithHead(disk, paths.workspace);
    core.shadow.refresh();
    core.others.refresh();
  }
  names.add(invocation);
  if (task !== undefined) covered.add(task.id);
  working.set(invocation, (working.get(invocation) ?? 0) + 1);
};

const whoOf = ({ names }: Picture): string => [...names].join(', ');

/** Blames the one agent that worked. */
const note = ({ names, blamed }: Picture, harm: readonly string[]): void => {
  const [only] = names;
  if (harm.length === 0 || only === undefined || names.size !== 1) return;
  blamed.set(only, new Set([...(blamed.get(only) ?? []), ...harm]));
};

/** Whether work of an agent under this picture is still to be reviewed or committed. */
const awaitsGit = ({ core, covered }: Picture): boolean => {
  const { tasks } = core.loop.state();
  return [...covered].some((id) => ['running', 'review'].includes(tasks.get(id)?.status ?? ''));
};

/** Whether the repository itself is gone; then nothing in it can be put back. */
const lostGit = (picture: Picture): boolean => {
  const { core, git, before } = picture;
  if (git === null || core.options.disk.lstat(join(git, 'HEAD')) !== null) return false;
  picture.before = new Map([...(before ?? [])].filter(([path]) => !path.startsWith(`${git}/`)));
  picture.git = null;
  return true;
};

const look = (picture: Picture): void => {
  const { core, working } = picture;
  if (picture.before === null || !core.loop.isOpen()) return;
  const { paths } = core.options;
  // Between turns a person may tidy up; only what git and agents would run is compared then.
  const found = working.size === 0 ? nothing : restored(core);
  const lost = lostGit(picture);
  const changes = changesIn(picture, picture.before);
  const harm = [
    ...(lost ? ['.git'] : []),
    ...harmOf(core, found),
    ...changes
      .map(({ path }) => relative(paths.workspace, path))
      .filter((path) => isOurs(path) && !issuesOf(core).isOne(path)),
  ];
  note(picture, harm);
  if (harm.length + changes.length === 0) return;
  const who = whoOf(picture);
  core.loop.run(() => {
    for (const fault of [...(lost ? [deletedGit(who)] : []), ...faultsOf(found, who)]) core.problem(fault);
    putBack(core, changes, who, picture.kept + 1);
    picture.kept += changes.length;
  });
};

/** The control files that changed, without those that a person changed with one of our commands meanwhile: their bytes are now the right ones. */
const changesIn = (picture: Picture, known: ControlFiles): readonly ControlChange[] => {
  let before = known;
  const { core, working } = picture;
  const { disk, paths } = core.options;
  const issues = issuesOf(core);
  const now = readControlFiles(disk, paths.workspace, before, issues);
  const isIssue = ({ path }: ControlChange): boolean => issues.isOne(relative(paths.workspace, path));
  // One that is being written is looked at the next time.
  const settled = controlChanges(before, now).filter(
    (change) => !isIssue(change) || disk.lstat(`${change.path}.lock`) === null,
  );
  const byPerson = settled.filter((change) => working.size > 0 && mayBeByHand(paths.workspace, change));
  const unknown = byPerson.filter((change) => !isAgreed(core, change));
  if (unknown.length > 0)
    core.loop.run(() => {
      for (const change of unknown) core.problem(byHand(core, change, whoOf(picture)));
    });
  const [agreed, changes] = split(
    settled,
    // Between turns a person edits issues.
    (change) =>
      isAgreed(core, change) || byPerson.includes(change) || (working.size === 0 && isIssue(change)),
  );
  for (const { path, after } of agreed) if (after === null) before = without(before, path);
  picture.before = new Map([
    ...before,
    ...agreed.flatMap(({ path, after }) => (after ? [[path, after] as const] : [])),
  ]);
  return changes;
};

const without = (files: ControlFiles, path: string): ControlFiles =>
  new Map([...files].filter(([each]) => each !== path));

/** A command may cut the journal, too. */
const tellCut = (core: Core, who: InvocationId): void => {
  const cut = core.takeCut();
  if (cut !== null) tellProblem(core, cutJournal(cut, who));
};

/** Sessions as they were before the work: this one's files, the other sessions, and what the journal lost. */
const restored = (core: Core) => ({
  back: core.shadow.restore(),
  others: core.others.restore(),
  cut: core.takeCut(),
});

type Restored = ReturnType<typeof restored>;

const nothing: Restored = { back: [], others: { back: [], lost: [] }, cut: null };

/** The files of sessions that were harmed, relative to the workspace. */
const harmOf = ({ options }: Core, { back, others, cut }: Restored): readonly string[] => {
  const { paths } = options;
  return [
    ...(cut === null ? [] : [paths.journal]),
    ...back.map((path) => join(paths.directory, path)),
    ...[...others.back, ...others.lost].map((session) => join(paths.root, session)),
  ].map((path) => relative(paths.workspace, path));
};

const faultsOf = ({ back, others, cut }: Restored, who: string): readonly Fault[] => [
  ...(cut === null ? [] : [cutJournal(cut, who)]),
  ...(back.length > 0 ? [deleted(back, who)] : []),
  ...(others.back.length > 0 ? [deletedOthers(others.back, who, 'all files were restored')] : []),
  ...(others.lost.length > 0 ? [deletedOthers(others.lost, who, 'nothing could be restored')] : []),
];

const isAgreed = ({ options }: Core, { path, after }: ControlChange): boolean =>
  after?.kind === 'file' && options.isAgreed?.(relative(options.paths.workspace, path), after.bytes) === true;

const split = <T>(all: readonly T[], fits: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(fits),
  all.filter((one) => !fits(one)),
];

/** Ours or git's: no tool of an agent has a reason to write there. Agents write settings of their own by themselves. */
const isOurs = (path: string): boolean => /^(?:\.ralph|(?:\.\.\/)*\.git)\//.test(path);

/** Keeps the other text of a session file whose bytes the caller restores. Returns the problem to report. */
const overwritten = (core: Core, change: ControlChange, who: string, number: number): Fault => {
  const { workspace } = core.options.paths;
  const file = keepAside(core, change, number);
  const aside = file === null ? '' : `; the changed text is kept in ${relative(workspace, file)}`;
  return {
    code: 'control-file-session',
    what: `${who} changed ${relative(workspace, change.path)}; it was restored${aside}`,
    where: change.path,
    hint: takeOver(core, file, change.path),
  };
};
