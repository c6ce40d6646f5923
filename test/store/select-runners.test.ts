import { expect, test } from 'vitest';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createStore } from '../../src/store/create-store.ts';
import { selectNow } from '../../src/store/session/select-now.ts';
import { selectAgents } from '../../src/store/tasks/select-agents.ts';
import { selectRunners } from '../../src/store/tasks/select-runners.ts';
import { selectRoster } from '../../src/store/timeline/select-roster.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

/** Codex works on the task `a` on the runner `gpu`. */
const story = (lost: boolean) => {
  const told = createStory()
    .begin()
    .tasks([task('a', [])])
    .wave(1, ['a'])
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

test('the roster and the details say on which runner an agent works, and what that machine has', () => {
  const { view, now, session } = story(false);
  expect(selectRoster(view, now).map(({ agent }) => agent)).toEqual(['codex @gpu']);
  expect(selectAgents(session, 'a').map(({ text }) => text)).toContain('works on the runner gpu');
  expect(selectRunners(session).map(({ text }) => text)).toEqual([
    'Runners',
    'gpu: ssh gpu1 · 1 of 2 slots · round trip 63 ms · 12.5 GB free · clock 4 s behind · codex-acp',
  ]);
  expect(selectNow(view, now).text).not.toContain('unreachable');
});

test('a runner that is not reached is said first, with when its agents stop by themselves', () => {
  const { view, now, session } = story(true);
  expect(selectNow(view, now).text).toMatch(
    /^Runner gpu is unreachable since \d\d:\d\d: its agents work on until .*10:30$/,
  );
  expect(selectRunners(session).map(({ kind }) => kind)).toContain('bad');
});
