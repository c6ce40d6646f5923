import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { changesWorld, personGit, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const template = templateOfFile();

const worldWith = () => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.gitignore': 'bin/\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'ignore');
  return world;
};

const answers: Readonly<Record<string, unknown>> = {
  TASK_REVIEW: {
    status: 'completed',
    verdict: 'Qualified',
    reasoning: 'fine',
    criteria: [],
    actions: ['looked'],
    issues: [],
  },
  SESSION_REVIEW: { assessment: 'fine', goals_achieved: true, gaps: [] },
};

/** An agent with a model that works and reviews. */
const agent = (work: (workspace: string, task: string) => void): Backend => ({
  name: 'mine',
  label: 'an agent',
  model: { tools: false },
  start: (brief) => ({
    turn: async () => {
      if (brief.mode === 'IMPLEMENT') work(brief.workspace, brief.task?.id ?? '');
      return { kind: 'answered', answer: answers[brief.mode] ?? { status: 'completed' } };
    },
    stop: async () => {},
  }),
});

interface How {
  readonly plan: string;
  readonly work?: (workspace: string, task: string) => void;
  readonly settings?: Partial<Settings>;
}

const sessionIn = (world: ReturnType<typeof changesWorld>, { plan, work = () => {}, settings }: How) =>
  createRealSession(world.repo, plan, {
    changes: world.changes,
    backends: [agent(work)],
    isAgreed: () => true,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'keep' },
      roles: { executor: 'mine', reviewer: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      ...settings,
    },
  });

const ended = async (session: ReturnType<typeof sessionIn>, how: 'begin' | 'resume' = 'begin') => {
  const engine = session[how]();
  expect(await engine.start()).toBeNull();
  return engine.settled();
};

const checking = (verify: string): string =>
  `goal: Mend it\ntasks:\n  - {id: mend, title: Mend, files: [b.txt], verify: ['${verify}']}\n`;

const setUp = { ...defaultSettings.worktree, setup: ['mkdir -p bin; cp check.sh bin/check'] };

const plant = (workspace: string): void => {
  writeFileSync(join(workspace, 'b.txt'), 'still broken\n');
  writeFileSync(join(workspace, 'bin/check'), 'exit 0\n');
};

test.each([
  ['an agent reviews', { executor: 'mine', reviewer: 'mine' }],
  ['commands alone review', { executor: 'mine' }],
])('a check that the agent replaced where git ignores it proves nothing, where %s', async (_, roles) => {
  const world = worldWith();
  writeFiles(world.repo, { 'check.sh': 'grep -q mended b.txt\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'check');
  const settings = { roles, worktree: setUp };
  const session = sessionIn(world, { plan: checking('sh bin/check'), work: plant, settings });
  expect(await ended(session)).toMatchObject({ exitCode: 1 });
  expect(session.all('task.failed')).toMatchObject([
    { reason: expect.stringContaining('`sh bin/check` exited 1') },
  ]);
  expect(session.all('merge.landed')).toEqual([]);
});

test('verify runs once where an agent reviews and nothing was merged meanwhile, and twice where something was', async () => {
  const world = worldWith();
  const place = tempDir();
  const plan = `goal: Two files
tasks:
  - {id: one, title: One, files: [one.txt], verify: ['test -e one.txt && pwd >> ${place}/one']}
  - {id: two, title: Two, files: [two.txt], verify: ['test -e two.txt && pwd >> ${place}/two']}
`;
  const work = (workspace: string, task: string): void => writeFileSync(join(workspace, `${task}.txt`), 'x');
  expect(await ended(sessionIn(world, { plan, work }))).toMatchObject({ exitCode: 0 });
  const ran = ['one', 'two'].map((task) => readFileSync(join(place, task), 'utf8').trim().split('\n'));
  // The one that is merged first.
  expect(ran.map(({ length }) => length).toSorted()).toEqual([1, 2]);
  expect(ran.flat().filter((path) => !/\/check\.\d+$/.test(path))).toEqual([]);
});

const fourTasks = (verify: string): string =>
  `goal: Four files\nsettings: {concurrency: {max_parallel_executors: 1}}\ntasks:\n${['a', 'b', 'c', 'd'].map((id) => `  - {id: ${id}, title: ${id}, files: [${id}.txt], run: ['touch ${id}.txt'], verify: ['${verify}']}\n`).join('')}`;

test('worktree.setup runs once in each tree, not once for each merge, and worktree.teardown before the session stops', async () => {
  const world = worldWith();
  const place = tempDir();
  const worktree = {
    ...defaultSettings.worktree,
    setup: [`basename "$PWD" >> ${place}/up`],
    teardown: [`basename "$PWD" >> ${place}/down; test "$(basename "$PWD")" != check.0`],
  };
  const concurrency = { ...defaultSettings.concurrency, max_parallel_executors: 1, max_parallel_checks: 1 };
  const settings = { roles: {}, worktree, concurrency };
  const session = sessionIn(world, { plan: fourTasks('true'), settings });
  expect(await ended(session)).toMatchObject({ exitCode: 0 });
  const named = (file: string) => readFileSync(join(place, file), 'utf8').trim().split('\n').toSorted();
  expect(named('up')).toEqual(['a-1', 'b-1', 'c-1', 'check.0', 'd-1']);
  expect(named('down')).toEqual(named('up'));
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([
    expect.stringContaining('worktree.teardown failed: '),
  ]);
});

test('worktree.teardown runs in a check tree that a dead program left, when its session goes on', async () => {
  const world = worldWith();
  const place = tempDir();
  const worktree = {
    ...defaultSettings.worktree,
    setup: [`basename "$PWD" >> ${place}/up`],
    teardown: [`basename "$PWD" >> ${place}/down`],
  };
  const settings = { roles: {}, worktree };
  const plan = `goal: One file\ntasks:\n  - {id: a, title: A, files: [a.txt], run: ['touch a.txt'], verify: ['touch ${place}/began; test -e ${place}/go || sleep 60']}\n`;
  const first = sessionIn(world, { plan, settings });
  const engine = first.begin();
  expect(await engine.start()).toBeNull();
  await expect.poll(() => existsSync(join(place, 'began'))).toBe(true);
  await engine.quit('quit');
  await engine.settled();
  expect(existsSync(join(place, 'down'))).toBe(false);
  appendFileSync(join(place, 'go'), '');
  expect(await ended(first, 'resume')).toMatchObject({ exitCode: 0 });
  const named = (file: string) => readFileSync(join(place, file), 'utf8').trim().split('\n').toSorted();
  expect(named('up')).toEqual(['a-1', 'check.0', 'check.0']);
  expect(named('down')).toEqual(['a-1', 'check.0', 'check.0']);
});
