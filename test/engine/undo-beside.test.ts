import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesPort, SessionChanges } from '../../src/changes/port.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

/** `side` is done at once, nobody builds on it, and `slow` works until the file "go" is there. `top` builds on `base` and on `slow`. */
const sessionIn = (isolation: 'worktree' | 'shared', meddle: (changes: SessionChanges) => SessionChanges) => {
  const world = changesWorld(template);
  const go = join(world.top, 'go');
  const changes: ChangesPort = {
    ...world.changes,
    open: async (opening) => {
      const opened = await world.changes.open(opening);
      return opened.ok ? { ok: true, value: meddle(opened.value) } : opened;
    },
  };
  const session = createRealSession(
    world.repo,
    `goal: Files
tasks:
  - {id: base, title: Base, files: [base.txt], run: ['echo 1 > base.txt']}
  - {id: side, title: Side, files: [side.txt], run: ['echo 1 > side.txt']}
  - {id: slow, title: Slow, files: [slow.txt], blockedBy: [base], run: ['until [ -e ${go} ]; do sleep 0.02; done; echo 1 > slow.txt']}
  - {id: top, title: Top, files: [top.txt], blockedBy: [base, slow], run: ['echo 1 > top.txt']}
`,
    {
      changes,
      settings: {
        isolation,
        changes: { at_end: 'keep' },
        planning: { max_cycles: 0 },
        knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      },
    },
  );
  const archived = (id: string) => session.event('signal.handled', (event) => event.id === id);
  const onBranch = (): string =>
    personGit(world.repo, 'ls-tree', '-r', '--name-only', 'ralph/260215-101500').replaceAll('\n', ' ');
  return { world, session, archived, onBranch, go: () => writeFileSync(go, '') };
};

const asItIs = (changes: SessionChanges): SessionChanges => changes;

/** Until `slow` works, when `base` and `side` are done. */
const atWork = async ({ session }: Pick<ReturnType<typeof sessionIn>, 'session'>): Promise<void> => {
  await session.event('task.started', ({ task }) => task === 'slow');
  await session.event('task.qualified', ({ task }) => task === 'side');
};

test('while others work, the session takes a task nobody built on off its branch and brings it back, at the word of a signal', async () => {
  const story = sessionIn('worktree', asItIs);
  const { session, archived, onBranch } = story;
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await atWork(story);
  const undone = session.publish({ type: 'UNDO', task: 'side' });
  const patch = (await session.event('changes.undone')).patch;
  expect(readFileSync(patch, 'utf8')).toContain('side.txt');
  expect((await archived(undone)).action_taken).toBe(`undone: side, side.txt; patch: ${patch}`);
  expect(onBranch()).not.toContain('side.txt');
  const redone = session.publish({ type: 'REDO', task: 'side', attempt: 1 });
  expect((await archived(redone)).action_taken).toBe('brought back: side, side.txt');
  expect(onBranch()).toContain('side.txt');
  session.publish({ type: 'UNDO', task: 'side' });
  await session.event('changes.undone', ({ seq }) => seq > (session.all('changes.redone')[0]?.seq ?? 0));
  const refused = session.publish({ type: 'UNDO', task: 'base' });
  expect((await session.event('signal.rejected', ({ id }) => id === refused)).reason).toBe(
    'the session has not ended, and slow, top build on base: cancel or retry base instead',
  );
  expect(session.all('task.qualified').map(({ task }) => task)).not.toContain('slow');
  story.go();
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  expect(onBranch()).toMatch(/base.txt slow.txt .*top.txt/);
  expect(onBranch()).not.toContain('side.txt');
});

test('in a shared workspace an undo waits for those who work, and nothing begins before it', async () => {
  const story = sessionIn('shared', asItIs);
  const { session, world, archived } = story;
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await atWork(story);
  const nothing = session.publish({ type: 'REDO', task: 'side' });
  await session.event('undo.asked');
  const second = session.publish({ type: 'UNDO', task: 'side' });
  expect((await session.event('signal.rejected', ({ id }) => id === second)).reason).toBe(
    'the redo of side is not finished yet: send this again once it is',
  );
  story.go();
  expect((await archived(nothing)).action_taken).toBe(
    'nothing was changed: no changes from side were undone',
  );
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  const order = session.events.map(({ type, ...event }) => `${type} ${'task' in event ? event.task : ''}`);
  const granted = order.indexOf('undo.granted side');
  expect(order.indexOf('attempt.snapshotted slow')).toBeLessThan(granted);
  expect(order.indexOf('task.started top')).toBeGreaterThan(granted);
  expect(existsSync(join(world.repo, 'side.txt'))).toBe(true);
});

test.each([
  ['before git moved anything', false],
  ['after git had moved everything', true],
])('an undo of the session that is cut off %s is completed by its next start', async (_when, isMoved) => {
  let deaths = 1;
  const story = sessionIn('worktree', (changes) => ({
    ...changes,
    undo: async (work) => {
      if (deaths-- < 1) return changes.undo(work);
      if (isMoved) await changes.undo(work);
      else work.began?.({ patch: '/p.patch', files: ['side.txt'] });
      throw new Error('the power went');
    },
  }));
  const { session, onBranch } = story;
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await atWork(story);
  session.publish({ type: 'UNDO', task: 'side' });
  expect((await engine.settled()).exitCode).not.toBe(0);
  expect(engine.state().changes.turning).toMatchObject({ way: 'undo', task: 'side' });
  story.go();
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await again.settled()).toMatchObject({ exitCode: 0 });
  expect(session.all('changes.undone').map(({ attempts }) => attempts)).toEqual([['side/1']]);
  expect(again.state().changes.turning).toBeNull();
  expect(onBranch()).not.toContain('side.txt');
});
