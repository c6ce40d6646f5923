import { join, relative } from 'node:path';
import type { Brief, InvocationId } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import type { Core } from '../core.ts';
import { cutJournal, deleted, deletedGit, deletedOthers, more } from './control-faults.ts';
import {
  type ControlChange,
  type ControlFiles,
  controlChanges,
  gitWithHead,
  readControlFiles,
} from './control-files.ts';
import { keepAside, restoreFile, takeOver } from './restore-file.ts';

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
export const createControlGuard = (core: Core, lookForEdits: () => void): ControlGuard => {
  const { disk, paths } = core.options;
  const working = new Map<string, number>();
  const names = new Set<string>();
  const blamed = new Map<string, string>();
  /** Tasks whose work is under this picture. */
  const covered = new Set<string>();
  let before: ControlFiles | null = null;
  let git: string | null = null;
  let kept = 0;

  /** Blames the one agent that worked. */
  const note = (harm: readonly string[]): void => {
    const [only] = names;
    if (harm[0] === undefined || only === undefined || names.size !== 1 || blamed.has(only)) return;
    blamed.set(
      only,
      `it changed or deleted ${harm[0]}${harm.length > 1 ? ` and ${harm.length - 1} more` : ''}`,
    );
  };

  /** Whether work of an agent under this picture is still to be reviewed or committed. */
  const awaitsGit = (): boolean => {
    const { tasks } = core.loop.state();
    return [...covered].some((id) => ['running', 'review'].includes(tasks.get(id)?.status ?? ''));
  };

  /** Whether the repository itself is gone; then nothing in it can be put back. */
  const lostGit = (): boolean => {
    if (git === null || disk.lstat(join(git, 'HEAD')) !== null) return false;
    before = new Map([...(before ?? [])].filter(([path]) => !path.startsWith(`${git}/`)));
    git = null;
    return true;
  };

  const look = (): void => {
    if (before === null || !core.loop.isOpen()) return;
    // Between turns a person may tidy up; only what git and agents would run is compared then.
    const { back, others, cut } = working.size === 0 ? nothing : restored(core);
    const lost = lostGit();
    const now = readControlFiles(disk, paths.workspace, before ?? undefined);
    const [agreed, changes] = split(controlChanges(before, now), (change) => isAgreed(core, change));
    // A person changed the file with one of our commands while the agent worked. These bytes are now the right ones.
    before = new Map([
      ...before,
      ...agreed.flatMap(({ path, after }) => (after ? [[path, after] as const] : [])),
    ]);
    const harm = [
      ...(lost ? ['.git'] : []),
      ...(cut === null ? [] : [relative(paths.workspace, paths.journal)]),
      ...back.map((path) => relative(paths.workspace, join(paths.directory, path))),
      ...[...others.back, ...others.lost].map((session) =>
        relative(paths.workspace, join(paths.root, session)),
      ),
      ...changes.map(({ path }) => relative(paths.workspace, path)).filter((path) => isOurs(path)),
    ];
    note(harm);
    if (harm.length + changes.length === 0) return;
    const who = [...names].join(', ');
    core.loop.run(() => {
      for (const fault of [
        ...(lost ? [deletedGit(who)] : []),
        ...(cut === null ? [] : [cutJournal(cut, who)]),
        ...(back.length > 0 ? [deleted(back, who)] : []),
        ...(others.back.length > 0 ? [deletedOthers(others.back, who, 'back with all files')] : []),
        ...(others.lost.length > 0 ? [deletedOthers(others.lost, who, 'gone')] : []),
      ])
        core.problem(fault);
      putBack(changes, who);
    });
  };

  const putBack = (changes: readonly ControlChange[], who: string): void => {
    for (const change of changes.slice(0, mostTold)) {
      kept += 1;
      core.problem(restoreFile(core, 'control-file', change, who, kept));
    }
    for (const change of changes.slice(mostTold)) restoreFile(core, 'control-file', change, who, 0);
    if (changes.length > mostTold) core.problem(more(changes.length - mostTold, who));
  };

  /** A command may cut the journal, too. */
  const tellCut = (who: InvocationId): void => {
    const cut = core.takeCut();
    if (cut !== null && core.loop.isOpen()) core.loop.run(() => core.problem(cutJournal(cut, who)));
  };

  return {
    look: () => {
      if (working.size > 0 || awaitsGit()) look();
    },
    blame: (invocation) => blamed.get(invocation) ?? null,
    overwrote: (path, text) => {
      if (working.size === 0) return false;
      note([relative(paths.workspace, path)]);
      kept += 1;
      const after = { kind: 'file', bytes: new TextEncoder().encode(text), mode: 0o600 } as const;
      core.problem(overwritten(core, { path, before: null, after }, [...names].join(', '), kept));
      return true;
    },
    around: async (brief, work) => {
      if (!brief.model) return work().finally(() => tellCut(brief.invocation));
      if (working.size === 0) {
        if (awaitsGit()) look();
        else {
          before = null;
          covered.clear();
        }
        names.clear();
        before ??= readControlFiles(disk, paths.workspace);
        git = gitWithHead(disk, paths.workspace);
        core.shadow.refresh();
        core.others.refresh();
      }
      const { invocation } = brief;
      names.add(invocation);
      if (brief.task !== undefined) covered.add(brief.task.id);
      working.set(invocation, (working.get(invocation) ?? 0) + 1);
      try {
        return await work();
      } finally {
        core.loop.run(lookForEdits);
        const left = (working.get(invocation) ?? 1) - 1;
        look();
        if (left === 0) working.delete(invocation);
        else working.set(invocation, left);
      }
    },
  };
};

/** Sessions as they were before the work: this one's files, the other sessions, and what the journal lost. */
const restored = (core: Core) => ({
  back: core.shadow.restore(),
  others: core.others.restore(),
  cut: core.takeCut(),
});

const nothing: ReturnType<typeof restored> = { back: [], others: { back: [], lost: [] }, cut: null };

const isAgreed = ({ options }: Core, { path, after }: ControlChange): boolean =>
  after?.kind === 'file' && options.isAgreed?.(relative(options.paths.workspace, path), after.bytes) === true;

const split = <T>(all: readonly T[], fits: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(fits),
  all.filter((one) => !fits(one)),
];

/** Ours or git's: no tool of an agent has a reason to write there. Agents write settings of their own by themselves. */
const isOurs = (path: string): boolean => /^(?:\.ralph|\.git)\//.test(path);

/** Limit of changes that are reported one by one. */
const mostTold = 20;

/** Keeps the other text of a session file whose bytes the caller restores. Returns the problem to report. */
const overwritten = (core: Core, change: ControlChange, who: string, number: number): Fault => {
  const { workspace } = core.options.paths;
  const file = keepAside(core, change, number);
  const aside = file === null ? '' : `; the other text is kept in ${relative(workspace, file)}`;
  return {
    code: 'control-file-session',
    what: `${who} changed ${relative(workspace, change.path)}; it is as it was before${aside}`,
    where: change.path,
    hint: takeOver(core, file, change.path),
  };
};
