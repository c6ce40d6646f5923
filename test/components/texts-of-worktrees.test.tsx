import { expect, test } from 'vitest';
import { permissionRows } from '../../components/permission/select-permission.ts';
import type { OpenPermission } from '../../src/pipeline/open-permission.ts';
import { formatChangesEvent } from '../../src/words/events/change-sentence.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, task } from '../helpers/story.ts';

const ended = (how: 'merge' | 'squash' | 'keep') =>
  createStory()
    .add({ type: 'changes.opened', branch: 'ralph/1', base: 'a', directory: '/state/own' })
    .add({ type: 'attempt.merged', task: 'left', attempt: 1, commit: 'b', before: 'a', files: [] })
    .add({ type: 'changes.finished', how, branch: 'ralph/1' });

test.each([
  ['merge', 'The changes from ralph/1 are merged into your branch'],
  ['squash', 'The changes from ralph/1 are squashed onto your branch'],
  ['keep', 'The changes are on ralph/1; `git merge --no-overwrite-ignore ralph/1` merges them'],
] as const)('the end screen says where the changes are after %s', async (how, sentence) => {
  const story = ended(how).tasks([task('left', [])]);
  const screen = await openScreen({ columns: 100, rows: 30, story });
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  await screen.settle();
  expect(screen.frame()).toContain(sentence);
  screen.unmount();
});

test.each([
  [false, 'The changes are on ralph/1. For a pull request:'],
  [true, 'For a pull request, first add a remote, as this repository has none'],
])('the end screen shows the commands for a pull request (no remote: %s)', async (no_remote, sentence) => {
  const commands = ['git push --set-upstream origin ralph/1', 'gh pr create --head ralph/1'];
  const story = createStory()
    .add({ type: 'changes.opened', branch: 'ralph/1', base: 'a', directory: '/state/own' })
    .add({ type: 'attempt.merged', task: 'left', attempt: 1, commit: 'b', before: 'a', files: [] })
    .add({ type: 'changes.finished', how: 'pull-request', branch: 'ralph/1', commands, no_remote })
    .tasks([task('left', [])]);
  const screen = await openScreen({ columns: 160, rows: 30, story });
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  await screen.settle();
  for (const text of [sentence, ...commands]) expect(screen.frame()).toContain(text);
  screen.unmount();
});

test.each([
  ['b', [], 'left had no changes to merge'],
  ['c', [], 'left merged: no changes'],
  ['c', ['x.ts'], 'left merged: x.ts'],
] as const)('the merge %s onto b with the files %j is called: %s', (commit, files, sentence) => {
  const body = { ...eventSamples['attempt.merged'], task: 'left', before: 'b', commit, files: [...files] };
  expect(formatChangesEvent({ ...body, seq: 1, at: '' })).toBe(sentence);
});

test('a file of a task that works in its own worktree is named by its path there, and one outside in full', () => {
  const directory = '/state/worktrees/left-1';
  const permission: OpenPermission = {
    request: 'r',
    invocation: 'Executor-1',
    task: 'left',
    agent: 'gemini',
    role: 'Executor',
    kind: 'edit',
    title: 'Writing to src/left.txt',
    command: null,
    directory,
    paths: [`${directory}/src/left.txt`, '/etc/passwd'],
    diffs: [],
    notes: [],
    once: null,
    asked: '',
  };
  const tabbed = { path: '/work/Makefile', before: '', after: 'all:\n\techo x\n' };
  const shown = permissionRows({ ...permission, diffs: [tabbed] }, '/work', 120);
  expect(shown.slice(-2).map(({ text }) => text)).toEqual(['all:', '        echo x']);
  const rows = permissionRows(permission, '/work', 120);
  expect(rows.slice(-3).map(({ label, text }) => `${label} ${text}`)).toEqual([
    `In ${directory}`,
    'Files src/left.txt',
    ' /etc/passwd',
  ]);
});
