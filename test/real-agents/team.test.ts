import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Lane } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { completeHome } from './agents.ts';
import { heldWork, plan, pr, research, researched, review, silent, work } from './flow-lanes.ts';
import { foreignLane, startForeignGemini } from './foreign-gemini.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { allInstalled, modelServer } from './world.ts';

/** Issues 1 and 2 are one stream, 3 to 6 the other. Both streams write `notes.txt`. */
const fileOf = (id: number): string => (id < 3 ? 'a' : 'b');
const first = { '2.txt': 'two', 'notes.txt': 'by the first stream' };

const lanes: readonly Lane[] = [
  foreignLane([{ '4.txt': 'four' }, { '5.txt': 'five' }]),
  research('1', 'a'),
  plan('plan-1_stream:'),
  review('review-1_stream:', 'NEEDS_ITERATION'),
  plan('plan-1_stream_r2:'),
  review('review-1_stream_r2:', 'APPROVED'),
  plan('plan-3_stream:'),
  review('review-3_stream:', 'APPROVED'),
  work('implement-1_stream:', { '1.txt': 'one' }),
  silent('killed', 'implement-2_stream:'),
  heldWork('the other stream is merged', 'implement-2_stream:', first),
  heldWork('one executor', 'implement-3_stream:', { '3.txt': 'three' }),
  work('implement-6_stream:', { '6.txt': 'six', 'notes.txt': 'by the second stream' }),
  pr('pr-3_stream:'),
  pr('pr-1_stream:'),
  // After the conflict: the same issues once more, on what is merged by then.
  work('implement-1', { '1.txt': 'one' }),
  work('implement-2', { '2.txt': 'two' }),
  pr('pr-1'),
];

const issueFile = (id: string): string => `.ralph/issues/${id}.md`;

