import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Brief, TurnResult } from '../../src/agents/port.ts';
import {
  commitAnswerSchema,
  implementAnswerSchema,
  reviewAnswerSchema,
  sessionReviewAnswerSchema,
} from '../../src/agents/roles/answers.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { briefOf, go, pause, steer, taskOf } from '../helpers/role-port.ts';
import { commands, scriptBackend } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { bench } from '../helpers/worker-bench.ts';

const work = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}): Brief =>
  briefOf({
    role: 'Reviewer',
    mode: 'TASK_REVIEW',
    invocation: 'Reviewer-1',
    workspace: tempDir(),
    task: taskOf(task),
    attempt: 1,
    ...some,
  });

const raw = (result: TurnResult): unknown => {
  if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
  return result.answer;
};
const judge = async (brief: Brief, ...directives: Parameters<typeof bench>[2] & {}) =>
  reviewAnswerSchema.parse(raw(await bench(scriptBackend(), brief, directives).turn('review')));

describe('a review', () => {
  test('qualifies what every verify command and every declared file bears out', async () => {
    const brief = work({
      verify: commands('test -s out.txt', 'grep -q hello out.txt'),
      files: ['out.txt'],
      criteria: ['out.txt says hello'],
    });
    writeFileSync(join(brief.workspace, 'out.txt'), 'hello');
    const answer = await judge(brief);
    expect(answer).toMatchObject({ verdict: 'Qualified', issues: [] });
    expect(answer.criteria).toMatchObject([{ criterion: 'out.txt says hello', status: 'met' }]);
    expect(answer.actions).toHaveLength(3);
  });

  test('runs every command though one failed, and says what failed and what is missing', async () => {
    const brief = work({
      verify: commands('exit 3', 'touch seen'),
      files: ['result.json', 'seen'],
      criteria: ['result.json is there', 'it is fast'],
    });
    const answer = await judge(brief);
    expect(answer.verdict).toBe('Failed');
    expect(answer.issues[0]).toMatch(/^`exit 3` exited 3 after /);
    expect(answer.issues[1]).toBe('`result.json` is declared and does not exist.');
    expect(answer.feedback).toContain('result.json');
    expect(answer.criteria.map(({ status }) => status)).toEqual(['not met', 'not checked']);
  });

  test('does not believe an attempt that exited 0 without its result file', async () => {
    const answer = await judge(work({ run: commands('true'), files: ['result.json'] }));
    expect(answer.verdict).toBe('Failed');
  });

  test('says of a criterion that nothing checks it', async () => {
    const answer = await judge(work({ criteria: ['users like it'] }));
    expect(answer.criteria).toEqual([
      { criterion: 'users like it', status: 'not checked', evidence: 'the task has no verify command' },
    ]);
    expect(answer.verdict).toBe('Qualified');
  });

  test('lets verify commands see a STEER that came between them', async () => {
    const brief = work({ verify: commands('true', 'test "$RALPH_STEER" = "look closer"') });
    const answer = await judge(brief, go(steer('look closer')));
    expect(answer).toMatchObject({ verdict: 'Qualified', steers: [{ verdict: 'adjust' }] });
  });

  test('begins again on restart, and goes on after a pause with the results so far', async () => {
    const brief = work({ verify: commands('echo a >> seen', 'echo b >> seen') });
    const again = bench(scriptBackend(), brief, [go(steer('again', 'restart'))]);
    await again.turn('review');
    expect(again.facts.flatMap((fact) => (fact.type === 'command.started' ? [fact.index] : []))).toEqual([
      0, 0, 1,
    ]);
    const paused = await bench(scriptBackend(), brief, [pause]).turn('review');
    const at = bench(scriptBackend(), brief);
    await at.turn('review', { continuation: paused.kind === 'paused' ? paused.continuation : null });
    expect(at.facts.flatMap((fact) => (fact.type === 'command.started' ? [fact.index] : []))).toEqual([1]);
  });
});

describe('a review of the session', () => {
  const task = (id: string, status: string, some: Partial<TaskDefinition> = {}) =>
    ({ definition: taskOf({ id, verify: commands('true'), ...some }), status, attempts: 1 }) as const;
  const judgeSession = async (brief: Partial<Brief>) =>
    sessionReviewAnswerSchema.parse(raw(await bench(scriptBackend(), briefOf(brief)).turn('review-session')));

  test('sees the goal reached when every task is done, and names what nothing checked', async () => {
    const answer = await judgeSession({
      tasks: [
        task('a', 'done'),
        task('b', 'done', { verify: [] }),
        task('old', 'cancelled', { replaced_by: ['a'] }),
      ],
    });
    expect(answer).toMatchObject({ goals_achieved: true, assessment: '2 of 2 tasks are done.' });
    expect(answer.gaps).toEqual(['b has no verify command: nothing but its exit codes shows it works']);
  });

  test('names what is missing', async () => {
    const answer = await judgeSession({
      tasks: [task('a', 'done'), { ...task('b', 'failed'), reason: 'exit 1' }],
    });
    expect(answer).toMatchObject({
      goals_achieved: false,
      gaps: ['b is failed: exit 1'],
      next_action: 'give feedback or retry b',
    });
  });
});

