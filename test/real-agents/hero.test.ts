import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGhProgram } from '../helpers/gh-program.ts';
import type { Lane } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { completeHome } from './agents.ts';
import { plan, pr, research, researched, review, silent, work } from './flow-lanes.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { allInstalled, modelServer } from './world.ts';

const lanes: readonly Lane[] = [
  research('1', 'a'),
  research('5', 'b'),
  plan('plan-1_stream:'),
  review('review-1_stream:', 'NEEDS_ITERATION'),
  plan('plan-1_stream_r2:'),
  review('review-1_stream_r2:', 'APPROVED'),
  plan('plan-5_stream:'),
  review('review-5_stream:', 'APPROVED'),
  silent('killed', 'implement-1_stream:'),
  work('implement-1_stream:', { '1.txt': 'one' }),
  work('implement-2_stream:', { '2.txt': 'two' }),
  work('implement-4_stream:', { '4.fixed.txt': 'four' }, ['no-var']),
  work('implement-4_stream:', { '4.txt': 'four', 'notes.txt': 'by the first stream' }),
  silent('killed too', 'implement-5_stream:'),
  work('implement-5_stream:', { '5.txt': 'five' }),
  work('implement-6_stream:', { '6.txt': 'six', 'notes.txt': 'by the second stream' }),
  pr('pr-1_stream:'),
  pr('pr-1_stream:'),
  pr('pr-5_stream:'),
  // After the conflict: the same issues once more, on what is merged by then.
  work('implement-5', { '5.txt': 'five' }),
  work('implement-6', { '6.txt': 'six' }),
  pr('pr-5'),
];

/** A repository with an origin, and its documents of earlier research. */
const prepare = ({ workspace }: ProgramWorld, origin: string): void => {
  mkdirSync(join(workspace, 'thoughts/shared/research'), { recursive: true });
  for (const [file, text] of [
    ...['2', '3', '4'].map((id) => researched(id, 'a')),
    researched('6', 'b'),
    ['.gitignore', '.ralph-sessions/\n.ralph/\n'] as const,
  ])
    writeFileSync(join(workspace, file), text);
  git(workspace, 'config', 'user.name', 'kim');
  git(workspace, 'config', 'user.email', 'kim@host');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'Research');
  git(origin, 'init', '-q', '--bare', '-b', 'main');
  git(workspace, 'remote', 'add', 'origin', origin);
  git(workspace, 'push', '-q', '-u', 'origin', 'main');
};

