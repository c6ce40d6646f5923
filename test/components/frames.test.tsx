import { describe, expect, onTestFinished, test } from 'vitest';
import { widthOf } from '../../src/words/width.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { extremeSizes, goldenSizes, openScene, type Scene } from '../helpers/scenes/scene.ts';
import { expectGolden, type TestScreen } from '../helpers/screen.tsx';
import { isLongForm } from '../helpers/test-form.ts';

/** Whether the frame is drawn by Ink as well, which takes as long as all else. The short form does so at 80 and at 120 columns in turn, a scene at one of them. */
const isCompared = (scene: Scene, columns: number): boolean =>
  isLongForm || goldenSizes[scenes.indexOf(scene) % goldenSizes.length]?.[0] === columns;

const drawn = async (scene: Scene, columns: number, rows: number): Promise<TestScreen> => {
  const screen = await openScene(scene, { columns, rows });
  onTestFinished(screen.unmount);
  const lines = screen.rows();
  if (isCompared(scene, columns)) expect(lines).toEqual(screen.rowsByInk());
  expect(lines.length).toBeLessThanOrEqual(rows);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
  return screen;
};

describe.each(goldenSizes)('at %ix%i', (columns, rows) => {
  test.each(scenes)('$name looks as it did', async (scene) => {
    const screen = await drawn(scene, columns, rows);
    expectGolden(`${scene.name}.${columns}x${rows}`, screen.frame());
  });
});

/** One of each layout: lists and panes, columns, tables, an overlay with a field, a tall overlay, a graph, a strip of time, what an issue asks for, and an issue with its documents. */
const layouts = new Set([
  ...['two-side-by-side', 'start', 'help', 'permission-long', 'plan-gate', 'changes-side-by-side', 'issues'],
  ...['details', 'graph-40', 'timeline', 'end', 'inbox', 'wizard-avoid-3', 'setup-models'],
  ...['task-list', 'plan-review', 'flow-needs-person', 'issue-open'],
]);

test('every named layout is a scene', () => {
  expect(scenes.filter(({ name }) => layouts.has(name))).toHaveLength(layouts.size);
});

describe.each(extremeSizes)('at %ix%i', (columns, rows) => {
  test.each(scenes.filter(({ name }) => layouts.has(name)))('$name looks as it did', async (scene) => {
    const screen = await drawn(scene, columns, rows);
    expectGolden(`${scene.name}.${columns}x${rows}`, screen.frame());
  });

  // What fits a screen of 80 columns fits a larger one.
  test.runIf(isLongForm && columns < 80).each(scenes.filter(({ name }) => !layouts.has(name)))(
    '$name fits',
    async (scene) => {
      await drawn(scene, columns, rows);
    },
  );
});