describe('the commit step', () => {
  const repository = (): string => {
    const path = tempDir();
    git(path, 'init', '-q', '-b', 'main');
    git(path, 'config', 'user.name', 'kim');
    git(path, 'config', 'user.email', 'kim@host');
    writeFileSync(join(path, 'kept.txt'), 'old');
    git(path, 'add', '.');
    git(path, 'commit', '-qm', 'first');
    return path;
  };
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8' });
  const commit = async (brief: Brief, changed: readonly string[]) =>
    commitAnswerSchema.parse(raw(await bench(scriptBackend(), brief).turn('commit', { changed })));
  const filesOf = (path: string): readonly string[] =>
    git(path, 'show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort();

  test('commits the declared files that changed, lists the rest, and leaves what a person staged alone', async () => {
    const workspace = repository();
    const brief = work(
      { files: ['new.txt', 'kept.txt', 'dir', '-rf.txt'], title: 'Write; $(touch never)' },
      { workspace },
    );
    mkdirSync(join(workspace, 'dir'));
    for (const file of ['new.txt', 'kept.txt', 'dir/in.txt', '-rf.txt', 'stray.txt', 'staged.txt'])
      writeFileSync(join(workspace, file), 'x');
    git(workspace, 'add', 'staged.txt');
    const answer = await commit(brief, ['new.txt', 'kept.txt', 'dir/in.txt', '-rf.txt', 'stray.txt']);
    expect(answer).toMatchObject({
      status: 'success',
      commit: expect.stringMatching(/^[0-9a-f]{7,}$/),
      unattributed: ['staged.txt', 'stray.txt'],
    });
    expect(filesOf(workspace)).toEqual(['-rf.txt', 'dir/in.txt', 'kept.txt', 'new.txt']);
    expect(git(workspace, 'log', '-1', '--format=%s').trim()).toBe('Write; $(touch never)');
    expect(git(workspace, 'status', '--porcelain').split('\n').filter(Boolean)).toEqual([
      'A  staged.txt',
      '?? stray.txt',
    ]);
  });

  test('attributes undeclared changes only to a task that ran alone', async () => {
    const workspace = repository();
    writeFileSync(join(workspace, 'stray.txt'), 'x');
    const together = await commit(work({}, { workspace }), ['stray.txt']);
    expect(together).toMatchObject({ status: 'skipped', unattributed: ['stray.txt'] });
    const alone = await commit(work({ type: 'Sequential' }, { workspace }), ['stray.txt']);
    expect(alone).toMatchObject({ status: 'success', files: ['stray.txt'] });
  });

  test('gets what an attempt that ran alone changed beside its declared files, and nothing that was dirty before', async () => {
    const workspace = repository();
    writeFileSync(join(workspace, 'mine.txt'), 'a person works on this');
    const task = {
      type: 'Sequential',
      files: ['dir'],
      run: commands('echo x > stray.txt; echo y > kept.txt; rm dir/gone'),
    } as const;
    mkdirSync(join(workspace, 'dir'));
    writeFileSync(join(workspace, 'dir/gone'), 'x');
    for (const [isOn, expected] of [
      [false, ['dir/gone']],
      [true, ['dir/gone', 'kept.txt', 'stray.txt']],
    ] as const) {
      writeFileSync(join(workspace, 'dir/gone'), 'x');
      const settings = { ...defaultSettings, commit: isOn };
      const brief = work(task, { role: 'Executor', mode: 'IMPLEMENT', workspace, settings });
      const done = implementAnswerSchema.parse(raw(await bench(scriptBackend(), brief).turn('implement')));
      expect(done.files_modified).toEqual(expected);
      git(workspace, 'checkout', '-q', 'kept.txt');
    }
  });

  test('runs the hooks of the repository, tries once more, and leaves nothing staged when they refuse', async () => {
    const workspace = repository();
    const hook = join(workspace, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho tried >> .git/tries\necho "no tabs, please" >&2\nexit 1\n', {
      mode: 0o755,
    });
    writeFileSync(join(workspace, 'new.txt'), 'x');
    const answer = await commit(work({ files: ['new.txt'] }, { workspace }), ['new.txt']);
    expect(answer).toMatchObject({ status: 'failed', detail: 'no tabs, please' });
    expect(execFileSync('cat', ['.git/tries'], { cwd: workspace, encoding: 'utf8' })).toBe('tried\ntried\n');
    expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt\n');
  });

  test('is skipped outside a repository', async () => {
    const brief = work({ files: ['a'] }, { settings: { ...defaultSettings, commit: true } });
    expect(await commit(brief, ['a'])).toMatchObject({
      status: 'skipped',
      detail: 'the workspace is not in a git repository',
    });
  });
});
