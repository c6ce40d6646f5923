import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { widthOf } from '../../src/words/width.ts';
import { openScreen } from '../helpers/screen.tsx';
import { createStory, task, twoSideBySide } from '../helpers/story.ts';
import { draws } from '../helpers/test-form.ts';

const crowded = () => {
  const story = twoSideBySide();
  for (let line = 0; line < 120; line += 1)
    story.prints(
      'english',
      `進捗 ${line} e\u0301 \u{1F468}\u200d\u{1F469}\u200d\u{1F467} ${'█'.repeat(line)}\n`,
    );
  const steer = {
    type: 'STEER',
    target: 'Executor',
    task: 'english',
    message: '「こんにちは」の代わりに'.repeat(9),
  } as const;
  for (let id = 0; id < 20; id += 1) {
    story.pending(`in${id}`, steer, 'read when the command ends');
    story.handled(
      `out${id}`,
      { ...steer, message: 'x'.repeat(id * 9) },
      'Ralph-v2-Executor',
      'adjusted in place',
    );
  }
  return story
    .add({
      type: 'gate.opened',
      gate: 'knowledge',
      iteration: 1,
      deadline_ms: 1,
      files: ['知識/とても長いファイル名.md', 'b.md'],
    })
    .add({
      type: 'question.asked',
      kind: 'ask',
      request: 'q',
      text: '質問です。'.repeat(40),
      options: plainOptions(['はい', 'いいえ']),
      invocation: null,
    });
};
const many = () =>
  createStory()
    .begin('長い目標 '.repeat(30))
    .tasks(
      Array.from({ length: 300 }, (_, index) =>
        task(`t${index}`, index === 0 ? [] : [`t${Math.floor(index / 7)}`], {
          title: '題名 '.repeat(index % 9),
        }),
      ),
    );

const keys = [
  'tab',
  '1',
  '2',
  '3',
  '4',
  'j',
  'k',
  'G',
  'g',
  'pageup',
  'pagedown',
  'z',
  'enter',
  's',
  'i',
  'A',
  'u',
  '?',
  'q',
  'escape',
  'space',
  'a',
  'x',
  'r',
];

test('whatever is open, at any size from 60×20 to 300×100, no line is wider and no frame taller than the screen', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 60, max: 300 }),
      fc.integer({ min: 20, max: 100 }),
      fc.constantFrom(crowded, many, twoSideBySide, createStory),
      fc.array(fc.constantFrom(...keys), { maxLength: 6 }),
      async (columns, rows, story, pressed) => {
        const screen = await openScreen({ columns, rows, story: story() });
        try {
          await screen.press(...pressed);
          const lines = screen.rows();
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
        } finally {
          screen.unmount();
        }
      },
    ),
    draws(25),
  );
});

test('a resize is followed at once, down to sizes nobody would work with', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: crowded() });
  for (const [columns, rows] of [
    [60, 20],
    [300, 100],
    [40, 10],
    [20, 6],
    [80, 24],
  ] as const) {
    await screen.resize(columns, rows);
    expect(screen.rows().length).toBeLessThanOrEqual(rows);
    expect(Math.max(...screen.rows().map(widthOf))).toBeLessThanOrEqual(columns);
  }
  expect(screen.frame()).toContain('Tasks');
  screen.unmount();
});
