import { expect, test } from 'vitest';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

type Session = ReturnType<typeof createFlowSession>;

/** Plays a flow during whose plan `meddle` happens. */
const played = async (
  meddle: (session: Session) => Promise<void> | void,
  issues?: FlowSessionOptions['issues'],
) => {
  const session: Session = createFlowSession({
    issues: issues ?? { 1: 'state: ready-for-plan', 2: 'state: backlog' },
    start: { only: true, phases: 'few' },
    answers: async ({ kind }) => {
      if (kind === 'flow-plan') await meddle(session);
      return undefined;
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await session.settle(engine);
  return { session, end, said: session.all('problem.found').map(({ fault }) => fault.what) };
};

const file = (id: string): string => `/work/.ralph/issues/${id}.md`;

test('issues that an agent moves or makes as files are brought back and named, and its own work counts', async () => {
  const { session, end, said } = await played(({ disk }) => {
    disk.put(file('2'), '---\ntitle: Forged\nstate: ready-for-plan\n---\n');
    disk.put(file('3'), '---\ntitle: Planted\n---\n');
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect((await session.issue('2')).title).toBe('Issue 2');
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.disk.lstat(file('3'))).toBeNull();
  expect(said.map((what) => what.replace(/; the .*/, ''))).toEqual(
    expect.arrayContaining([
      'Executor-1 changed .ralph/issues/2.md; it was restored',
      'Executor-1 added .ralph/issues/3.md; it was removed',
    ]),
  );
});

test('a state that an agent writes into the file of its issue is never read', async () => {
  const { session, end } = await played(({ disk }) => {
    disk.put(file('1'), '---\ntitle: Issue 1\nstate: done\n---\n');
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(session.asked.map(({ task }) => task)).toEqual(['plan-1', 'review-1', 'implement-1']);
  expect((await session.issue('1')).state).toBe('In Review');
});

test('what a person does meanwhile with our commands stays', async () => {
  const { session, end, said } = await played(async ({ person }) => {
    await person.update('2', { state: 'Canceled' }, null);
    await person.comment('2', 'Not now.');
    await person.create({ title: 'Another' });
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(said).toEqual([]);
  expect(await session.issue('2')).toMatchObject({ state: 'Canceled', comments: [{ body: 'Not now.' }] });
  expect((await session.issue('3')).title).toBe('Another');
});

test('what only a person can do by hand, with the words of an issue or the whole of it, stays and is named', async () => {
  const { session, end, said } = await played(({ disk }) => {
    disk.put(file('1'), disk.text(file('1')).replace('The body', 'A better body'));
    disk.unlink(file('2'));
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).body).toContain('A better body');
  expect(session.disk.lstat(file('2'))).toBeNull();
  expect(said).toEqual([
    expect.stringMatching(/^\.ralph\/issues\/1\.md was edited while Executor-1 worked/),
    expect.stringMatching(/^\.ralph\/issues\/2\.md was deleted while Executor-1 worked/),
  ]);
});
