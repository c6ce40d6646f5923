import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectChangesRef } from '../../components/changes/select-changes.ts';
import { selectPage } from '../../components/changes/select-page.ts';
import { createStore } from '../../components/create-store.ts';
import { createViewerPort } from '../../src/cli/session/viewer-port.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { pageText } from '../helpers/page-text.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const once = { retries: { ...defaultSettings.retries, max_attempts: 1 } };

/** A screen on a session that has ended, in this workspace; `shown` is what its Changes tab says. */
const ended = async (workspace: string, plan: string, settings: Partial<Settings> = {}) => {
  const session = createRealSession(workspace, plan, { settings: { ...once, ...settings } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  store.load(session.events);
  const viewer = createViewerPort(createWorld(), session.paths, {});
  const shown = async (task: string | null): Promise<readonly string[]> => {
    if (task !== null) store.act({ type: 'selected-task', task });
    store.act({ type: 'tab-chosen', tab: 'changes' });
    if (task === null) store.act({ type: 'scope-turned' });
    const wanted = selectChangesRef(store.getState());
    if (!wanted) throw new Error('nothing is to be asked');
    store.act({ type: 'changes-read', key: wanted.key, changes: await viewer.readChanges(wanted.ref) });
    return pageText(selectPage(store.getState()));
  };
  return { session, store, shown };
};

const failing = `goal: Upload
tasks:
  - {id: broken, title: Fails its review, files: [upload.txt], run: [echo sent > upload.txt], verify: ["false"]}
  - {id: crashed, title: Fails its command, files: [half.txt, dir], run: [mkdir -p dir && echo half > dir/half.txt && exit 3]}
  - {id: idle, title: Does nothing, files: [none.txt], verify: ["true"]}
  - {id: nameless, title: Names no files, verify: ["true"]}
`;

test('Changes shows what a task that failed for good has changed, and says of each other what is known of it', async () => {
  const { shown } = await ended(repositoryWith({ 'a.txt': 'a' }), failing);
  expect(await shown('broken')).toEqual([
    'upload.txt',
    '1 file, +1 −0',
    '',
    'upload.txt',
    '@@ -0,0 +1 @@',
    '+sent',
  ]);
  expect(await shown('crashed')).toEqual([
    'dir/half.txt',
    '1 file, +1 −0',
    '',
    'dir/half.txt',
    '@@ -0,0 +1 @@',
    '+half',
  ]);
  expect(await shown('idle')).toEqual(['idle has changed no files.']);
  expect(await shown('nameless')).toEqual(['nameless names no files, and no changes were recorded.']);
  expect((await shown(null)).slice(0, 3)).toEqual(['dir/half.txt', 'upload.txt', '2 files, +2 −0']);
});

test('where git knows nothing Changes names the files that were seen to change, of a failed task too', async () => {
  const { shown } = await ended(workspaceWith({}), failing);
  expect(await shown('broken')).toEqual(['upload.txt', '', 'No differences: this is not a git repository.']);
  expect(await shown('crashed')).toEqual([
    'dir/half.txt',
    '',
    'No differences: this is not a git repository.',
  ]);
});

test('in a repository without a commit Changes compares with nothing: each file is new', async () => {
  const workspace = workspaceWith({});
  git(workspace, 'init', '-q');
  const { shown } = await ended(workspace, failing);
  expect(await shown('broken')).toEqual([
    'upload.txt',
    '1 file, +1 −0',
    '',
    'upload.txt',
    '@@ -0,0 +1 @@',
    '+sent',
  ]);
});

test('whoever comes to Changes sees the files as they are then', async () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  const { shown } = await ended(workspace, failing);
  expect(await shown('broken')).toContain('+sent');
  writeFileSync(join(workspace, 'upload.txt'), 'sent again\n');
  expect(await shown('broken')).toContain('+sent again');
});

test('with commits the whole session names the commit and the files of every task, and shows what is in none', async () => {
  const workspace = repositoryWith({ 'one.txt': '1\n', 'two.txt': '1\n' });
  const plan = `goal: Commit
tasks:
  - {id: one, title: One, files: [one.txt], run: [echo 2 > one.txt]}
  - {id: two, title: Two, files: [two.txt], run: [echo 2 > two.txt]}
`;
  const { shown, store } = await ended(workspace, plan, { commit: true });
  const commits = ['one', 'two'].map(
    (task) => `commit ${git(workspace, 'log', '--format=%h', '-1', '--', `${task}.txt`).trim()} · ${task}`,
  );
  expect(await shown(null)).toEqual([
    ...commits,
    '',
    'one.txt',
    'two.txt',
    '',
    'Everything is committed: there are no differences.',
  ]);
  writeFileSync(join(workspace, 'one.txt'), '3\n');
  store.act({ type: 'scope-turned' });
  expect(await shown(null)).toEqual(expect.arrayContaining([...commits, '+3']));
});

test('of many new files Changes shows the differences of some, and says that there are more', async () => {
  const plan = `goal: Many
tasks: [{id: out, title: Out, files: [out], run: ['mkdir out; for i in $(seq 10 59); do echo $i > out/$i.txt; done']}]
`;
  const { shown } = await ended(repositoryWith({ 'a.txt': 'a' }), plan);
  const lines = await shown('out');
  expect(lines.filter((line) => /^out\/\d+\.txt$/.test(line))).toHaveLength(50 + 20);
  expect(lines).toContain('50 files, +20 −0 and more');
  expect(lines.at(-1)).toMatch(
    /^The diff is too long to show in full: `.*ralph-tui diff out --session \d{6}-\d{6}` prints all of it\.$/,
  );
});

test('a difference that is too long for the screen is cut there, and that is said', async () => {
  const plan = `goal: Long
tasks: [{id: long, title: Long, files: [long.txt], run: ['yes 0123456789012345678901234567890123456789012345678901234567890123456789012345678 | head -n 90000 > long.txt']}]
`;
  const { shown } = await ended(repositoryWith({ 'a.txt': 'a' }), plan);
  const lines = await shown('long');
  expect(lines).toContain('1 file, +90000 −0');
  expect(lines.at(-1)).toMatch(/ralph-tui diff long --session \d{6}-\d{6}` prints all of it/);
});
