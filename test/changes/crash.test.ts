import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Opening, SessionChanges } from '../../src/changes/port.ts';
import {
  type ChangesWorld,
  changesWorld,
  everything,
  personGit,
  personsState,
  value,
  worldAt,
  writeFiles,
} from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { dyingPorts } from '../helpers/dying-ports.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';

const template = templateOfFile();

const first = (task: string) => ({ task, attempt: 1 });

/** A person in the middle of something: staged, changed, untracked and stashed work. */
const busyPerson = (): ChangesWorld => {
  const world = changesWorld(template);
  writeFiles(world.repo, { 'b.txt': 'stashed\n' });
  personGit(world.repo, 'stash', '-q');
  writeFiles(world.repo, { 'src/c.txt': 'staged\n', 'untracked.txt': 'u\n', '.env': 'TOKEN=1\n' });
  personGit(world.repo, 'add', 'src/c.txt');
  writeFiles(world.repo, { 'src/c.txt': 'further\n' });
  return world;
};

const doTask = async (
  session: SessionChanges,
  task: string,
  files: Readonly<Record<string, string | null>>,
) => {
  const { directory } = value(await session.prepare(first(task)));
  value(await session.snapshot(first(task), 'before'));
  writeFiles(directory, files);
  value(await session.snapshot(first(task), 'after'));
  value(await session.commit(first(task), task));
};

interface Phase {
  readonly opening?: Partial<Opening>;
  /** What happened before. */
  readonly before?: (session: SessionChanges, world: ChangesWorld) => Promise<void>;
  /** The steps of opening count. */
  readonly opens?: true;
  /** The person asked for it: their files change. */
  readonly moves?: true;
  /** What is cut off at every step. Called after the recovery, it completes. */
  readonly run: (session: SessionChanges) => Promise<unknown>;
}

const merged = async (session: SessionChanges): Promise<void> => {
  await doTask(session, 'schema', { 'new.txt': 'new\n', 'b.txt': null });
  await session.merge(first('schema'));
};

/** Ends as an undo ends: the second time there may be nothing left to do. */
const undoSchema = async (session: SessionChanges): Promise<void> => {
  const done = await session.undo({
    task: 'schema',
    attempt: null,
    dependants: [],
    files: ['new.txt', 'a.txt', 'b.txt'],
  });
  if (!done.ok) expect(done.fault.what).toMatch(/^no changes from schema (are merged|were recorded)$/);
};

const phases: Record<string, Phase> = {
  'opening for the first time and making a worktree': {
    opens: true,
    opening: { copy: ['.env'] },
    run: (session) => session.prepare(first('schema')).then(value),
  },
  'recording and committing an attempt': {
    before: async (session) => {
      const { directory } = value(await session.prepare(first('schema')));
      writeFiles(directory, { 'new.txt': 'new\n' });
    },
    run: async (session) => {
      value(await session.snapshot(first('schema'), 'before'));
      value(await session.commit(first('schema'), 'schema'));
    },
  },
  merging: {
    opens: true,
    before: (session) => doTask(session, 'schema', { 'new.txt': 'new\n', 'b.txt': null }),
    run: async (session) => expect(await session.merge(first('schema'))).toMatchObject({ kind: 'merged' }),
  },
  'resolving a conflict': {
    before: async (session) => {
      await doTask(session, 'left', { 'a.txt': 'LEFT\n', 'l.txt': 'l\n' });
      await doTask(session, 'right', { 'a.txt': 'RIGHT\n', 'r.txt': 'r\n' });
      await session.merge(first('left'));
    },
    run: async (session) => {
      value(await session.openConflict(first('right')));
      expect(await session.resolve(first('right'), { take: 'task' })).toMatchObject({ kind: 'merged' });
    },
  },
  'undoing merged work': { before: merged, run: undoSchema },
  'cleaning and closing': {
    before: merged,
    run: async (session) => {
      value(await session.clean(first('schema')));
      value(await session.close());
    },
  },
};

