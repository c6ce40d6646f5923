import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { example } from '../../src/agents/profiles/example.ts';
import { withOutput } from '../../src/cli/session/journal-feed.ts';
import { createWorld } from '../../src/cli/world.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { acpBackend } from '../helpers/acp-backend.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const leavingPlan = `goal: Leave something behind
tasks:
  - {id: first, title: First, files: [first.txt], run: [make first]}
  - {id: second, title: Second, files: [second.txt], run: [make second], blockedBy: [first]}
`;

test('an ABORT that the program did not live to carry out stops at the next start what commands that ended long ago have left behind', async () => {
  const session = createSimulatedSession({
    plan: leavingPlan,
    program: ({ command }) =>
      String(command).includes('first')
        ? { survivors: 1, effect: () => session.disk.put('/work/first.txt', 'made') }
        : { runsMs: 'forever' },
  });
  void session.begin().start();
  const isSecondAtWork = () => session.find('command.started', ({ task }) => task === 'second');
  while (!isSecondAtWork()) await session.clock.advanceAsync(100);
  expect(session.spawn.running()).toHaveLength(2);
  let crashes = 0;
  let left: readonly number[] | null = null;
  session.watchers.add((event) => {
    // The line is written and flushed; what follows from it is not.
    if (event.type === 'abort.requested' && crashes++ === 0) session.disk.crashAfter(3);
    if (event.type === 'session.stopped') left = session.spawn.running();
  });
  session.publish({ type: 'ABORT' });
  while (!session.disk.crashed()) await session.clock.advanceAsync(100);
  session.disk.restart();
  session.kill('disk-lives-on');
  const engine = session.resume();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ status: 'aborted', exitCode: 130 });
  // Not only a moment later: who reads that it was aborted may rely on it.
  expect(left).toEqual([]);
});

const template = templateOfFile();

test('commands that failed half way run again on a fresh worktree, and what they left is named and kept', async () => {
  const world = changesWorld(template);
  const plan = `goal: Move a file
tasks:
  - {id: move, title: Move, files: [z.txt], run: ['git mv a.txt z.txt', 'echo $RALPH_ATTEMPT > try.txt', 'test $RALPH_ATTEMPT = 2']}
`;
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'keep' },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event('worktree.prepared', ({ attempt }) => attempt === 2);
  const left = session.all('worktree.prepared')[0]?.directory ?? '';
  expect(readFileSync(join(left, 'try.txt'), 'utf8')).toBe('1\n');
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  expect(session.all('problem.found').map(({ fault }) => fault)).toContainEqual({
    code: 'begun-afresh',
    what: 'move starts over, because its commands would otherwise run on the half-done work of attempt 1',
    hint: `it is kept in ${left} until move is done; \`ralph-tui diff move --attempt 1\` shows it`,
  });
  const branch = 'ralph/260215-101500';
  expect(personGit(world.repo, 'diff', '--name-status', '-M', 'main', branch)).toBe(
    'A\ttry.txt\nR100\ta.txt\tz.txt\n',
  );
  expect(personGit(world.repo, 'show', `refs/ralph/260215-101500/move/1/after:try.txt`)).toBe('1\n');
});

const recoverPlan = `goal: Recover
tasks:
  - {id: only, title: Only, files: [only.txt], run: [make only]}
`;

/** A session whose program was killed at work; the command it left behind goes only after the grace. */
const crashed = async () => {
  let watched = 0;
  const session = createSimulatedSession({
    plan: recoverPlan,
    program: () => ({ runsMs: 'forever', ignoresTerm: true }),
    watchMailbox: () => {
      watched += 1;
      return () => {
        watched -= 1;
      };
    },
  });
  void session.begin().start();
  while (!session.find('command.started')) await session.clock.advanceAsync(100);
  session.kill();
  watched = 0;
  session.events.length = 0;
  expect(session.spawn.running()).toHaveLength(1);
  return { session, watched: () => watched };
};

