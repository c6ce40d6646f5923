import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { type GuidanceItem, noGuidance } from '../../src/session/guidance/guidance.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

const plan = (order: string): string => `goal: Ship it
tasks:
  - {id: one, title: One, verify: ['true']}
  - {id: two, title: Two, ${order}verify: ['true']}
`;
const inOrder = 'blockedBy: [one], ';
const silent = { kind: 'answered', answer: { status: 'completed' } } as const;
const at = (path: string): string => join('/work', path);

/** A whole session whose agent does `work` in each task and says nothing of it. */
const sessionWith = async (
  order: string,
  work: (disk: SimulatedDisk, task: string) => Promise<void> | void,
  forbidden: readonly GuidanceItem[] = [{ path: 'gen/**' }, { path: '.env' }],
  asks = false,
) => {
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false, ...(asks ? { asks: true } : {}) },
    start: ({ task }) => ({
      turn: async () => {
        await work(session.disk, task?.id ?? '');
        return silent;
      },
      stop: async () => {},
    }),
  };
  const session = createSimulatedSession({
    plan: plan(order),
    settings: {
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
    guidance: { ...noGuidance, forbidden },
    instructions: () => '# Mine',
    backends: [agent],
  });
  const { disk } = session;
  for (const path of ['gen/a.txt', '.env', 'src/a.ts']) {
    disk.mkdir(dirname(at(path)));
    disk.put(at(path), 'before');
  }
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const failed = session.all('task.failed').map(({ task, reason }) => `${task}: ${reason}`);
  const said = session
    .all('problem.found')
    .flatMap(({ fault }) => (fault.code === 'forbidden-change' ? [fault.what] : []));
  const unenforced = session
    .all('problem.found')
    .flatMap(({ fault }) => (fault.code === 'not-enforced' ? [fault.what] : []));
  const back = session
    .all('problem.found')
    .flatMap(({ fault }) => (fault.code === 'forbidden-file' ? [fault.what] : []));
  const read = (path: string): string | null => (disk.lstat(at(path)) ? disk.text(at(path)) : null);
  return { failed, said, unenforced, back, read };
};

const inOne = (work: (disk: SimulatedDisk) => void) => (disk: SimulatedDisk, task: string) => {
  if (task === 'one') work(disk);
};

test.each([
  { did: 'changes', path: 'gen/a.txt', work: (disk: SimulatedDisk) => disk.put(at('gen/a.txt'), 'after') },
  { did: 'deletes', path: 'gen/a.txt', work: (disk: SimulatedDisk) => disk.unlink(at('gen/a.txt')) },
  { did: 'adds', path: 'gen/b.txt', work: (disk: SimulatedDisk) => disk.put(at('gen/b.txt'), 'new') },
  { did: 'changes', path: '.env', work: (disk: SimulatedDisk) => disk.put(at('.env'), 'A=1') },
])(
  'an agent that $did $path and says nothing of it fails the attempt, and the file is as it was',
  async ({ path, work }) => {
    const { failed, said, back, read } = await sessionWith(inOrder, inOne(work));
    expect(read(path)).toBe(path === 'gen/b.txt' ? null : 'before');
    expect(back).toEqual([
      expect.stringMatching(
        new RegExp(`^Executor-\\d+ (changed|deleted|added) ${path}; it was (restored|removed)`),
      ),
    ]);
    expect(failed).toEqual([
      expect.stringMatching(`^one: ${path} must not be changed: the person's guidance forbids`),
    ]);
    expect(said).toEqual([]);
  },
);

test('other files, reading, and writing the same bytes are no violation', async () => {
  const { failed, said } = await sessionWith(
    inOrder,
    inOne((disk) => {
      disk.put(at('src/a.ts'), 'after');
      disk.put(at('gen/a.txt'), disk.text(at('gen/a.txt')));
    }),
  );
  expect([failed, said]).toEqual([[], []]);
});

test('of two agents side by side nobody can tell who did it: both are named once, and no attempt fails', async () => {
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const { failed, said, back, read } = await sessionWith('', async (disk, task) => {
    begun += 1;
    if (begun === 2) both.resolve();
    await both.promise;
    if (task === 'one') disk.put(at('gen/a.txt'), 'after');
  });
  expect(failed).toEqual([]);
  expect([back, read('gen/a.txt')]).toEqual([[], 'after']);
  expect(said).toEqual([
    expect.stringMatching(/^gen\/a\.txt changed while Executor-\d+, Executor-\d+ worked/),
  ]);
});

test('what an agent that asks for no permission cannot be held to is said once', async () => {
  const items = ['Docs', { path: 'gen/**' }, { command: 'git push' }];
  const { unenforced } = await sessionWith(inOrder, () => {}, items);
  expect(unenforced).toEqual([
    'path:gen/**, command:git push: not enforced for mine, which does not ask for permission',
  ]);
  expect((await sessionWith(inOrder, () => {}, items, true)).unenforced).toEqual([]);
  expect((await sessionWith(inOrder, () => {}, ['Docs'])).unenforced).toEqual([]);
});