/** Six issues in `.ralph/issues`. All but the first were researched before. */
const prepare = ({ workspace }: ProgramWorld): void => {
  const put = (path: string, text: string): void => {
    mkdirSync(join(workspace, path, '..'), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  put(issueFile('7'), '---\ntitle: Six files\nstate: backlog\n---\nPlease.\n');
  for (const id of [1, 2, 3, 4, 5, 6]) {
    const state = id === 1 ? 'research-needed' : 'ready-for-plan';
    const blockers = id === 1 || id === 3 ? '' : `"${id - 1}"`;
    put(
      issueFile(String(id)),
      `---\ntitle: Write ${id}\nstate: ${state}\nestimate: S\nparent: "7"\nblockedBy: [${blockers}]\n---\nPlease.\n`,
    );
    if (id > 1) put(...researched(String(id), fileOf(id)));
  }
  put('.gitignore', '.ralph-sessions/\n.ralph/\n');
  git(workspace, 'config', 'user.name', 'kim');
  git(workspace, 'config', 'user.email', 'kim@host');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'Research');
};

const agentSchema = z.object({ pid: z.number() });

const statusSchema = z.object({
  team: z.array(z.looseObject({ worker: z.string(), state: z.string(), why: z.string() })),
});

test.skipIf(!allInstalled(gemini, codex))(
  'a team of Gemini and Codex, with a Gemini of another program, takes six issues in two streams to a merge, over a rejected plan, kill -9 of both, PAUSE, and a conflict',
  async () => {
    const world = createProgramWorld();
    const { workspace } = world;
    prepare(world);
    const model = await modelServer(...lanes);
    const order = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await world.start(...args).done;
      expect(code, `${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
      return stdout;
    };
    const heard = (type: string, fits: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
      expect
        .poll(() => world.events().filter((event) => event.type === type), { interval: 100 })
        .toContainEqual(expect.objectContaining(fits));
    await completeHome(codex, join(world.home, codex.name), model.url);
    world.configure({
      isolation: 'worktree',
      agents: {
        gemini: realEntry(gemini, world.home, model.url),
        codex: realEntry(codex, world.home, model.url),
      },
      roles: { executor: 'gemini', reviewer: 'script' },
      flow: { agents: { builder: 'codex' }, phases: 'all', plan_review: 'auto', auto_merge: true },
      loop: { verify: ['test -n "$(ls)"'] },
      retries: { backoff: [0] },
      knowledge: { gate: 'never' },
    });
    const run = ['run', '--issue', '7', '--mode', 'team', '--headless', '--permissions', 'workspace'];
    const team = world.start(...run, '--no-discovery', '--yes');
    const ended = team.done.then(({ stdout, stderr }) => {
      throw new Error(stdout.slice(-3_000) + stderr);
    });
    const story = async (): Promise<void> => {
      const foreign = await startForeignGemini(world, model.url);
      await model.step('killed', 0);
      // One executor is at work, for ever: what gets free in the other stream is for the other program.
      await order('signal', 'SET', '--set', 'concurrency.max_parallel_executors=1');
      await heard('settings.changed');
      model.release('one executor');
      foreign.work();
      await heard('question.asked', { request: 'join:builder-3' });
      await order('answer', 'join:builder-3', '--option', 'in');
      await heard('task.claimed', { task: 'implement-6_stream', worker: 'builder-3' });
      await model.step('foreign', 7);
      await foreign.kill();
      await heard('worker.left', { worker: 'builder-3' });
      await order('signal', 'PAUSE');
      const { pid } = agentSchema.parse(
        world
          .events()
          .findLast(({ type, task }) => type === 'agent.process-started' && task === 'implement-2_stream'),
      );
      process.kill(pid, 'SIGKILL');
      await team.waitFor(/\bpaused\b/);
      const { team: roster } = statusSchema.parse(JSON.parse(await order('status', '--json')));
      expect(roster.filter(({ state }) => state === 'left').map(({ worker }) => worker)).toEqual([
        'builder-3',
      ]);
      await order('signal', 'SET', '--set', 'concurrency.max_parallel_executors=2');
      await order('signal', 'RESUME');
      await heard('task.qualified', { task: 'merge-3_stream' });
      model.release('the other stream is merged');
    };
    await Promise.race([ended, story()]);
    ended.catch(() => undefined);
    const conflicted = await team.done;
    expect(conflicted.code, conflicted.stdout.slice(-3_000) + conflicted.stderr).toBe(1);
    const stateOf = (id: string): string => /^state: (.*)$/m.exec(world.read(issueFile(id)))?.[1] ?? '';
    expect(['1', '2', '3', '4', '5', '6'].map(stateOf)).toEqual([
      ...['human-needed', 'human-needed', 'done', 'done', 'done', 'done'],
    ]);

    // The person lets the stream that came too late be done again.
    for (const id of ['1', '2']) await order('issues', 'move', id, 'in-progress');
    const again = await world.start(...run, '--no-discovery', '--yes').done;
    expect(again.code, again.stdout.slice(-3_000) + again.stderr).toBe(0);
    expect(['1', '2', '3', '4', '5', '6', '7'].map(stateOf)).toEqual(Array(7).fill('done'));
    const files = git(workspace, 'ls-tree', '--name-only', 'main').trim().split('\n');
    expect(files.filter((file) => file.endsWith('.txt'))).toEqual([
      ...['1.txt', '2.txt', '3.txt', '4.txt', '5.txt', '6.txt', 'a.txt', 'notes.txt'],
    ]);
    expect(git(workspace, 'show', 'main:notes.txt')).toBe('by the second stream\n');
    // Documents of the run that conflicted are not on a branch: the session says so, and they are the person's to commit.
    expect(git(workspace, 'status', '--porcelain').replaceAll(/^\?\? thoughts\/.*\n/gm, '')).toBe('');

    for (const events of world.journals()) {
      const of = (type: string) => events.filter((event) => event.type === type);
      const done = of('task.qualified').map(({ task }) => task);
      expect(new Set(done).size).toBe(done.length);
      // No message assigns a task, and whoever joined is in the roster once, and has left.
      expect(of('worker.messaged')).toEqual([]);
      const joined = [
        ...of('team.formed').flatMap(({ workers }) => z.array(z.object({ name: z.string() })).parse(workers)),
        ...of('worker.knocked'),
      ].map(({ name }) => name);
      expect(
        of('worker.left')
          .map(({ worker }) => worker)
          .sort(),
      ).toEqual(joined.sort());
      const problems = of('problem.found').filter((each) => !JSON.stringify(each).includes('"repository"'));
      expect(problems).toEqual([]);
    }
    // Nothing is left but the branches of the streams: no process, worktree, branch of an attempt or of a session's reading tasks, or lock.
    expect(world.agents()).toEqual([]);
    expect(git(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    const branches = git(workspace, 'branch', '--format=%(refname:short)').trim().split('\n');
    const ofStreams = /^ralph\/(1|1-\d+-\d+-1|3)$/;
    expect(branches.filter((branch) => branch !== 'main' && !ofStreams.test(branch))).toEqual([]);
    for (const name of readdirSync(join(workspace, '.ralph/issues')))
      expect(readFileSync(join(workspace, '.ralph/issues', name), 'utf8')).not.toMatch(/^lock:/m);
    expect({ problems: model.problems, left: model.left() }).toEqual({ problems: [], left: [] });
  },
);
