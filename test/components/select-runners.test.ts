import { expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { createStore } from '../../components/create-store.ts';
import { selectHeader } from '../../components/frame/select-header.ts';
import { selectNow } from '../../components/frame/select-now.ts';
import { selectRunnerLines } from '../../components/runners/runners-text.ts';
import { selectAgents } from '../../components/tasks/select-agents.ts';
import { selectRunners } from '../../components/tasks/select-runners.ts';
import { selectTasks } from '../../components/tasks/select-tasks.ts';
import { selectRoster } from '../../components/timeline/select-roster.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { Settings } from '../../src/session/settings.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

/** Codex works on the task `a` on the runner `gpu`. */
const story = (lost: boolean, claimed: number | null = null) => {
  const told = createStory()
    .begin()
    .tasks([task('a', []), task('b', [])])
    .wave(1, ['a', 'b'])
    .add({
      type: 'runner.reached',
      runner: 'gpu',
      program: 'ralph-tui 0.1.0',
      node: 'v24',
      cores: 8,
      free_bytes: 12.5 * 1_073_741_824,
      clock_difference_ms: -4_000,
      round_trip_ms: 63,
      agents: ['codex-acp'],
    })
    .add({
      type: 'invocation.started',
      invocation: 'Executor-9',
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend: 'codex',
      runner: 'gpu',
      cycle: 0,
      task: 'a',
      attempt: 1,
      messages: [],
    });
  const of = { invocation: 'Executor-9', task: 'a', attempt: 1 };
  told.add({ type: 'agent.launched', ...of, program: 'codex-acp', marker: 'm', withheld: [] });
  if (claimed !== null)
    told.add({ type: 'runner.claimed', runner: 'gpu', invocation: 'Executor-9', number: claimed });
  if (lost)
    told.add({
      type: 'runner.lost',
      runner: 'gpu',
      why: 'the connection ended',
      stops_at: '2026-02-15T10:30:00+00:00',
    });
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(told.events);
  const view = store.getState();
  const now = { ms: told.now(), offset: 0 };
  if (view.session === null) throw new Error('the story has a session');
  const settings = { ...view.session.settings, runners: { gpu: { ssh: 'gpu1', slots: 2 } } };
  return { view, now, session: { ...view.session, settings } };
};

test('work in a pool names its runner, and the window for how long that one has it', () => {
  const { view, now, session } = story(false, 7);
  const pool = { pool: 'env:RALPH_POOL_URL', queue: 'default', slots: 8 } as const;
  const placed = { ...session, settings: { ...session.settings, runners: { gpu: pool } } };
  const lines = selectRunnerLines(placed, now);
  expect(lines[1]).toBe('  pool, queue default · 1 of 8 slots');
  expect(lines.find((line) => line.includes('working: '))).toMatch(
    /^ {2}working: a \(codex, runner 7 for \d+:\d\d\)$/u,
  );
  expect(selectTasks(view).lines.get('a')?.word).toBe('starting @gpu/7');
});

test('the row, the roster and the details say on which runner an agent works, and what that machine has', () => {
  const { view, now, session } = story(false);
  expect(selectRoster(view, now).map(({ agent }) => agent)).toEqual(['codex @gpu']);
  expect(selectTasks(view).lines.get('a')?.word).toBe('starting @gpu');
  expect(selectAgents(session, 'a').map(({ text }) => text)).toContain('works on the runner gpu');
  expect(selectRunners(session).map(({ text }) => text)).toEqual([
    'Runners',
    'gpu: ssh gpu1 · 1 of 2 slots · round trip 63 ms · 12.5 GB free · clock 4 s behind · codex-acp',
  ]);
  expect(selectNow(view, now).text).not.toContain('unreachable');
});

test('the Runners window lists what works on each runner and what waits for a slot of it', () => {
  const { now, session } = story(true);
  const placed = { ...session, settings: { ...session.settings, on: { all: 'gpu' } } };
  const lines = selectRunnerLines(placed, now).join('\n');
  expect(lines).toMatch(
    /^gpu\n {2}ssh gpu1 · 1 of 2 slots\n {2}unreachable since \S+: the connection ended/u,
  );
  expect(lines).toContain('ralph-tui 0.1.0 · Node v24 · 8 cores');
  expect(lines).toContain('working: a (codex)');
  expect(lines).toContain('waiting for this runner: b');
  expect(selectRunnerLines(session, now).join('\n')).not.toContain('waiting for it');
});

test('the window opens from the palette, where a session without runners says why it does not', () => {
  const { view, session } = story(false);
  const command = commands.find(({ id }) => id === 'look.runners');
  expect(command?.available({ ...view, session })).toBe(true);
  expect(command?.available(view)).toBe(true);
  const unused = { ...session, runners: new Map(), settings: { ...session.settings, runners: {} } };
  expect(command?.available({ ...view, session: unused })).toBe('No runner is configured');
});

test('the header names what the fence of a working agent does not hold', () => {
  const { view, now, session } = story(false);
  const unfenced = (runners: Settings['runners']) =>
    selectHeader({ ...view, session: { ...session, settings: { ...session.settings, runners } } }, now)
      .unfenced;
  const fence = { sandbox: 'bwrap', slots: 1, hosts: [], tools: [] } as const;
  expect(unfenced({ gpu: { ...fence, network: 'on' } })).toMatch(/^not restricted: network, memory/u);
  expect(unfenced({ gpu: { ...fence, network: 'model' } })).toMatch(/^not restricted: its model, memory/u);
  expect(unfenced({ gpu: { ...fence, network: 'none' } })).toMatch(
    /^not restricted: memory, disk, processes/u,
  );
  expect(unfenced({ gpu: { ssh: 'gpu1', slots: 2 }, jail: { ...fence, network: 'on' } })).toBe('');
});

test('a runner that is not reached is said first, with when its agents stop by themselves', () => {
  const { view, now, session } = story(true);
  expect(selectNow(view, now).text).toMatch(
    /^Runner gpu has been unreachable since \d\d:\d\d: its agents keep working until .*10:30$/,
  );
  expect(selectRunners(session).map(({ kind }) => kind)).toContain('bad');
});
