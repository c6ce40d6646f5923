import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram, startProgram } from '../helpers/program.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';

const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/**
 * A git that kills the program which calls it, at one call: before git does its work at odd ones, so that git outlives the program, after it at even
 * ones. Returns the environment and the number of calls so far.
 */
const killingGit = (at: number) => {
  const directory = tempDir();
  // Calls overlap: the first file that can be made is a call's number. The shell makes it itself: a process for each try took as long as the session.
  const script = `#!/bin/sh
n=1
set -C
while ! true > ${directory}/call-$n; do n=$((n + 1)); done 2>/dev/null
set +C
if [ $n -eq ${at} ]; then
  ${at % 2 === 0 ? `${realGit} "$@"` : ''}
  kill -KILL "$PPID"
fi
exec ${realGit} "$@"
`;
  writeFileSync(join(directory, 'git'), script);
  chmodSync(join(directory, 'git'), 0o755);
  return {
    env: { PATH: `${directory}:${process.env['PATH'] ?? ''}` },
    calls: () => readdirSync(directory).length - 1,
  };
};

const inTurn = `goal: Two tasks
settings: {isolation: shared, changes: {at_end: keep}}
tasks:
  - {id: one, title: One, files: [text.txt], run: ['sed -i s/one/ONE/ text.txt'], verify: ['grep -q ONE text.txt']}
  - {id: two, title: Two, blockedBy: [one], files: [new.txt], run: ['echo new > new.txt'], verify: ['test -s new.txt']}
`;

/** Three merges, and none is verified before all are made, so that they are in the train together. */
const inTrain = (repository: string): string => {
  const merges = `cat ${repository}/.ralph-sessions/*/journal.jsonl | grep -c '"type":"attempt.merged"'`;
  const script = join(tempDir(), 'wait-for-three');
  writeFileSync(script, `until [ "$(${merges})" -ge 3 ]; do sleep 0.05; done\n`);
  return `goal: Three tasks
settings: {isolation: worktree, changes: {at_end: keep}, concurrency: {max_parallel_executors: 3}}
tasks:
  - {id: one, title: One, files: [text.txt], run: ['sed -i s/one/ONE/ text.txt'], verify: ['sh ${script}; grep -q ONE text.txt']}
  - {id: two, title: Two, files: [new.txt], run: ['echo new > new.txt'], verify: ['sh ${script}; test -s new.txt']}
  - {id: three, title: Three, files: [third.txt], run: ['echo third > third.txt'], verify: ['sh ${script}; test -s third.txt']}
`;
};

/** Everything of the person's, but for what a session in the shared workspace is for. */
const standing = (repository: string) => ({
  head: git(repository, 'rev-parse', 'HEAD', 'main'),
  branch: git(repository, 'symbolic-ref', 'HEAD'),
  index: readFileSync(join(repository, '.git/index')).toString('base64'),
  stash: git(repository, 'stash', 'list'),
  untracked: readFileSync(join(repository, 'notes.txt'), 'utf8'),
});

type Kind = 'in a train' | 'shared';

