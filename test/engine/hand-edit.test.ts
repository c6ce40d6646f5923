import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Edit
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a], verify: [check a]}
  - {id: b, title: B, blockedBy: [a], files: [b.txt], run: [work b], verify: [check b]}
  - {id: c, title: C, blockedBy: [b], files: [c.txt], run: [work c], verify: [check c]}
`;

const createSession = () => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => ({
      runsMs: 20_000,
      effect: () => session.disk.put(`/work/${String(command).split(' ')[1]}.txt`, 'done'),
    }),
  });
  const progress = session.paths.iteration(1).progress;
  const edit = (path: string, change: (text: string) => string) =>
    session.disk.put(path, change(session.disk.text(path)));
  return { ...session, progress, edit };
};

const atWork = async (session: ReturnType<typeof createSession>) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  while (!session.find('process.started')) await session.clock.advanceAsync(100);
  await session.clock.advanceAsync(1_000);
  return engine;
};

test('a task that a person marks as done is taken over, with the text around it', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.edit(session.progress, (text) =>
    text.replace('- [ ] b', '- [x] b').replace('# Progress', '# Progress\n\nI did b myself.'),
  );
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.all('task.edited-by-hand')).toMatchObject([{ task: 'b', from: 'open', to: 'done' }]);
  expect(session.all('command.started').map(({ command }) => command.cmd)).not.toContain('work b');
  expect(session.disk.text(session.progress)).toContain('I did b myself.');
  expect(session.disk.text(session.progress)).toMatch(/\[x\] c \(/);
});

test('an edit made while no engine ran is taken over at the next start', async () => {
  const session = createSession();
  const engine = await atWork(session);
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
  session.edit(session.progress, (text) => text.replace('- [ ] b', '- [C] b'));
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'awaiting_feedback' });
  expect(session.all('task.edited-by-hand')).toMatchObject([{ task: 'b', from: 'open', to: 'cancelled' }]);
  expect(again.state().tasks.get('c')?.status).toBe('open');
});

test('a crash is no edit: what the file did not know yet is not taken for a change of a person', async () => {
  const session = createSession();
  await atWork(session);
  session.kill();
  const again = session.resume();
  await Promise.all([again.start(), session.clock.advanceAsync(3_000)]);
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(session.all('task.edited-by-hand')).toEqual([]);
  expect(session.all('metadata.edited-by-hand')).toEqual([]);
});

test('two changes of the same task: the session is held, and both texts are kept', async () => {
  const session = createSession();
  const engine = session.begin();
  const progress = session.progress;
  session.watchers.add((event) => {
    // Between our last write and the next, the task is finished here and cancelled there.
    if (event.type === 'command.ended' && event.task === 'a')
      session.edit(progress, (text) => text.replace('- [/] a', '- [C] a'));
  });
  expect(await engine.start()).toBeNull();
  for (let wait = 0; engine.state().hold?.stage !== 'paused' && wait < 100; wait += 1)
    await session.clock.advanceAsync(1_000);
  expect(engine.state().hold?.message).toContain('a became review here and cancelled in the file');
  const kept = session.disk
    .tree(session.paths.iteration(1).directory)
    .filter((path) => path.includes('.yours-'));
  expect(kept).toHaveLength(1);
  expect(session.disk.text(kept[0] ?? '')).toContain('- [C] a');
  session.publish({ type: 'RESUME' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.disk.text(progress)).toMatch(/- \[x\] a \(/);
});

test('metadata.yaml: comments and unknown keys survive, a state set by hand is taken over', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.edit(session.paths.metadata, (text) => `# mine\n${text}note: keep me\n`);
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  const text = session.disk.text(session.paths.metadata);
  expect(text).toContain('# mine');
  expect(text).toContain('note: keep me');
  expect(text).toContain('status: completed');
  expect(session.all('metadata.edited-by-hand')).toMatchObject([{ key: 'note', value: 'keep me' }]);
});

test('metadata.yaml: comments and unknown keys survive a restart too, in the record of the iteration as well', async () => {
  const session = createSession();
  const engine = await atWork(session);
  const iteration = session.paths.iteration(1).metadata;
  for (const path of [session.paths.metadata, iteration])
    session.edit(path, (text) => `# mine\n${text}note: keep me\n`);
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(session.disk.text(session.paths.metadata)).toMatch(/^# mine\n.*status: completed.*note: keep me/s);
  expect(session.disk.text(iteration)).toMatch(/^# mine\n.*completed_at: "?2.*note: keep me/s);
});

test('metadata.yaml that cannot be read any more is kept beside a new one', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.disk.put(session.paths.metadata, 'status: [broken\n');
  await session.clock.advanceAsync(25_000);
  expect(engine.state().hold).not.toBeNull();
  session.publish({ type: 'RESUME' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.disk.text(session.paths.metadata)).toContain('status: completed');
  expect(
    session.disk.tree(session.paths.directory).filter((path) => path.includes('metadata.yaml.yours-')),
  ).toHaveLength(1);
});

test('a note that a person adds to a task stays there through every change of it, and through a restart', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.edit(session.progress, (text) => text.replace(/^(- \[\/\] a \([^)]*)\)/m, '$1, ask kim first)'));
  expect(session.disk.text(session.progress)).toContain(', ask kim first)');
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(25_000);
  expect(session.disk.text(session.progress)).toMatch(/a \(.*Paused by signal\..*\)/);
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
  const again = session.resume();
  expect(await again.start()).toBeNull();
  session.publish({ type: 'RESUME' });
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  const [line = ''] = session.disk.text(session.progress).match(/^- \[x\] a .*$/m) ?? [];
  expect(line).toContain('ask kim first');
  expect(line).not.toContain('Paused by signal');
});

test('an unknown mark is put back, and a problem names its line', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.edit(session.progress, (text) => text.replace('- [ ] b', '- [z] b'));
  const line =
    session.disk
      .text(session.progress)
      .split('\n')
      .findIndex((each) => each.startsWith('- [z] b')) + 1;
  await session.clock.advanceAsync(5_000);
  expect(session.disk.text(session.progress)).toMatch(/^- \[ \] b/m);
  expect(session.all('problem.found').map(({ fault }) => fault)).toEqual([
    expect.objectContaining({
      what: 'the marker of b is not one of [ ] [/] [P] [x] [F] [C]',
      where: `iterations/1/progress.md:${line}`,
      hint: 'the previous mark will be restored',
    }),
  ]);
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
});
