import { afterEach, describe, expect, test } from 'vitest';
import { expectGolden, openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const asked = (): Story =>
  twoSideBySide().add({
    type: 'question.asked',
    request: 'q1',
    text: 'Which form of address shall the Vietnamese greetings use? The schema allows both, and the tests none.',
    options: ['formal', 'informal'],
    invocation: null,
  });

const twoNeeds = (): Story =>
  asked().add({
    type: 'gate.opened',
    gate: 'knowledge',
    iteration: 1,
    deadline_ms: null,
    files: ['reference/schema.md'],
  });

const planned = (): Story =>
  createStory()
    .begin()
    .tasks([task('init', []), task('schema', ['init']), task('docs', ['schema'])])
    .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] });

const withSignals = (): Story => {
  const info = { type: 'INFO', target: 'ALL', message: 'The release is on Friday.' } as const;
  const steer = { type: 'STEER', target: 'Executor', task: 'docs', message: 'Only in English.' } as const;
  return twoSideBySide()
    .pending('i1', info, 'read at the next checkpoint')
    .claimed('i1', info, 'Executor', 'Executor.3.5')
    .handled('i1', info, 'Ralph-v2-Executor', 'joined the context', 'Executor.3.5')
    .pending('s1', steer, 'waits for the next Executor of docs')
    .pending('s2', { ...steer, message: 'And short.' }, 'waits for the next Executor of docs');
};

interface Scene {
  readonly name: string;
  readonly story: () => Story;
  readonly act: (screen: TestScreen) => Promise<void>;
}

const scenes: readonly Scene[] = [
  { name: 'needs-you', story: twoNeeds, act: (screen) => screen.press('u') },
  { name: 'question', story: asked, act: (screen) => screen.press('u', 'down') },
  { name: 'plan-gate', story: planned, act: (screen) => screen.press('u') },
  {
    name: 'plan-edited',
    story: planned,
    act: async (screen) => {
      await screen.press('u');
      const text = 'goal: g\ntasks:\n  - {id: init, title: Set up}\n  - {id: load, title: Load test}\n';
      screen.store.act({ type: 'plan-edited', text });
      await screen.settle();
    },
  },
  {
    name: 'plan-edited-wrong',
    story: planned,
    act: async (screen) => {
      await screen.press('u');
      const text = 'goal: g\ntasks:\n  - {id: init, title: Set up, blockedBy: [ghost]}\n';
      screen.store.act({ type: 'plan-edited', text });
      await screen.settle();
    },
  },
  { name: 'inbox', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'j') },
  { name: 'processed', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'tab') },
  { name: 'compose-edit', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'e') },
  { name: 'confirm-withdraw', story: withSignals, act: (screen) => screen.press('tab', 'tab', 'x') },
  { name: 'confirm-cancel', story: twoSideBySide, act: (screen) => screen.press('x') },
  { name: 'zoomed', story: twoSideBySide, act: (screen) => screen.press('1', 'z') },
];

const sizes = [
  [60, 20],
  [80, 24],
  [120, 36],
  [200, 50],
] as const;

describe.each(sizes)('at %ix%i', (columns, rows) => {
  test.each(scenes)('$name looks as it did', async (scene) => {
    const screen = await openScreen({ columns, rows, story: scene.story() });
    screens.push(screen);
    await scene.act(screen);
    expect(screen.rows().length).toBeLessThanOrEqual(rows);
    expectGolden(`${scene.name}.${columns}x${rows}`, screen.frame());
  });
});
