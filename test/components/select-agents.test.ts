import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { selectAgents } from '../../components/tasks/select-agents.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';

/** A Codex that works on the task `a`. */
const working = () => {
  const story = createStory()
    .begin()
    .tasks([task('a', [])])
    .wave(1, ['a']);
  const of = { invocation: 'Executor-9', task: 'a', attempt: 1 };
  story
    .add({
      type: 'invocation.started',
      invocation: 'Executor-9',
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend: 'codex',
      cycle: 0,
      task: 'a',
      attempt: 1,
      messages: [],
    })
    .add({ type: 'agent.launched', ...of, program: 'codex-acp', marker: 'm', withheld: ['MY_API_KEY'] })
    .add({
      type: 'agent.connected',
      ...of,
      label: 'Codex',
      version: '2.6.0',
      session: 'abc',
      began: 'new',
      model: 'gpt-6',
      mode: 'read-only',
      reach: 'steering',
      resume_command: 'codex resume abc',
    })
    .add({ type: 'agent.usage-reported', ...of, used: 12_345, size: 200_000 })
    .add({ type: 'agent.context-compacted', ...of });
  const store = createStore({ clock: createManualClock(), evolve, connection: 'live' });
  store.load(story.events);
  return { view: store.getState(), now: { ms: story.now(), offset: 0 } };
};

test('the details of a task say which agent works on it, with its context, its session and how to open that outside', () => {
  const { view } = working();
  expect(selectAgents(view.session, 'a').map(({ text }) => text)).toEqual([
    'Agent for the Executor',
    'Codex 2.6.0 · model gpt-6 · mode read-only',
    'context 12,345 of 200,000 tokens (6%) · compacted 1 time',
    'its session abc',
    'outside: codex resume abc',
    'workspace: edits and runs commands in the workspace without asking',
    'not passed: MY_API_KEY; list it in agents.codex.pass_env to pass it',
    'also without asking: commands in its own read-only sandbox',
  ]);
  expect(selectAgents(view.session, 'b')).toEqual([]);
});
