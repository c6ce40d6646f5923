import { expect, test } from 'vitest';
import type { Merged } from '../../src/changes/merged.ts';
import type { SessionChanges } from '../../src/changes/port.ts';
import { faultOf, value } from '../helpers/changes.ts';
import { isLongForm } from '../helpers/test-form.ts';

/** A session on a repository that holds `a.txt` ("one two three" in lines), `b.txt` and `src/c.txt`. */
export interface ConformingWorld {
  open(isolation?: 'worktree' | 'shared'): Promise<SessionChanges>;
  /** Writes or removes files below a directory that the port handed out. */
  write(directory: string, files: Readonly<Record<string, string | null>>): void;
  /** The text of a file, or `null`. */
  read(directory: string, path: string): string | null;
  /** The person's own workspace. */
  readonly workspace: string;
}

const first = (task: string) => ({ task, attempt: 1 });

const statesOf = async (session: SessionChanges): Promise<readonly string[]> =>
  value(await session.attempts())
    .map(({ task, state }) => `${task} ${state}`)
    .sort();

/** What both the real changes and the simulated ones promise. `isCheap`: no call starts a process. */
export const changesConform = (
  makeWorld: () => ConformingWorld,
  { isCheap = false }: { readonly isCheap?: boolean } = {},
): void => {
  /** Without processes, or in the long tests only: what other tests show in part. */
  const long = test.runIf(isCheap || isLongForm);

  const doTask = async (
    world: ConformingWorld,
    session: SessionChanges,
    task: string,
    files: Readonly<Record<string, string | null>>,
  ): Promise<string> => {
    const { directory } = value(await session.prepare(first(task)));
    value(await session.snapshot(first(task), 'before'));
    world.write(directory, files);
    value(await session.snapshot(first(task), 'after'));
    return directory;
  };
  const mergeTask = async (...call: Parameters<typeof doTask>) => {
    await doTask(...call);
    const [, session, task] = call;
    value(await session.commit(first(task), `Do ${task}`));
    return session.merge(first(task));
  };

  test('an attempt works in a directory of its own and is merged onto the branch of the session', async () => {
    const world = makeWorld();
    const session = await world.open();
    const merged = await mergeTask(world, session, 'schema', { 'new.txt': 'new\n', 'b.txt': null });
    expect(merged).toMatchObject({ kind: 'merged', files: ['b.txt', 'new.txt'] });
    expect(session.worktree?.branch).toBe('ralph/261122-101500');
    expect(world.read(session.worktree?.directory ?? '', 'new.txt')).toBe('new\n');
    expect(world.read(session.worktree?.directory ?? '', 'b.txt')).toBe(null);
    expect([world.read(world.workspace, 'new.txt'), world.read(world.workspace, 'b.txt')]).toEqual([
      null,
      'b\n',
    ]);
  });

  long('a task begins with the merged results of its blockers', async () => {
    const world = makeWorld();
    const session = await world.open();
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    const { directory } = value(await session.prepare(first('html')));
    expect(world.read(directory, 'new.txt')).toBe('new\n');
  });

  test('the changed files of an attempt come from its snapshots', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'schema', { 'a.txt': 'one\ntwo\n3\n', 'src/d.txt': 'd\n', 'b.txt': null });
    const [range] = value(await session.ranges({ of: 'attempt', ...first('schema') }));
    const files = value(await session.changedFiles(range ?? { from: '', to: '' }));
    expect(files.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['a.txt', 'modified', 1, 1],
      ['b.txt', 'deleted', 0, 1],
      ['src/d.txt', 'added', 1, 0],
    ]);
  });

  test('a second attempt can begin where the first one ended', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
    const again = { task: 'schema', attempt: 2 };
    const { directory } = value(await session.prepare(again, { from: 'attempt', attempt: 1 }));
    expect(world.read(directory, 'new.txt')).toBe('new\n');
    const fresh = value(await session.prepare({ task: 'schema', attempt: 3 }));
    expect(world.read(fresh.directory, 'new.txt')).toBe(null);
  });

  test('an attempt that adds nothing to the one it began at merges what that one did', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
    const again = { task: 'schema', attempt: 2 };
    value(await session.prepare(again, { from: 'attempt', attempt: 1 }));
    value(await session.commit(again, 'Again'));
    expect(await session.merge(again)).toMatchObject({ kind: 'merged', files: ['new.txt'] });
  });

  long('an attempt without changes merges as nothing', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'look', {});
    expect(value(await session.commit(first('look'), 'Look'))).toMatchObject({ empty: true });
    expect(await session.merge(first('look'))).toMatchObject({ kind: 'merged', files: [] });
  });

  long('an attempt that is not committed is not merged', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
    expect(await session.merge(first('schema'))).toEqual({
      kind: 'refused',
      reason: 'schema (attempt 1) is not committed yet.',
    });
  });

  long('merging twice gives the same answer', async () => {
    const world = makeWorld();
    const session = await world.open();
    const once = await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    expect(await session.merge(first('schema'))).toEqual(once);
  });

  const conflicting = async (world: ConformingWorld, session: SessionChanges) => {
    await doTask(world, session, 'left', { 'a.txt': 'LEFT\ntwo\nthree\n', 'l.txt': 'l\n' });
    await doTask(world, session, 'right', { 'a.txt': 'RIGHT\ntwo\nthree\n', 'r.txt': 'r\n' });
    for (const task of ['left', 'right']) value(await session.commit(first(task), task));
    await session.merge(first('left'));
    return session.merge(first('right'));
  };

  test('a conflict names the files, both sides and the tasks it is with, and changes nothing', async () => {
    const world = makeWorld();
    const session = await world.open();
    const result = await conflicting(world, session);
    expect(result).toMatchObject({
      kind: 'conflict',
      conflict: { task: 'right', attempt: 1, against: ['left'], files: [{ path: 'a.txt' }] },
    });
    if (result.kind !== 'conflict') return;
    const [file] = result.conflict.files;
    const read = async (side: { blob: string } | null | undefined) =>
      new TextDecoder().decode(value(await session.readBlob(side?.blob ?? '')));
    expect(await read(file?.base)).toBe('one\ntwo\nthree\n');
    expect(await read(file?.session)).toBe('LEFT\ntwo\nthree\n');
    expect(await read(file?.task)).toBe('RIGHT\ntwo\nthree\n');
    const directory = session.worktree?.directory ?? '';
    expect([world.read(directory, 'a.txt'), world.read(directory, 'r.txt')]).toEqual([
      'LEFT\ntwo\nthree\n',
      null,
    ]);
  });

  long.each([
    ['session', 'LEFT'],
    ['task', 'RIGHT'],
  ] as const)(
    'taking the side of the %s settles a conflict and keeps what did not conflict',
    async (take, word) => {
      const world = makeWorld();
      const session = await world.open();
      await conflicting(world, session);
      expect(await session.resolve(first('right'), { take })).toMatchObject({ kind: 'merged' });
      const directory = session.worktree?.directory ?? '';
      expect([world.read(directory, 'a.txt'), world.read(directory, 'r.txt')]).toEqual([
        `${word}\ntwo\nthree\n`,
        'r\n',
      ]);
    },
  );

  test('taking a side keeps what the other changed elsewhere in the same file', async () => {
    const world = makeWorld();
    const session = await world.open();
    const lines = (first: string, last: string): string => `${first}\n${'same\n'.repeat(9)}${last}\n`;
    await mergeTask(world, session, 'begin', { 'long.txt': lines('first', 'last') });
    await doTask(world, session, 'left', { 'long.txt': lines('LEFT', 'last by left') });
    await doTask(world, session, 'right', { 'long.txt': lines('RIGHT', 'last') });
    for (const task of ['left', 'right']) value(await session.commit(first(task), task));
    await session.merge(first('left'));
    expect(await session.merge(first('right'))).toMatchObject({ kind: 'conflict' });
    await session.resolve(first('right'), { take: 'task' });
    expect(world.read(session.worktree?.directory ?? '', 'long.txt')).toBe(lines('RIGHT', 'last by left'));
  });

  test('a conflict is edited in the worktree, and merged when no marker is left', async () => {
    const world = makeWorld();
    const session = await world.open();
    await conflicting(world, session);
    const { directory } = value(await session.openConflict(first('right')));
    expect(world.read(directory, 'a.txt')).toMatch(/^<<<<<<< /m);
    const early = await session.resolve(first('right'), { take: 'edited' });
    expect(early).toMatchObject({
      kind: 'refused',
      unresolved: true,
      reason: expect.stringContaining('there are still conflict markers in a.txt'),
    });
    world.write(directory, { 'a.txt': 'BOTH\ntwo\nthree\n' });
    expect(await session.resolve(first('right'), { take: 'edited' })).toMatchObject({ kind: 'merged' });
    expect(world.read(session.worktree?.directory ?? '', 'a.txt')).toBe('BOTH\ntwo\nthree\n');
  });

  long('edits of a conflict under way stay, and conflict again with what was merged meanwhile', async () => {
    const world = makeWorld();
    const session = await world.open();
    await conflicting(world, session);
    const { directory } = value(await session.openConflict(first('right')));
    world.write(directory, { 'a.txt': 'BOTH\ntwo\nthree\n' });
    await mergeTask(world, session, 'third', { 'a.txt': 'THIRD\ntwo\nthree\n' });
    expect(value(await session.openConflict(first('right'))).directory).toBe(directory);
    expect(world.read(directory, 'a.txt')).toBe('BOTH\ntwo\nthree\n');
    const again = await session.resolve(first('right'), { take: 'edited' });
    expect(again).toMatchObject({ kind: 'conflict', conflict: { against: ['left', 'third'] } });
    expect(await session.resolve(first('right'), { take: 'task' })).toMatchObject({ kind: 'merged' });
    expect(world.read(session.worktree?.directory ?? '', 'a.txt')).toBe('BOTH\ntwo\nthree\n');
  });

  long.each([
    ['session', null],
    ['task', 'RIGHT\n'],
  ] as const)('of a file that one side removed, the side of the %s is taken whole', async (take, text) => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'left', { 'b.txt': null });
    await doTask(world, session, 'right', { 'b.txt': 'RIGHT\n', 'r.txt': 'r\n' });
    for (const task of ['left', 'right']) value(await session.commit(first(task), task));
    await session.merge(first('left'));
    const result = await session.merge(first('right'));
    expect(result).toMatchObject({
      kind: 'conflict',
      conflict: { files: [{ path: 'b.txt', session: null }] },
    });
    expect(await session.resolve(first('right'), { take })).toMatchObject({ kind: 'merged' });
    const directory = session.worktree?.directory ?? '';
    expect([world.read(directory, 'b.txt'), world.read(directory, 'r.txt')]).toEqual([text, 'r\n']);
  });

  long('an attempt that is not committed has nothing to resolve', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'right', { 'r.txt': 'r\n' });
    expect(await session.resolve(first('right'), { take: 'task' })).toMatchObject({
      kind: 'refused',
      reason: 'right (attempt 1) has nothing to resolve.',
    });
  });

  test('the newest merge is taken back when verify fails in it', async () => {
    const world = makeWorld();
    const session = await world.open();
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    value(await session.takeBack(first('schema')));
    expect(world.read(session.worktree?.directory ?? '', 'new.txt')).toBe(null);
    expect(await session.merge(first('schema'))).toMatchObject({ kind: 'merged', files: ['new.txt'] });
    await mergeTask(world, session, 'html', { 'page.txt': 'p\n' });
    expect(faultOf(await session.takeBack(first('schema')))).toBe(
      'schema (attempt 1) is not the newest merge',
    );
  });

  test('a train is made of merges on one another; the branch moves to each when it lands, and only from where it began', async () => {
    const world = makeWorld();
    const session = await world.open();
    for (const task of ['schema', 'html', 'css']) {
      await doTask(world, session, task, { [`${task}.txt`]: `${task}\n` });
      value(await session.commit(first(task), task));
    }
    const own = session.worktree?.directory ?? '';
    const onto = (made: Merged) => (made.kind === 'merged' ? made.commit : '');
    const schema = await session.merge(first('schema'), { onto: null });
    const html = await session.merge(first('html'), { onto: onto(schema) });
    const css = await session.merge(first('css'), { onto: onto(html) });
    expect(html).toMatchObject({ kind: 'merged', before: onto(schema), files: ['html.txt'] });
    expect(world.read(own, 'schema.txt')).toBe(null);
    const { directory } = value(await session.showMerged(first('html'), onto(html)));
    const shown = ['schema.txt', 'html.txt', 'css.txt'].map((path) => world.read(directory, path));
    expect(shown).toEqual(['schema\n', 'html\n', null]);
    const land = async (task: string, made: Merged) =>
      made.kind === 'merged' ? session.land(first(task), made) : null;
    // html leaves: css is made again without it.
    expect(await land('html', html)).toMatchObject({ ok: false, fault: { code: 'branch-moved' } });
    expect(await land('schema', schema)).toEqual({ ok: true, value: null });
    expect(await land('schema', schema)).toEqual({ ok: true, value: null });
    expect(await land('css', css)).toMatchObject({ ok: false, fault: { code: 'branch-moved' } });
    const again = await session.merge(first('css'), { onto: null });
    expect(await land('css', again)).toEqual({ ok: true, value: null });
    value(await session.showBranch());
    const merged = ['schema.txt', 'html.txt', 'css.txt'].map((path) => world.read(own, path));
    expect(merged).toEqual(['schema\n', null, 'css\n']);
    expect(await statesOf(session)).toEqual(['css merged', 'html committed', 'schema merged']);
  });

  test('merged work is undone and redone', async () => {
    const world = makeWorld();
    const session = await world.open();
    const work = { task: 'schema', attempt: null, dependants: [] };
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n', 'b.txt': null });
    await mergeTask(world, session, 'html', { 'page.txt': 'p\n' });
    const directory = session.worktree?.directory ?? '';
    const files = () => ['new.txt', 'b.txt', 'page.txt'].map((path) => world.read(directory, path));
    const undone = value(await session.undo(work));
    expect(undone).toMatchObject({ files: ['b.txt', 'new.txt'], patch: expect.stringContaining('schema') });
    expect(files()).toEqual([null, 'b\n', 'p\n']);
    expect(await statesOf(session)).toEqual(['html merged', 'schema undone']);
    expect(faultOf(await session.undo(work))).toBe('no changes from schema are merged');
    expect(await session.merge(first('schema'))).toMatchObject({ kind: 'refused' });
    const again = await session.prepare({ task: 'schema', attempt: 2 }, { from: 'attempt', attempt: 1 });
    expect(world.read(value(again).directory, 'new.txt')).toBe(null);
    value(await session.redo(work));
    expect(files()).toEqual(['new\n', null, 'p\n']);
    expect(faultOf(await session.redo(work))).toBe('no changes from schema were undone');
    value(await session.undo(work));
    expect(files()).toEqual([null, 'b\n', 'p\n']);
  });

  test('of two merged attempts the one that was named is undone, and brought back', async () => {
    const world = makeWorld();
    const session = await world.open();
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    const second = { task: 'schema', attempt: 2 };
    const { directory } = value(await session.prepare(second));
    value(await session.snapshot(second, 'before'));
    world.write(directory, { 'second.txt': 's\n' });
    value(await session.snapshot(second, 'after'));
    value(await session.commit(second, 'Do schema again'));
    expect(await session.merge(second)).toMatchObject({ kind: 'merged' });
    const own = session.worktree?.directory ?? '';
    const files = () => ['new.txt', 'second.txt'].map((path) => world.read(own, path));
    const work = { ...second, dependants: [] };
    expect(value(await session.undo(work))).toMatchObject({ files: ['second.txt'] });
    expect(files()).toEqual(['new\n', null]);
    expect(faultOf(await session.redo({ ...work, attempt: 1 }))).toBe('no changes from schema were undone');
    value(await session.redo(work));
    expect(files()).toEqual(['new\n', 's\n']);
  });

  test('work that later work builds on is not undone', async () => {
    const world = makeWorld();
    const session = await world.open();
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    await mergeTask(world, session, 'html', { 'page.txt': 'p\n' });
    await mergeTask(world, session, 'edit', { 'new.txt': 'newer\n' });
    const undo = (dependants: readonly string[]) =>
      session.undo({ task: 'schema', attempt: null, dependants });
    expect(faultOf(await undo(['html']))).toBe('html builds on schema');
    expect(faultOf(await undo([]))).toBe('new.txt has changed since schema by edit');
  });

  test('a merge is looked at where no agent worked, beside what was merged before', async () => {
    const world = makeWorld();
    const session = await world.open();
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    // Its own worktree began before that.
    const own = await doTask(world, session, 'html', { 'page.txt': 'p\n' });
    value(await session.snapshot(first('html'), 'after'));
    world.write(own, { 'late.txt': 'after the snapshot\n' });
    value(await session.commit(first('html'), 'Do html'));
    await mergeTask(world, session, 'other', { 'other.txt': 'o\n' });
    await session.merge(first('html'));
    const { directory, existed } = value(await session.showMerged(first('html')));
    expect([directory === own, existed]).toEqual([false, false]);
    const textsIn = (place: string) =>
      ['new.txt', 'page.txt', 'other.txt', 'late.txt'].map((path) => world.read(place, path));
    expect(textsIn(directory)).toEqual(['new\n', 'p\n', 'o\n', null]);
    expect(world.read(own, 'late.txt')).toBe('after the snapshot\n');
    value(await session.keepShown(first('html'), false));
    // Another one that is looked at meanwhile has a place of its own.
    const beside = value(await session.showMerged(first('other')));
    expect(beside.directory).not.toBe(directory);
    session.hideMerged(first('html'));
    value(await session.takeBack(first('html')));
    const again = value(await session.showMerged(first('schema')));
    expect(again).toMatchObject({ directory, existed: true });
    expect(textsIn(directory)).toEqual(['new\n', null, 'o\n', null]);
  });

  test('a reopened session knows what was merged', async () => {
    const world = makeWorld();
    const before = await world.open();
    const merged = await mergeTask(world, before, 'schema', { 'new.txt': 'new\n' });
    await doTask(world, before, 'html', { 'page.txt': 'p\n' });
    const session = await world.open();
    expect(await session.merge(first('schema'))).toEqual(merged);
    expect(value(await session.prepare(first('html')))).toMatchObject({ existed: true });
    expect(await statesOf(session)).toEqual(['html none', 'schema merged']);
  });

  long('cleaning removes the worktree and keeps the snapshots', async () => {
    const world = makeWorld();
    const session = await world.open();
    const directory = await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
    value(await session.clean(first('schema')));
    expect(world.read(directory, 'a.txt')).toBe(null);
    const [range] = value(await session.ranges({ of: 'attempt', ...first('schema') }));
    expect(value(await session.changedFiles(range ?? { from: '', to: '' }))).toMatchObject([
      { path: 'new.txt' },
    ]);
  });

  test('worktrees that exist at one time have different numbers, and a number is free again once its worktree was cleaned', async () => {
    const world = makeWorld();
    const session = await world.open();
    const slotOf = async (task: string) => value(await session.prepare(first(task))).slot;
    expect([await slotOf('schema'), await slotOf('html'), await slotOf('schema')]).toEqual([0, 1, 0]);
    const removed: unknown[] = [];
    const { directory } = value(await session.prepare(first('schema')));
    value(
      await session.clean(first('schema'), async (place) => {
        removed.push(place, world.read(directory, 'a.txt') !== null);
      }),
    );
    expect(removed).toEqual([{ directory, slot: 0 }, true]);
    expect([await slotOf('page'), await slotOf('last')]).toEqual([0, 2]);
    // Another start of the program finds them as they were.
    const again = await world.open();
    expect(value(await again.prepare(first('last'))).slot).toBe(2);
    // Without a worktree there is nothing to take down.
    value(await session.clean(first('schema'), async () => void removed.push('again')));
    expect(removed).toHaveLength(2);
  });

  long('a cleaned attempt has no worktree, and is merged all the same', async () => {
    const world = makeWorld();
    const session = await world.open();
    await doTask(world, session, 'schema', { 'new.txt': 'new\n' });
    value(await session.commit(first('schema'), 'schema'));
    value(await session.clean(first('schema')));
    value(await session.clean(first('schema')));
    expect(value(await session.attempts())).toMatchObject([{ state: 'committed', directory: null }]);
    expect(faultOf(await session.snapshot(first('schema'), 'after'))).toBe(
      'schema (attempt 1) has no worktree',
    );
    expect(await session.merge(first('schema'))).toMatchObject({ kind: 'merged', files: ['new.txt'] });
  });

  long('ranges are those of the attempt, of the task, or of all that is merged', async () => {
    const world = makeWorld();
    const session = await world.open();
    expect(value(await session.ranges({ of: 'session' }))).toEqual([]);
    await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    await doTask(world, session, 'html', { 'page.txt': 'p\n' });
    const again = { task: 'html', attempt: 2 };
    const { directory } = value(await session.prepare(again, { from: 'attempt', attempt: 1 }));
    value(await session.snapshot(again, 'before'));
    world.write(directory, { 'more.txt': 'm\n' });
    const filesOf = async (scope: Parameters<SessionChanges['ranges']>[0]) => {
      const ranges = value(await session.ranges(scope));
      return Promise.all(
        ranges.map(async (range) => value(await session.changedFiles(range)).map(({ path }) => path)),
      );
    };
    expect(await filesOf({ of: 'session' })).toEqual([['new.txt']]);
    expect(await filesOf({ of: 'task', task: 'html' })).toEqual([['more.txt', 'page.txt']]);
    expect(await filesOf({ of: 'merge', ...again })).toEqual([['more.txt', 'page.txt']]);
    expect(await filesOf({ of: 'attempt', ...again })).toEqual([['more.txt']]);
    expect(await filesOf({ of: 'task', task: 'nobody' })).toEqual([]);
  });

  long('a closed session is opened again with what is merged', async () => {
    const world = makeWorld();
    const session = await world.open();
    const merged = await mergeTask(world, session, 'schema', { 'new.txt': 'new\n' });
    const directory = session.worktree?.directory ?? '';
    expect(value(await session.finish({ how: 'keep' }))).toMatchObject({
      how: 'kept',
      branch: 'ralph/261122-101500',
    });
    value(await session.close());
    expect(world.read(directory, 'new.txt')).toBe(null);
    const again = await world.open();
    expect(world.read(again.worktree?.directory ?? '', 'new.txt')).toBe('new\n');
    expect(await again.merge(first('schema'))).toEqual(merged);
  });
};