/** Runs the plan with this git, and goes on as a person would until it is done. */
const played = async (kind: Kind, at: number) => {
  const repository = repositoryWith({
    'text.txt': 'one\ntwo\n',
    '.gitignore': '.ralph-sessions/\nplan.yaml\n',
  });
  writeFileSync(join(repository, 'text.txt'), 'one\ntwo\nstashed\n');
  git(repository, 'stash');
  writeFileSync(join(repository, 'notes.txt'), 'mine\n');
  writeFileSync(join(repository, 'plan.yaml'), kind === 'shared' ? inTurn : inTrain(repository));
  const before = standing(repository);
  const killing = killingGit(at);
  const run = ['run', '--plan', 'plan.yaml', '--no-discovery'];
  // In a process of its own: git kills it.
  const first = await startProgram(run, { cwd: repository, env: killing.env }).done;
  if (first.code !== 0) {
    // Killed before the session wrote a line: nothing was begun.
    const again = await runProgram(journalsOf(repository) !== '' ? ['resume'] : run, { cwd: repository });
    expect(again, `${again.stdout}\n${again.stderr}`).toMatchObject({ code: 0 });
  }
  expect(standing(repository)).toEqual(before);
  const branch = git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph').trim();
  return {
    calls: killing.calls(),
    killed: first.code !== 0,
    longestTrain: longestTrain(journalsOf(repository)),
    merges:
      branch === ''
        ? []
        : git(repository, 'log', '--format=%s', '--merges', ...branch.split('\n'))
            .trim()
            .split('\n'),
    files: ['text.txt', 'new.txt', ...(kind === 'shared' ? [] : ['third.txt'])].map((name) =>
      branch === ''
        ? readFileSync(join(repository, name), 'utf8')
        : git(repository, 'show', `${branch}:${name}`),
    ),
    diff: (await runProgram(['diff'], { cwd: repository })).stdout.replaceAll(/^index .*\n/gm, ''),
    trees: git(repository, 'worktree', 'list').trim().split('\n').length,
    branches: git(repository, 'branch', '--list', 'ralph-attempt/*'),
    locks: execFileSync('find', [join(repository, '.git'), '-name', '*.lock'], { encoding: 'utf8' }),
  };
};

/** One, or none where the program was killed before the session wrote a line. */
const journalsOf = (repository: string): string =>
  globSync('.ralph-sessions/*/journal.jsonl', { cwd: repository })
    .map((path) => readFileSync(join(repository, path), 'utf8'))
    .join('');

/** The most merges that waited for their landing at one time. */
const longestTrain = (journal: string): number => {
  let length = 0;
  let longest = 0;
  for (const [, type] of journal.matchAll(/"type":"([a-z.-]+)"/g)) {
    if (type === 'attempt.merged') length += 1;
    if (type === 'merge.landed' || type === 'merge.rejected') length -= 1;
    longest = Math.max(longest, length);
  }
  return longest;
};

const sideBySide = 3;

/**
 * Of every five calls one is killed, before and after its work in turn: `test/changes/crash.test.ts` stops after each step of each phase. `KILL_STRIDE=1`
 * kills at each.
 */
const stride = Number(process.env['KILL_STRIDE'] ?? 5);

/** In which order they were merged, and at which attempt, depends on when it was killed. */
const anyAttempt = (merges: readonly string[]): readonly string[] =>
  merges.map((merge) => merge.replace(/attempt \d+/, 'attempt')).toSorted();

test.each(isLongForm ? (['in a train', 'shared'] as const) : (['in a train'] as const))(
  'killed at calls of git and resumed, a session %s loses nothing and does nothing twice',
  async (kind) => {
    const { calls, killed, ...undisturbed } = await played(kind, 0);
    expect(killed).toBe(false);
    expect(calls).toBeGreaterThan(10);
    const { merges: wanted, longestTrain: trainOf, ...rest } = undisturbed;
    expect(trainOf).toBe(kind === 'shared' ? 0 : 3);
    const from = isLongForm ? 1 : Math.ceil(calls * 0.7);
    const to = isLongForm ? calls : from;
    // Each session mostly waits for its git: as many side by side as keep two cores busy.
    await Promise.all(
      Array.from({ length: sideBySide }, async (_lane, lane) => {
        for (let at = from + lane * stride; at <= to; at += sideBySide * stride) {
          const { calls: _, killed: wasKilled, merges, longestTrain: __, ...after } = await played(kind, at);
          const message = `killed at call ${at} of ${calls}`;
          // How many processes git needs varies by a few: one that stays is asked again, or ends while nothing is asked.
          if (!wasKilled && at > calls * 0.85) break;
          expect(wasKilled, message).toBe(true);
          expect(after, message).toEqual(rest);
          // A task that was interrupted is merged with its next attempt.
          expect(anyAttempt(merges), message).toEqual(anyAttempt(wanted));
        }
      }),
    );
  },
  3_600_000,
);