test.skipIf(!allInstalled(gemini, codex))(
  'Gemini and Codex take six issues in two streams from research to merge on GitHub, over a rejected plan, a failed check, PAUSE, kill -9, an issue that a person closes, and a conflict',
  async () => {
    const origin = tempDir();
    const firstHeads = new Map<string, string>();
    const { bin, gh, pullRequests } = await startGhProgram(
      origin,
      ({ branch }, head) => {
        const first = pullRequests.find((pull) => pull.branch === 'ralph/1');
        if (branch !== 'ralph/1') return first?.state === 'MERGED' ? 'SUCCESS' : null;
        if (!firstHeads.has(branch)) firstHeads.set(branch, head);
        return firstHeads.get(branch) === head ? 'FAILURE' : 'SUCCESS';
      },
      '4.txt: no-var\n',
    );
    const world = createProgramWorld({ PATH: `${bin}:${process.env['PATH']}` });
    const { workspace } = world;
    prepare(world, origin);
    const model = await modelServer(...lanes);
    const issue = (title: string, ...flags: readonly string[]): void => {
      const made = gh.run(['issue', 'create', `--title=${title}`, '--body-file', '-', ...flags], 'Please.');
      expect(made.error).toBeUndefined();
    };
    for (const state of ['research-needed', 'ready-for-plan'])
      gh.run(['label', 'create', `state:${state}`], '');
    for (const id of ['1', '2', '3', '4', '5', '6'])
      issue(
        `Write ${id}`,
        `--label=state:${['1', '5'].includes(id) ? 'research-needed' : 'ready-for-plan'}`,
        '--parent=7',
        ...(['1', '5'].includes(id) ? [] : [`--blocked-by=${Number(id) - 1}`]),
      );
    issue('Six files');
    const stateOf = (id: number): string =>
      gh.issues
        .find(({ number }) => number === id)
        ?.labels.concat(gh.issues[id - 1]?.state ?? '')
        .join(' ') ?? '';

    const stateOfPull = (branch: string): readonly string[] =>
      pullRequests.filter((pull) => pull.branch === branch).map(({ state }) => state);

    const codexEntry = realEntry(codex, world.home, model.url);
    await completeHome(codex, join(world.home, codex.name), model.url);
    world.configure({
      isolation: 'worktree',
      agents: { gemini: realEntry(gemini, world.home, model.url), codex: codexEntry },
      roles: { executor: 'gemini', reviewer: 'script' },
      flow: {
        agents: { builder: 'codex' },
        phases: 'all',
        plan_review: 'auto',
        auto_merge: true,
        poll: 1_000,
      },
      knowledge: { gate: 'never' },
    });
    const options = [
      '--tracker',
      'gh',
      '--headless',
      '--permissions',
      'workspace',
      '--no-discovery',
      '--yes',
    ];
    const run = ['run', '--issue', '7', ...options];
    const first = world.start(...run);
    const ended = first.done.then(({ stdout, stderr }) => {
      throw new Error(stdout.slice(-3_000) + stderr);
    });
    await Promise.race([ended, Promise.all([model.step('killed', 0), model.step('killed too', 0)])]);
    expect((await world.start('signal', 'PAUSE').done).code).toBe(0);
    // A person closes an issue of the first stream meanwhile.
    gh.run(['issue', 'close', '3', '--reason', 'not planned'], '');
    first.kill('SIGKILL');
    await expect(ended).rejects.toThrow();

    const second = world.start(...run);
    await second.waitFor(/\bpaused\b/);
    expect((await world.start('signal', 'RESUME').done).code).toBe(0);
    const conflicted = await second.done;
    expect(conflicted.code, conflicted.stdout.slice(-3_000) + conflicted.stderr).toBe(1);
    expect(conflicted.stdout).toMatch(/the merge commit cannot be cleanly created/);
    expect(stateOfPull('ralph/1')).toEqual(['MERGED']);
    expect(stateOfPull('ralph/5')).toEqual(['OPEN']);
    expect([5, 6].map(stateOf)).toEqual(['state:human-needed OPEN', 'state:human-needed OPEN']);

    // The person takes over what is merged, gives up the old branch, and lets both be done again.
    git(workspace, 'pull', '-q', '--ff-only');
    const old = pullRequests.find(({ branch }) => branch === 'ralph/5');
    if (old !== undefined) old.state = 'CLOSED';
    for (const id of ['5', '6'])
      expect((await world.start('issues', 'move', id, 'in-progress', '--tracker', 'gh').done).code).toBe(0);
    const third = await world.start(...run).done;
    expect(third.code, third.stdout.slice(-3_000) + third.stderr).toBe(0);
    expect(pullRequests.map(({ state }) => state).sort()).toEqual(['CLOSED', 'MERGED', 'MERGED']);
    expect(gh.issues.map(({ state, stateReason }) => `${state} ${stateReason}`)).toEqual(
      gh.issues.map(({ number }) => `CLOSED ${number === 3 ? 'NOT_PLANNED' : 'COMPLETED'}`),
    );
    expect(pullRequests.find(({ branch }) => branch === 'ralph/1')?.body.match(/Closes #\d/g)).toEqual(
      ['1', '2', '4'].map((id) => `Closes #${id}`),
    );
    const files = git(origin, 'ls-tree', '--name-only', 'main').trim().split('\n');
    expect(files.filter((file) => file.endsWith('.txt'))).toEqual([
      ...['1.txt', '2.txt', '4.fixed.txt', '4.txt', '5.txt', '6.txt', 'a.txt', 'notes.txt'],
    ]);
    expect(git(origin, 'show', 'main:notes.txt')).toBe('by the first stream\n');

    // Each task was done once in its session, but the one that the check sent back, and each document is linked once.
    for (const events of world.journals()) {
      const done = events.flatMap((event) =>
        event.type === 'task.qualified' && !String(event['task']).startsWith('implement-4')
          ? [event['task']]
          : [],
      );
      expect(new Set(done).size).toBe(done.length);
      expect(done).not.toContain('implement-3_stream');
      // That documents of the other stream are not committed yet is the only thing to say.
      const problems = events.filter(({ type }) => type === 'problem.found');
      expect(problems.filter((each) => !JSON.stringify(each).includes('"repository"'))).toEqual([]);
    }
    for (const { comments } of gh.issues) {
      const bodies = comments.map(({ body }) => body);
      expect(new Set(bodies).size).toBe(bodies.length);
    }
    expect({ problems: model.problems, left: model.left() }).toEqual({ problems: [], left: [] });
    expect(world.agents()).toEqual([]);
    // No worktree, branch of an attempt or file of a lock is left.
    expect(git(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git(workspace, 'branch', '--list', 'ralph-attempt/*')).toBe('');
    const overlay = join(workspace, '.ralph/issues/overlay');
    expect(readdirSync(overlay).filter((name) => name.includes('lock'))).toEqual([]);
  },
);
