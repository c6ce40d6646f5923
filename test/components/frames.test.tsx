import { describe, expect, onTestFinished, test } from 'vitest';
import { scenes } from '../helpers/scenes/index.ts';
import { goldenSizes, openScene } from '../helpers/scenes/scene.ts';
import { expectGolden } from '../helpers/screen.tsx';

describe.each(goldenSizes)('at %ix%i', (columns, rows) => {
  test.each(scenes)('$name looks as it did', async (scene) => {
    const screen = await openScene(scene, { columns, rows });
    onTestFinished(screen.unmount);
    expect(screen.rows().length).toBeLessThanOrEqual(rows);
    expectGolden(`${scene.name}.${columns}x${rows}`, screen.frame());
  });
});
