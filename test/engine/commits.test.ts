import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { filesIn, git, repositoryWith, writeHook } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const names = Array.from({ length: 8 }, (_, index) => `task-${index + 1}`);
const sideBySide = {
  commit: true,
  concurrency: { ...defaultSettings.concurrency, max_parallel_executors: names.length },
};

/** Puts a `git` before the real one that fails when two of them commit at once. */
const refuseTwoAtOnce = (): void => {
  const bin = tempDir();
  const lines = [
    '#!/bin/sh',
    `PATH='${process.env['PATH']}'`,
    `case " $* " in *" commit "*) mkdir '${bin}/busy' || exit 9 ;; *) exec git "$@" ;; esac`,
    'git "$@"; code=$?',
    `rmdir '${bin}/busy'`,
    'exit $code',
  ];
  writeFileSync(join(bin, 'git'), lines.join('\n'), { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
};

test('every task of a wave gets its own commit with its own files, one after the other, whatever another program commits in between', async () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  // Somebody else commits right after each of ours.
  writeHook(
    workspace,
    'post-commit',
    'env -i PATH="$PATH" git -c core.hooksPath=/dev/null commit -qm "by hand" --allow-empty',
  );
  refuseTwoAtOnce();
  const plan = names.map(
    (name) => `  - {id: ${name}, title: ${name}, files: [${name}.txt], run: [echo x > ${name}.txt]}`,
  );
  const session = createRealSession(workspace, ['goal: Commit', 'tasks:', ...plan, ''].join('\n'), {
    settings: sideBySide,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ status: 'completed' });
  const commits = new Map(session.all('task.qualified').map(({ task, commit }) => [task, commit ?? '']));
  expect([...commits.keys()].sort()).toEqual(names);
  for (const [task, commit] of commits) {
    expect(git(workspace, 'log', '-1', '--format=%s', commit).trim()).toBe(task);
    expect(filesIn(workspace, commit)).toEqual([`${task}.txt`]);
  }
  expect(git(workspace, 'log', '--format=%s').trim().split('\n')).toHaveLength(1 + 2 * names.length);
});

test('an ABORT while one commits and another waits for its turn ends both, and nothing is committed', async () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  writeHook(
    workspace,
    'pre-commit',
    'mkdir .git/busy || exit 1',
    'while test -e .git/busy; do sleep 0.02; done',
  );
  const plan = ['one', 'two'].map(
    (name) => `  - {id: ${name}, title: ${name}, files: [${name}.txt], run: [echo x > ${name}.txt]}`,
  );
  const session = createRealSession(workspace, ['goal: Commit', 'tasks:', ...plan, ''].join('\n'), {
    settings: sideBySide,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event(
    'checkpoint.reached',
    ({ checkpoint, invocation }) =>
      checkpoint === 'Reviewer.verdict' &&
      invocation !== session.all('invocation.started').find(({ role }) => role === 'Reviewer')?.invocation,
  );
  session.publish({ type: 'ABORT', from: 'kim' });
  expect(await engine.settled()).toMatchObject({ status: 'aborted', exitCode: 130, unverified: [] });
  expect(git(workspace, 'log', '--format=%s').trim()).toBe('first');
  const failed = session
    .all('invocation.ended')
    .flatMap(({ outcome }) => (outcome.role === 'Reviewer' ? [outcome.commit_detail] : []));
  expect(failed.join()).not.toContain('a hook may have rejected');
});
