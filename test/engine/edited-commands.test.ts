import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Mend
tasks:
  - {id: build, title: Build, run: [wrong one]}
`;

/** The first attempt runs a wrong command; before the second somebody edits the task's file. */
const createSession = (attended: boolean, isAgreed = (_file: string): boolean => false) => {
  const session = createSimulatedSession({
    plan,
    isAgreed,
    attended,
    program: ({ command }) => ({ exit: String(command) === 'right one' ? 0 : 1 }),
  });
  const engine = session.begin();
  const file = session.paths.iteration(1).task('build');
  const edit = (command: string): void =>
    session.disk.put(file, session.disk.text(file).replace('- wrong one', `- ${command}`));
  const commands = (): readonly unknown[] => session.all('command.started').map(({ command }) => command.cmd);
  return { ...session, engine, file, edit, commands };
};

const untilAsked = async (session: ReturnType<typeof createSession>): Promise<string> => {
  for (let wait = 0; session.engine.state().permissions.size === 0 && wait < 200; wait += 1)
    await session.clock.advanceAsync(100);
  return [...session.engine.state().permissions.keys()][0] ?? '';
};

test('a command that was edited in the task file runs at the next attempt once a person on the screen agrees', async () => {
  const session = createSession(true);
  session.watchers.add((event) => {
    if (event.type === 'task.failed') session.edit('right one');
  });
  expect(await session.engine.start()).toBeNull();
  const request = await untilAsked(session);
  expect(session.find('permission.asked')).toMatchObject({
    kind: 'task-file',
    title: 'iterations/1/tasks/build.md was edited: run its commands',
    diffs: [{ path: 'run', before: 'wrong one', after: 'right one' }],
  });
  expect(session.commands()).toEqual(['wrong one']);
  expect(session.engine.permit({ request, decision: 'once', by: 'kim' })).toBeNull();
  for (let wait = 0; session.all('task.qualified').length === 0 && wait < 200; wait += 1)
    await session.clock.advanceAsync(100);
  expect(session.commands()).toEqual(['wrong one', 'right one']);
  expect(session.all('task.commands-edited')).toMatchObject([{ task: 'build', run: [{ cmd: 'right one' }] }]);
});

test('after a no the command from before runs, and the same edit is not asked about again', async () => {
  const session = createSession(true);
  session.watchers.add((event) => {
    if (event.type === 'task.failed') session.edit('right one');
  });
  expect(await session.engine.start()).toBeNull();
  const request = await untilAsked(session);
  session.engine.permit({ request, decision: 'no', by: 'kim' });
  for (let wait = 0; session.all('task.failed').length < 3 && wait < 200; wait += 1)
    await session.clock.advanceAsync(1_000);
  expect(session.commands()).toEqual(['wrong one', 'wrong one', 'wrong one']);
  expect(session.all('permission.asked')).toHaveLength(1);
});

test('a command that a person typed on a screen runs unasked, also where nobody watches', async () => {
  const session = createSession(
    false,
    (file) => file === '.ralph-sessions/260215-101500/iterations/1/tasks/build.md',
  );
  session.watchers.add((event) => {
    if (event.type !== 'task.failed') return;
    session.edit('right one');
  });
  expect(await session.engine.start()).toBeNull();
  for (let wait = 0; session.all('task.qualified').length === 0 && wait < 200; wait += 1)
    await session.clock.advanceAsync(100);
  expect(session.commands()).toEqual(['wrong one', 'right one']);
  expect(session.all('permission.asked')).toEqual([]);
});

test('without a person an edited command is not taken over, and a sentence says so', async () => {
  const session = createSession(false);
  session.watchers.add((event) => {
    if (event.type === 'task.failed') session.edit('right one');
  });
  expect(await session.engine.start()).toBeNull();
  expect(await session.settle(session.engine)).toMatchObject({ exitCode: 1 });
  expect(session.commands()).not.toContain('right one');
  expect(session.all('finding.noted').map(({ text }) => text)).toContain(
    'the edited commands in iterations/1/tasks/build.md are not used: only a person on the screen that runs the session can confirm them',
  );
});

test('an edit that is no command is named with its fault, and the command from before runs', async () => {
  const session = createSession(true);
  session.watchers.add((event) => {
    if (event.type === 'task.failed') session.edit('{cmd: 7}');
  });
  expect(await session.engine.start()).toBeNull();
  for (let wait = 0; session.all('task.failed').length < 3 && wait < 200; wait += 1)
    await session.clock.advanceAsync(1_000);
  expect(session.commands()).toEqual(['wrong one', 'wrong one', 'wrong one']);
  expect(session.all('finding.noted')[0]?.text).toMatch(
    /^the edit of iterations\/1\/tasks\/build\.md is not used: build\.md:\d+: .*run/,
  );
});

test('an edit after which the front matter cannot be read is named with its fault: nobody is asked whether no command may run', async () => {
  const session = createSession(true);
  session.watchers.add((event) => {
    if (event.type === 'task.failed') session.edit('"wrong');
  });
  expect(await session.engine.start()).toBeNull();
  for (let wait = 0; session.all('task.failed').length < 3 && wait < 200; wait += 1)
    await session.clock.advanceAsync(1_000);
  expect(session.all('permission.asked')).toEqual([]);
  expect(session.commands()).toEqual(['wrong one', 'wrong one', 'wrong one']);
  expect(session.all('finding.noted')[0]?.text).toMatch(/^the edit of \S+ is not used: build\.md:\d+: /);
});
