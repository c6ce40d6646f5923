import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: One, run: [work one], verify: [check one]}
  - {id: two, title: Two, run: [work two], verify: [check two], blockedBy: [one]}
`;

/** A session whose agent edits the list of progress once, in task one, and then works a little. */
const edited = async (executor: 'mine' | 'script') => {
  const forge = (): void => {
    const { progress } = session.paths.iteration(1);
    const text = session.disk.text(progress);
    session.disk.put(progress, text.replace('- [ ] two', '- [x] two'));
  };
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: ({ task }) => ({
      turn: async () => {
        await new Promise<void>((resolve) => void session.clock.after(3_000, resolve));
        if (task?.id === 'one') forge();
        await new Promise<void>((resolve) => void session.clock.after(3_000, resolve));
        return { kind: 'answered', answer: { status: 'completed' } };
      },
      stop: async () => {},
    }),
  };
  const session = createSimulatedSession({
    plan,
    instructions: () => '# Mine',
    backends: [agent],
    program: ({ command }) => ({
      runsMs: 6_000,
      ...(String(command) === 'work one' ? { effect: forge } : {}),
    }),
    settings: {
      roles: { executor },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  return session;
};

test('a line that an agent sets to done is put back, kept beside, and its attempt has failed', async () => {
  const session = await edited('mine');
  expect(session.all('task.edited-by-hand')).toEqual([]);
  expect(session.all('task.failed').map(({ task, reason }) => `${task}: ${reason}`)).toEqual([
    'one: it changed or deleted .ralph-sessions/260215-101500/iterations/1/progress.md',
  ]);
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([
    expect.stringMatching(
      /^Executor-\d+ changed \.ralph-sessions\/260215-101500\/iterations\/1\/progress\.md; it was restored; the changed text is kept in /,
    ),
  ]);
  expect(session.all('task.qualified').map(({ task }) => task)).not.toContain('two');
});

test('where only commands work the same edit counts, as the seeds say', async () => {
  const session = await edited('script');
  expect(session.all('task.edited-by-hand')).toMatchObject([{ task: 'two', from: 'open', to: 'done' }]);
});
