import { expect, test } from 'vitest';
import { createStore } from '../../components/create-store.ts';
import { inBackground, summary } from '../../src/cli/report/summary.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory } from '../helpers/story.ts';

test('what is to be typed next can be typed in a workspace of any name', () => {
  const said = (workspace: string) => inBackground(sessionPaths(workspace, '260215-101500'), 7);
  expect(said("/work/Anna's plans")).toContain(
    "cd '/work/Anna'\\''s plans' && ralph-tui attach 260215-101500",
  );
  expect(said('/work/plans')).toContain('cd /work/plans && ralph-tui attach 260215-101500');
});

test.each([
  ['merge', 'ralph/1, merged into your branch'],
  ['squash', 'ralph/1, squashed onto your branch'],
  ['keep', 'on ralph/1; to take the changes'],
] as const)('the summary says where the changes are after %s', (how, words) => {
  const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
  const story = createStory()
    .add({ type: 'changes.opened', branch: 'ralph/1', base: 'a', directory: '/state/own' })
    .add({ type: 'attempt.merged', task: 'left', attempt: 1, commit: 'b', before: 'a', files: [] })
    .add({ type: 'changes.finished', how, branch: 'ralph/1' });
  store.load(story.events);
  const request = { paths: sessionPaths('/work', '260215-101500'), flags: {} };
  const end = { status: 'completed', reason: 'done', exitCode: 0, unverified: [] } as const;
  expect(summary(request, end, store.getState().session, null)).toContain(`  changes  ${words}`);
});
