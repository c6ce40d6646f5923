import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { selectTasks } from '../../components/tasks/select-tasks.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { statusOf } from '../../src/cli/report/status-report.ts';
import { metadataSnapshot } from '../../src/engine/snapshots/metadata-snapshot.ts';
import { createProgressModel } from '../../src/engine/snapshots/progress-model.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { readSessions } from '../../src/session/session-list.ts';
import { formatProgress } from '../../src/tasks/progress-file.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createStory, task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('the screen, the status, the files and the list of sessions count a split task only in its parts', () => {
  const state = evolveAll(
    null,
    createStory()
      .begin()
      .tasks([task('plan-a'), task('plan-b'), task('part-1'), task('part-2'), task('again')])
      .wave(1, ['plan-b', 'part-1'])
      .starts('part-1')
      .qualifies('part-1')
      .starts('plan-b')
      .qualifies('plan-b')
      .add({ type: 'task.replaced', task: 'plan-a', by: ['part-1', 'part-2'] })
      .add({ type: 'task.replaced', task: 'plan-b', by: ['again'] }).events,
  );
  const paths = sessionPaths(tempDir(), '260215-101500');
  const clock = createManualClock();
  const layout = { layout: '2.2', ours: true, writable: true } as const;
  const report = statusOf(
    { state, paths, host: null, problems: [], layout },
    { signals: 0, feedback: 'none' },
  );
  const { done, total } = selectTasks({ session: state });
  expect({ done, total }).toEqual({ done: 1, total: 3 });
  expect(report.tasks).toMatchObject({ completed: 1, total: 3, pending: 2, cancelled: 0 });
  const progress = createProgressModel(clock)(state, []);
  expect(progress.iterations).toMatchObject([{ tasks: '1/3' }]);
  const files = {
    [paths.journal]: '',
    [paths.metadata]: metadataSnapshot({ clock, paths }).render(state, null, null),
    [paths.iteration(1).progress]: formatProgress(progress),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text ?? '');
  }
  expect(readSessions(createDisk(), paths.workspace).value).toMatchObject([{ tasks: { done: 1, total: 3 } }]);
});
