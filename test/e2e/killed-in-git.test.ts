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

const plan = (isolation: string): string => `goal: Two tasks
settings: {isolation: ${isolation}, changes: {at_end: keep}}
tasks:
  - {id: one, title: One, files: [text.txt], run: ['sed -i s/one/ONE/ text.txt'], verify: ['grep -q ONE text.txt']}
  - {id: two, title: Two, blockedBy: [one], files: [new.txt], run: ['echo new > new.txt'], verify: ['test -s new.txt']}
`;

/** Everything of the person's, but for what a session in the shared workspace is for. */
const standing = (repository: string) => ({
  head: git(repository, 'rev-parse', 'HEAD', 'main'),
  branch: git(repository, 'symbolic-ref', 'HEAD'),
  index: readFileSync(join(repository, '.git/index')).toString('base64'),
  stash: git(repository, 'stash', 'list'),
  untracked: readFileSync(join(repository, 'notes.txt'), 'utf8'),
});

/** Runs the plan with this git, and goes on as a person would until it is done. */
const played = async (isolation: string, at: number) => {
  const repository = repositoryWith({
    'text.txt': 'one\ntwo\n',
    '.gitignore': '.ralph-sessions/\nplan.yaml\n',
  });
  writeFileSync(join(repository, 'text.txt'), 'one\ntwo\nstashed\n');
  git(repository, 'stash');
  writeFileSync(join(repository, 'notes.txt'), 'mine\n');
  writeFileSync(join(repository, 'plan.yaml'), plan(isolation));
  const before = standing(repository);
  const killing = killingGit(at);
  const run = ['run', '--plan', 'plan.yaml', '--no-discovery'];
  // In a process of its own: git kills it.
  const first = await startProgram(run, { cwd: repository, env: killing.env }).done;
  if (first.code !== 0) {
    // Killed before the session wrote a line: nothing was begun.
    const isBegun = globSync('.ralph-sessions/*/journal.jsonl', { cwd: repository }).length > 0;
    const again = await runProgram(isBegun ? ['resume'] : run, { cwd: repository });
    expect(again, `${again.stdout}\n${again.stderr}`).toMatchObject({ code: 0 });
  }
  expect(standing(repository)).toEqual(before);
  const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
  return {
    calls: killing.calls(),
    killed: first.code !== 0,
    merges:
      isolation === 'shared'
        ? []
        : git(repository, 'log', '--format=%s', '--merges', branch).trim().split('\n'),
    text:
      isolation === 'shared'
        ? readFileSync(join(repository, 'text.txt'), 'utf8')
        : git(repository, 'show', `${branch}:text.txt`),
    added:
      isolation === 'shared'
        ? readFileSync(join(repository, 'new.txt'), 'utf8')
        : git(repository, 'show', `${branch}:new.txt`),
    diff: (await runProgram(['diff'], { cwd: repository })).stdout.replaceAll(/^index .*\n/gm, ''),
    trees: git(repository, 'worktree', 'list').trim().split('\n').length,
    branches: git(repository, 'branch', '--list', 'ralph-attempt/*'),
    locks: execFileSync('find', [join(repository, '.git'), '-name', '*.lock'], { encoding: 'utf8' }),
  };
};

const sideBySide = 3;

/** Of every three calls one is killed, before and after its work in turn: `test/changes/crash.test.ts` stops after each step of each phase. */
const stride = 3;

const anyAttempt = (merge: string): string => merge.replace(/attempt \d+/, 'attempt');

test.each(isLongForm ? ['worktree', 'shared'] : ['worktree'])(
  'killed at calls of git and resumed, a session in %s isolation loses nothing and does nothing twice',
  async (isolation) => {
    const { calls, killed, ...undisturbed } = await played(isolation, 0);
    expect(killed).toBe(false);
    expect(calls).toBeGreaterThan(10);
    const { merges: wanted, ...rest } = undisturbed;
    const from = isLongForm ? 1 : Math.ceil(calls * 0.7);
    const to = isLongForm ? calls : from;
    // Each session mostly waits for its git: as many side by side as keep two cores busy.
    await Promise.all(
      Array.from({ length: sideBySide }, async (_lane, lane) => {
        for (let at = from + lane * stride; at <= to; at += sideBySide * stride) {
          const { calls: _, killed: wasKilled, merges, ...after } = await played(isolation, at);
          const message = `killed at call ${at} of ${calls}`;
          // How many processes git needs varies by a few: one that stays is asked again, or ends while nothing is asked.
          if (!wasKilled && at > calls * 0.85) break;
          expect(wasKilled, message).toBe(true);
          expect(after, message).toEqual(rest);
          // A task that was interrupted is merged with its next attempt.
          expect(merges.map(anyAttempt), message).toEqual(wanted.map(anyAttempt));
        }
      }),
    );
  },
  3_600_000,
);