test('who leaves while a crashed session is being recovered leaves nothing behind: no process, no watcher, no attempt that was begun for nothing', async () => {
  const { session, watched } = await crashed();
  const engine = session.resume();
  const starting = engine.start();
  const quitting = engine.quit('quit');
  const end = await session.settle(engine);
  expect(end).toMatchObject({ status: 'paused', reason: 'quit', exitCode: 4, unverified: [] });
  await session.clock.advanceAsync(60_000);
  expect(await starting).toBeNull();
  await quitting;
  expect(watched()).toBe(0);
  expect(session.spawn.running()).toEqual([]);
  expect(session.spawn.started).toHaveLength(1);
  expect(session.events.map(({ type }) => type).filter((type) => type !== 'snapshot.written')).toEqual([
    'session.started',
    'processes.stopped',
    'invocation.interrupted',
    'task.interrupted',
    'session.stopped',
  ]);
  expect(session.find('processes.stopped')).toMatchObject({ reason: 'recovery', unverified: [] });
  expect(session.disk.text(session.paths.metadata)).toMatch(/status: paused[\s\S]*stop_reason: quit/);
});

const toolCall = {
  sessionUpdate: 'tool_call',
  toolCallId: 'c',
  title: 'Read a.txt',
  kind: 'read',
  status: 'completed',
};

test('the words of an agent whose attempt has ended are there again, between its tool calls, when its session is opened later', async () => {
  const { command, args } = createScriptedAgent(tempDir(), {
    turns: [
      {
        again: true,
        actions: [
          { do: 'say', text: 'I look.\n' },
          { do: 'update', update: toolCall },
          { do: 'say', text: '{"status": "completed", "summary": ["It works."]}\n' },
        ],
      },
    ],
  });
  const session = createRealSession(tempDir(), 'goal: x\ntasks: [{id: t, title: T, objective: Look}]\n', {
    backends: [acpBackend({ ...example, command: [command, ...args] })],
    settings: { roles: { executor: 'example' }, permissions: 'all' },
    isAgreed: () => true,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const world = createWorld();
  const { events } = readJournal(world.disk, session.paths.journal, 0);
  const executor = events.find((event) => event.type === 'invocation.started' && event.role === 'Executor');
  const of = executor?.type === 'invocation.started' ? executor.invocation : '';
  const shown = withOutput(world, session.paths, events).flatMap((event) =>
    event.type === 'output.written' && event.invocation === of
      ? [event.text]
      : event.type === 'tool.started' || event.type === 'reply.ended'
        ? [event.type]
        : [],
  );
  expect(shown).toEqual([
    'I look.\n',
    'tool.started',
    '{"status": "completed", "summary": ["It works."]}\n',
    'reply.ended',
  ]);
});

const elsewherePlan = `goal: Go elsewhere
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('a program whose session goes on on another machine touches nothing any more, not even a signal that nobody can use', async () => {
  const session = createSimulatedSession({ plan: elsewherePlan, program: () => ({ runsMs: 30_000 }) });
  const first = session.begin();
  await first.start();
  await session.clock.advanceAsync(2_000);
  session.elsewhere();
  const second = session.resume(true);
  expect(await second.start()).toBeNull();
  // It lies there before either of them looks again; the first looks first.
  const id = session.publish({ type: 'ANSWER', request: 'none', option: 'yes' });
  const state = session.publish({ type: 'SET', set: { 'concurrency.max_parallel_executors': 2 } });
  await session.clock.advanceAsync(5_000);
  expect(await first.settled()).toMatchObject({ status: 'blocked' });
  await session.settle(second);
  const { events, problems } = readJournal(session.disk, session.paths.journal);
  expect(problems).toEqual([]);
  expect(events.filter((event) => event.type === 'signal.rejected')).toMatchObject([{ id }]);
  expect(events.filter((event) => event.type === 'signal.handled')).toMatchObject([{ id: state }]);
  expect(session.disk.readdir(`${session.paths.signals}/claimed`)).toEqual([]);
});

test('a claim that the journal knows nothing of comes to an end that the journal knows', async () => {
  const session = createSimulatedSession({ plan: elsewherePlan, program: () => ({ runsMs: 30_000 }) });
  const first = session.begin();
  await first.start();
  await session.clock.advanceAsync(2_000);
  session.elsewhere();
  const second = session.resume(true);
  await second.start();
  const id = session.publish({ type: 'ANSWER', request: 'none', option: 'yes' });
  await session.clock.advanceAsync(5_000);
  expect(second.state().signals.get(id)?.stage).toBe('rejected');
});
