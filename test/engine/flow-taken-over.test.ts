import { expect, test } from 'vitest';
import { heldChanges } from '../../src/engine/changes/held-changes.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import { createSimulatedGit } from '../helpers/simulated-git.ts';
import { createSimulatedChanges } from '../helpers/simulated-session-changes.ts';

test('a program whose session another one took over writes nothing more into the tracker, though its step is under way', async () => {
  const posted: string[] = [];
  let takenOver = false;
  const session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    tracker: (tracker) => ({
      ...tracker,
      show: async (id) => {
        const shown = await tracker.show(id);
        if (takenOver || !session.disk.tree('/work').some((path) => path.includes('thoughts/'))) return shown;
        // The old program has read the issue, and the new one does the same step before it goes on.
        takenOver = true;
        session.elsewhere();
        const second = session.resume(true);
        expect(await second.start()).toBeNull();
        while (posted.length === 0) await new Promise<void>((go) => void session.clock.after(100, go));
        return shown;
      },
      comment: (id, body) => {
        posted.push(body.split('\n')[0] ?? '');
        return tracker.comment(id, body);
      },
    }),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(60_000);
  expect(takenOver).toBe(true);
  expect(posted).toEqual([...new Set(posted)]);
});

test('nor does it change anything in git', async () => {
  const disk = createSimulatedDisk();
  disk.mkdir('/work');
  const parts = {
    disk,
    clock: { ...createManualClock(), after: now },
    git: createSimulatedGit(),
    random: createSeededRandom(1),
  };
  const opened = await createSimulatedChanges(parts, 'one').open({
    workspace: '/work',
    session: 'one',
    isolation: 'worktree',
    copy: [],
    patches: '/patches',
    secrets: [],
  });
  if (!opened.ok) throw new Error(opened.fault.what);
  let isOurs = true;
  const changes = heldChanges(opened.value, () => isOurs);
  const attempt = { task: 'a', attempt: 1 };
  expect(await changes.prepare(attempt)).toMatchObject({ ok: true });
  isOurs = false;
  expect(await changes.clean(attempt)).toMatchObject({ ok: false, fault: { code: 'lock-lost' } });
  expect(await changes.merge(attempt)).toMatchObject({ kind: 'refused' });
  isOurs = true;
  expect(await changes.prepare(attempt)).toMatchObject({ ok: true, value: { existed: true } });
});

const other = { machine: 'here', workspace: '/work', session: '260216-101500' };

test('a parent that another session works on stays where it is when its children have arrived, and the others roll up', async () => {
  const session = createFlowSession({
    issues: {
      1: 'state: in-progress\nparent: "8"',
      8: `state: plan-in-progress\nparent: "9"\nlock: {holder: ${JSON.stringify(other)}, since: ""}`,
      9: 'state: in-progress',
    },
    start: { issue: '1', phases: 'few' },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).state).toBe('In Review');
  const held = await session.issue('8');
  expect([held.state, held.lock?.holder?.session]).toEqual(['Plan in Progress', '260216-101500']);
});

test('an issue that another session took meanwhile is not moved by the result of this one', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: in-progress' },
    start: { phases: 'few' },
    answers: ({ kind }) =>
      kind === 'implement'
        ? session.person.update('1', { lock: { holder: other, since: '' } }, null).then(() => undefined)
        : undefined,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const held = await session.issue('1');
  expect([held.state, held.lock?.holder?.session]).toEqual(['In Progress', '260216-101500']);
});

/** Git that takes no time. */
const now = (_ms: number, run: () => void): (() => void) => {
  queueMicrotask(run);
  return () => {};
};
