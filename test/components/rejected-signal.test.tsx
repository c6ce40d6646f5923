import { expect, onTestFinished, test } from 'vitest';
import { paneKeys, shortTabTitle } from '../helpers/pane-key.ts';
import { openScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

test('a rejected signal stays counted until Processed was looked at, and covers no key', async () => {
  const story = twoSideBySide();
  const screen = await openScreen({ columns: 80, rows: 24, story });
  onTestFinished(screen.unmount);
  expect(screen.frame()).toContain(`${shortTabTitle('inbox')} ${shortTabTitle('processed')}`);
  const keys = screen.rows().at(-1);
  expect(keys).toMatch(/p pause .*\? help.*q quit/);
  const before = story.events.length;
  story.pending('s1', { type: 'INFO', target: 'ALL', message: 'hello' }).add({
    type: 'signal.rejected',
    id: 's1',
    file: 'signal.260215-031500Z-s1.yaml',
    reason: 'has an unknown type, INFORM; use one of INFO, STEER, PAUSE, RESUME, ABORT and so on',
  });
  for (const event of story.events.slice(before)) screen.store.dispatch(event);
  screen.clock.advance(100);
  await screen.settle();
  expect(screen.rows().at(-3)).toContain('Rejected: has an unknown type, INFORM');
  expect(screen.rows().at(-2)).toContain('and so on');
  expect(screen.rows().at(-1)).toBe(keys);
  expect(screen.frame()).toContain('Past !1');
  await screen.press('j', 'k', '?', 'escape');
  expect(screen.frame()).not.toContain('Rejected:');
  expect(screen.frame()).toContain('Past !1');
  await screen.press(...paneKeys('processed'));
  expect(screen.frame()).toMatch(/\[(\d )?(Past|Processed)\]/);
  expect(screen.frame()).toContain('rejected: has an unknown type');
  await screen.press(...paneKeys('output'));
  expect(screen.frame()).not.toContain('!1');
});

test('what was rejected before the screen opened is not counted', async () => {
  const story = twoSideBySide()
    .pending('s1', { type: 'INFO', target: 'ALL', message: 'hello' })
    .add({ type: 'signal.rejected', id: 's1', file: 'signal.260215-031500Z-s1.yaml', reason: 'odd' });
  const screen = await openScreen({ columns: 80, rows: 24, story });
  onTestFinished(screen.unmount);
  expect(screen.frame()).not.toContain('!1');
});

test('a rejected file that was no signal stands in Processed with its reason, in full with Enter', async () => {
  const story = twoSideBySide();
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  const before = story.events.length;
  story.add({ type: 'signal.rejected', id: null, file: 'note.yaml', reason: 'has an unknown type, INFORM' });
  for (const event of story.events.slice(before)) screen.store.dispatch(event);
  screen.clock.advance(100);
  await screen.settle();
  expect(screen.frame()).toMatch(/Processed.* 1 rejected/);
  expect(screen.frame()).toContain('rejected: has an unknown type');
  await screen.press(...paneKeys('processed'), 'enter');
  expect(screen.frame()).toMatch(/File +note\.yaml[\s\S]*rejected: has an unknown type, INFORM/);
  await screen.press('escape');
  expect(screen.frame()).not.toContain('1 rejected');
});
