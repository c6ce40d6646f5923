import { expect, onTestFinished, test } from 'vitest';
import { scenes } from '../helpers/scenes/index.ts';
import { openScene } from '../helpers/scenes/scene.ts';

/** The frame of a scene twice: what is dimmed, and what is not. Without colours, which would not change it. */
const shades = async (name: string): Promise<{ readonly dim: string; readonly clear: string }> => {
  const scene = scenes.find((each) => each.name === name);
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  const screen = await openScene(scene, { columns: 120, rows: 36, theme: { colours: 'none' } });
  onTestFinished(screen.unmount);
  let dim = '';
  let clear = '';
  let isDim = false;
  for (const [, codes, text = ''] of screen.styled().ours.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    for (const code of codes?.split(';') ?? [])
      if (code === '2') isDim = true;
      else if (code === '0' || code === '' || code === '22') isDim = false;
    if (isDim) dim += text;
    else clear += text;
  }
  return { dim, clear };
};

test('a failure stands out: what is done, titles, times and plain facts are dimmed, the failure and what it stops are not', async () => {
  const { dim, clear } = await shades('failed-task');
  for (const text of ['failed: 1 of 14 tests failed', 'unreachable: english failed', '[Execute]', 'Wave 2'])
    expect(clear).toContain(text);
  for (const text of [
    'Set the workspace up',
    '0:10',
    '· iteration 1',
    'Wave 3',
    'Approve › Done',
    '2 Changes',
  ])
    expect(dim).toContain(text);
});

test('what waits for a person and what runs is not dimmed, and what waits for a task is', async () => {
  const { dim, clear } = await shades('needs-you');
  for (const text of ['Waiting for you: approve knowledge', 'Needs you (2)', 'running  0:22'])
    expect(clear).toContain(text);
  for (const text of ['waits for english, vietnamese', 'English greetings']) expect(dim).toContain(text);
});
