import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

type Session = ReturnType<typeof createFlowSession>;

const checked = { loop: { ...defaultSettings.loop, verify: ['npm test'] } };

const ended = async (session: Session) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return session.settle(engine);
};

test('an implementation must pass the commands of the person on its branch: a failure is taken back, and the next attempt reads it', async () => {
  let runs = 0;
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: checked,
    program: () => {
      runs += 1;
      return runs === 1 ? { exit: 1, output: [{ text: '1 failing: greets nobody\n' }] } : {};
    },
  });
  expect(await ended(session)).toMatchObject({ exitCode: 0 });
  expect(session.spawn.started.map(({ command }) => command)).toEqual(['npm test', 'npm test']);
  expect(session.all('merge.rejected')).toMatchObject([{ task: 'implement-1' }]);
  const work = session.asked.filter(({ kind }) => kind === 'implement');
  expect(work).toHaveLength(2);
  expect(work[1]?.prompt).toContain('greets nobody');
  expect((await session.issue('1')).state).toBe('Done');
});

test('work that never passes them is in no pull request, and its issue stays in progress without a lock', async () => {
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: checked,
    program: () => ({ exit: 1 }),
  });
  expect((await ended(session)).exitCode).toBe(1);
  expect(session.all('result.recorded').map(({ task }) => task)).toEqual(['plan-1', 'review-1']);
  expect(await session.issue('1')).toMatchObject({ state: 'In Progress' });
  expect((await session.issue('1')).lock).toBeUndefined();
});

test('without such a command nothing is merged into the branch of the person, and the issue says how it can be', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
  });
  expect((await ended(session)).exitCode).toBe(1);
  const { state, comments } = await session.issue('1');
  expect(state).toBe('Human Needed');
  expect(comments.at(-1)?.body).toMatch(
    /No command shows that the work is good: set loop\.verify, or look at it and merge it with `git merge ralph\/.+`/,
  );
  expect(session.find('result.recorded', ({ task }) => task === 'merge-1')).toBeUndefined();
});
