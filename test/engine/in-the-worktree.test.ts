import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend, Brief } from '../../src/agents/port.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { patienceOf } from '../../src/changes/git/stall.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, gitEnvironment, personGit, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

/** A session with worktrees whose agent does `work` at each attempt of its one task. */
const sessionWith = async (work: (brief: Brief, repo: string) => void) => {
  const world = changesWorld(template, (ports) => ({
    ...ports,
    git: createGit(gitEnvironment(dirname(dirname(ports.root))), undefined, (call) => ({
      ...patienceOf(call),
      firstMs: 50,
      everyMs: 50,
    })),
  }));
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: (brief) => ({
      turn: async () => {
        work(brief, world.repo);
        return { kind: 'answered', answer: { status: 'completed' } };
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(
    world.repo,
    "goal: Add a file\ntasks:\n  - {id: add, title: Add, files: [b.txt], verify: ['test -e b.txt']}\n",
    {
      changes: world.changes,
      backends: [agent],
      settings: {
        isolation: 'worktree',
        changes: { at_end: 'keep' },
        roles: { executor: 'mine' },
        planning: { max_cycles: 0 },
        retries: { max_attempts: 2, backoff: [0] },
        knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      },
    },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await engine.settled();
  const problems = session.all('problem.found').map(({ fault }) => fault.what);
  return { world, session, end, problems };
};

test('a worktree that is removed while an agent works in it costs no attempt, and is made again', async () => {
  let times = 0;
  const { session, end, world } = await sessionWith(({ workspace }, repository) => {
    times += 1;
    if (times > 1) return writeFileSync(join(workspace, 'b.txt'), 'b');
    rmSync(workspace, { recursive: true });
    personGit(repository, 'worktree', 'prune');
  });
  expect(session.all('task.failed')).toEqual([]);
  expect(session.all('task.started').map(({ attempt }) => attempt)).toEqual([1, 1]);
  expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(personGit(world.repo, 'show', 'ralph/260215-101500:b.txt')).toBe('b');
});

test.each([
  [
    'breaks the index of its worktree',
    (workspace: string) =>
      writeFileSync(join(personGit(workspace, 'rev-parse', '--absolute-git-dir').trim(), 'index'), 'broken'),
    /index file smaller than expected/,
  ],
  [
    'leaves a FIFO that git would read',
    (workspace: string) => {
      writeFiles(workspace, { 'c/new.txt': '' });
      execFileSync('mkfifo', [join(workspace, 'c/.gitignore')]);
    },
    /git waited for a FIFO/,
  ],
])('an agent that %s fails its attempt only', async (_, breaks, reason) => {
  const { session, end, world } = await sessionWith(({ workspace, attempt }) => {
    if (attempt === 1) breaks(workspace);
    else writeFileSync(join(workspace, 'b.txt'), 'b');
  });
  expect(session.all('task.failed')).toMatchObject([{ attempt: 1, reason: expect.stringMatching(reason) }]);
  expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(personGit(world.repo, 'show', 'ralph/260215-101500:b.txt')).toBe('b');
});

test('settings of agents that change in the worktree are put back before anybody else works there, and are not merged', async () => {
  const seen: (readonly string[])[] = [];
  const { session, end, world, problems } = await sessionWith(({ workspace, attempt }) => {
    seen.push(['.mcp.json', '.claude/settings.json'].filter((file) => existsSync(join(workspace, file))));
    mkdirSync(join(workspace, '.claude'), { recursive: true });
    writeFileSync(join(workspace, '.claude/settings.json'), '{"hooks": {}}');
    writeFileSync(join(workspace, '.mcp.json'), '{}');
    if (attempt === 1) rmSync(join(workspace, 'b.txt'));
    else writeFileSync(join(workspace, 'b.txt'), 'b');
  });
  expect(seen).toEqual([[], []]);
  expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(personGit(world.repo, 'ls-tree', '-r', '--name-only', 'ralph/260215-101500')).not.toMatch(
    /claude|mcp/u,
  );
  expect(problems.slice(0, 2)).toEqual([
    expect.stringMatching(
      /^Executor-\d+ added \.claude\/settings\.json; it was removed; the added text is kept in \.ralph-sessions\/.*settings\.json$/u,
    ),
    expect.stringMatching(/^Executor-\d+ added \.mcp\.json; it was removed; /u),
  ]);
  expect(session.all('problem.found').map(({ fault }) => fault.hint)).toContain(
    'to use it, copy it to .mcp.json in your checkout',
  );
});

test('a commit of 100 MB and more is asked about before it is merged, with every other reason, and a run without a screen ends with 3', async () => {
  const { session, end, world } = await sessionWith(({ workspace }) => {
    writeFileSync(join(workspace, 'b.txt'), `ghp_${'a1B2'.repeat(9)}`);
    // Without blocks on the disk, and all of it counts.
    writeFileSync(join(workspace, 'big.bin'), '');
    truncateSync(join(workspace, 'big.bin'), 101 * 1_048_576);
  });
  expect(end).toMatchObject({ exitCode: 3 });
  expect(session.all('question.asked')[0]).toMatchObject({
    kind: 'merge',
    text: 'add was not merged: its commit would contain 101 MB, most of it in big.bin. b.txt:1 looks like a secret. What now?',
  });
  expect(personGit(world.repo, 'ls-tree', '--name-only', 'ralph/260215-101500')).not.toContain('big.bin');
});