phases['undoing in a shared workspace'] = {
  moves: true,
  opening: { isolation: 'shared' },
  before: async (session, { repo }) => {
    value(await session.snapshot(first('schema'), 'before'));
    writeFiles(repo, { 'new.txt': 'new\n', 'a.txt': 'schema\n', 'b.txt': null });
    value(await session.snapshot(first('schema'), 'after'));
  },
  run: undoSchema,
};

phases['merging into the branch of the person'] = {
  moves: true,
  before: merged,
  run: async (session) => value(await session.finish({ how: 'merge', into: 'main', message: 'Merge' })),
};

/** The session's branch and what lies in our directories, without git's own bookkeeping. */
const outcome = ({ repo, top }: ChangesWorld): unknown => ({
  branch:
    existsSync(join(repo, '.git/refs/heads/ralph')) &&
    personGit(repo, 'rev-parse', 'ralph/261122-101500^{tree}'),
  // An attempt's worktree may hold what was being edited; the directory of temporary files may be empty or gone. Ids of commits differ by their time, and objects
  // that a dead program wrote are the repository's.
  files: everything(join(top, 'state'), (path) => /(-1\/|\/tmp$|\/objects|\.tips\/)/.test(path)),
  tipRecorded: isTipRecorded(repo, join(top, 'state')),
  registered: everything(join(repo, '.git/worktrees'), (path) => path.includes('/')),
});

/** Whether the file outside the repository says that the session's branch is where it is, and moves nowhere. */
const isTipRecorded = (repo: string, state: string): boolean | 'no branch' => {
  if (!existsSync(join(repo, '.git/refs/heads/ralph'))) return 'no branch';
  const tip = personGit(repo, 'rev-parse', 'ralph/261122-101500').trim();
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tips/261122-101500'),
  );
  return (
    files.length === 1 && files.every((path) => readFileSync(join(state, path), 'utf8') === `${tip} ${tip}\n`)
  );
};

const locksIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock'));

const copy = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
};

/** Runs the phase once and keeps what lies on the disk after each step: what a program that died there leaves. */
const everyStep = async (top: string, phase: Phase) => {
  const kept = tempDir();
  const leftAt = (step: number): string => join(kept, String(step));
  let total = 0;
  const world = worldAt(top, (ports) =>
    dyingPorts(ports, 0, (step) => {
      total = step;
      copy(top, leftAt(step));
    }),
  );
  const session = await world.open(phase.opening);
  const opened = total;
  await phase.run(session);
  return { opened, total, leftAt };
};

/** The long tests take every step of every phase; else a late step of two phases: a step costs about 20 processes. */
const chosen = Object.entries(phases).filter(([name]) => isLongForm || /^merging$|shared/.test(name));

test.each(chosen)('%s survives a crash at any step', async (_, phase) => {
  const start = busyPerson();
  const { top, repo } = start;
  if (phase.before) await phase.before(await start.open(phase.opening), start);
  const isAsked = (path: string): boolean => phase.moves === true && /^\.git\/(index|logs)/.test(path);
  const now = (): unknown => personsState(repo, isAsked);
  const persons = now();
  const { opened, total, leftAt } = await everyStep(top, phase);
  const undisturbed = outcome(start);
  const wanted = now();
  if (!phase.moves) expect(wanted).toEqual(persons);
  // Opening for the first time and opening again are the same for all: one phase shows each.
  const begin = phase.opens ? 1 : opened + 1;
  const early = isLongForm ? begin : Math.ceil(total * 0.8);
  for (let at = early; at < (isLongForm ? total : early + 1); at += 1) {
    // Worktrees know their place by absolute paths: every recovery happens in the same directory.
    copy(leftAt(at), top);
    const message = `died after step ${at} of ${total}`;
    if (!phase.moves) expect(now(), message).toEqual(persons);
    await phase.run(await worldAt(top).open(phase.opening));
    expect(now(), message).toEqual(wanted);
    expect(outcome(start), message).toEqual(undisturbed);
    expect(locksIn(join(repo, '.git')), message).toEqual([]);
  }
});
