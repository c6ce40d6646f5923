import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createSimulatedBackend } from '../helpers/simulated-backend.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

const fillingPlan = `goal: Fill up
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('an ABORT whose end finds the disk full stays an ABORT: resumed with room again, nothing starts anew', async () => {
  const session = createSimulatedSession({ plan: fillingPlan, program: () => ({ runsMs: 600_000 }) });
  const engine = session.begin();
  const fill = (event: Event): void => {
    if (event.type !== 'session.stopped') return;
    session.watchers.delete(fill);
    session.disk.setSpace(0);
  };
  session.watchers.add(fill);
  await engine.start();
  await session.clock.advanceAsync(2_000);
  session.publish({ type: 'ABORT' });
  await session.settle(engine);
  expect(engine.state()).toMatchObject({ state: 'COMPLETE', status: 'aborted' });
  session.disk.setSpace(null);
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'aborted' });
});

const askingPlan = `goal: Ask
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('a session aborted while it asked a person stays aborted when it is opened again: nobody is asked any more', async () => {
  const session = createSimulatedSession({
    plan: askingPlan,
    livingBackends: (clock, otherwise) => [
      createSimulatedBackend({
        clock,
        seed: 1,
        otherwise,
        odds: { fails: 0, isBlocked: 0, crashes: 0, endsWithoutResult: 1 },
      }),
    ],
    settings: { roles: { executor: 'simulated' } },
  });
  const engine = session.begin();
  await engine.start();
  expect((await session.settle(engine)).reason).toMatch(/^gate: .* What now\?$/);
  session.publish({ type: 'ABORT' });
  const second = session.resume();
  await second.start();
  expect(await session.settle(second)).toMatchObject({ status: 'aborted' });
  const third = session.resume();
  expect(await third.start()).toBeNull();
  expect(await session.settle(third)).toMatchObject({ status: 'aborted' });
  expect(session.all('question.asked')).toHaveLength(1);
});

const shortPlan = `goal: End
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test.each(['completes', 'is aborted'] as const)(
  'a crash while a session %s, before the sweep of its mailbox, leaves no signal that waits for ever',
  async (how) => {
    for (let at = 1; ; at += 1) {
      const session = createSimulatedSession({ plan: shortPlan, program: () => ({ runsMs: 3_000 }) });
      const engine = session.begin();
      const crash = (event: Event): void => {
        if (event.type !== 'state.entered' || event.state !== 'COMPLETE') return;
        session.watchers.delete(crash);
        session.disk.crashAfter(at);
      };
      session.watchers.add(crash);
      await engine.start();
      await session.clock.advanceAsync(1_000);
      const id = session.publish({ type: 'INFO', target: 'Planner', message: 'for nobody' });
      if (how === 'is aborted') {
        await session.clock.advanceAsync(1_000);
        session.publish({ type: 'ABORT' });
      }
      const ended = await session.settle(engine).catch((error: unknown) => {
        if (!(error instanceof SimulatedCrash)) throw error;
        return null;
      });
      if (ended && !session.disk.crashed()) return;
      session.kill();
      const again = session.resume();
      expect(await again.start()).toBeNull();
      await session.settle(again);
      expect(again.state().signals.get(id)?.stage, `crash at operation ${at}`).toBe('undelivered');
    }
  },
);

const template = templateOfFile();

test('a branch that a person switched to meanwhile gets nothing unasked, is named, and the exit code says so', async () => {
  const world = changesWorld(template);
  const plan = `goal: Write
tasks: [{id: write, title: Write, files: [z.txt], run: ['echo z > z.txt']}]
`;
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'merge' },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  const switched = session
    .event('worktree.prepared')
    .then(() => personGit(world.repo, 'switch', '-q', '-c', 'side'));
  expect(await engine.start()).toBeNull();
  await switched;
  const refused =
    'side is checked out, but the session began on main: switch back, or choose again to use side.';
  expect(await engine.settled()).toMatchObject({
    exitCode: 1,
    status: 'completed',
    reason: `changes stay on ralph/260215-101500: ${refused}`,
  });
  expect(session.all('finish.refused')).toMatchObject([{ reason: refused }]);
  expect(personGit(world.repo, 'ls-tree', '--name-only', 'side')).not.toContain('z.txt');
});

test('a branch that is not merged because the configuration of git changed waits for a person to look', async () => {
  const world = changesWorld(template);
  const plan = 'goal: Write\ntasks: [{id: write, title: Write, files: [z.txt], run: ["echo z > z.txt"]}]\n';
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'merge' },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  engine.subscribe(({ type }) => {
    if (type === 'merge.landed') personGit(world.repo, 'config', 'core.sshCommand', 'theirs');
  });
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({
    exitCode: 3,
    status: 'completed',
    reason: expect.stringContaining('.git/config changed since the session began'),
  });
});

const create = () =>
  createSimulatedSession({ plan: 'goal: Begin\ntasks: [{id: a, title: A, run: [work a]}]\n' });
const neverBegan = {
  code: 'no-journal',
  what: 'this session ended before the first line of its journal was written, so there is nothing to resume',
};

test.each([
  ['is empty', ''],
  ['holds half a line', '{"type":"session.cre'],
])('a session of ours that was killed at its start, whose journal %s, is called ours', async (_how, text) => {
  const session = create();
  session.disk.put(session.paths.journal, text);
  expect(await session.resume().start()).toMatchObject(neverBegan);
});

test('the engine resumes no session whose journal lacks its first line', async () => {
  const session = create();
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  const lines = session.disk.text(session.paths.journal).split('\n');
  session.disk.put(session.paths.journal, lines.slice(1).join('\n'));
  expect(await session.resume().start()).toMatchObject({ code: 'journal-beginning' });
});

test('a session of ours that was killed with its lock and before its journal is called ours', async () => {
  const session = create();
  session.disk.mkdir(join(session.paths.directory, 'lock'));
  expect(await session.resume().start()).toMatchObject(neverBegan);
});

test('a session without anything of ours was run by another program', async () => {
  const session = create();
  expect(await session.resume().start()).toMatchObject({
    what: expect.stringContaining('run by another program'),
  });
});

const installPlan = `goal: Install it
tasks:
  - {id: install, title: Install, files: [a.txt], run: [uv sync]}
  - {id: after, title: After, files: [b.txt], blockedBy: [install], run: [work]}
`;

test.each([
  ['was not found', 127, 1],
  ['is not executable', 126, 1],
  ['failed', 1, 3],
])('a command that %s (exit %i) is given %i attempts', async (_what, exit, attempts) => {
  const session = createSimulatedSession({ plan: installPlan, program: () => ({ exit }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  expect(session.all('task.failed')).toHaveLength(attempts);
  expect(engine.state().status).toBe('awaiting_feedback');
});

test('a person may open it again once it is installed', async () => {
  const world = { exit: 127 };
  const session = createSimulatedSession({ plan: installPlan, program: () => ({ exit: world.exit }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  session.publish({ type: 'RETRY', task: 'install' });
  world.exit = 1;
  const again = session.resume();
  await again.start();
  await session.settle(again);
  expect(session.all('task.failed')).toHaveLength(4);
});

const modelPlan = `goal: Fill up
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test.each(['checkpoint.reached', 'task.started'] as const)(
  'no agent is called any more when the disk is found full at %s, just before the call',
  async (moment) => {
    const calls: string[] = [];
    const session = createSimulatedSession({
      plan: modelPlan,
      wrap: (backend) => ({
        ...backend,
        start: (brief, host) => {
          const worker = backend.start(brief, host);
          return {
            stop: (why) => worker.stop(why),
            turn: (ask, boundary) => {
              if (!engine.state().running) calls.push(brief.invocation);
              return worker.turn(ask, boundary);
            },
          };
        },
      }),
    });
    const engine = session.begin();
    const fill = (event: Event): void => {
      const isExecutor = event.type === 'checkpoint.reached' && event.agent === 'Executor';
      if (event.type === moment && (isExecutor || moment === 'task.started')) session.disk.setSpace(0);
    };
    session.watchers.add(fill);
    await engine.start();
    expect(await session.settle(engine)).toMatchObject({ status: 'blocked' });
    expect(calls).toEqual([]);
  },
);
