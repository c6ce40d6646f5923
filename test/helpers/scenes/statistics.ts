import { formatStatistics } from '../../../src/cli/report/format-statistics.ts';
import { createStatistics } from '../../../src/observability/statistics/statistics.ts';
import type { TestScreen } from '../screen.tsx';
import { twoSideBySide } from '../story.ts';
import { ended } from './arriving.ts';
import type { Scene } from './scene.ts';

/** The numbers of two sessions. */
const openStatistics = async (screen: TestScreen): Promise<void> => {
  const statistics = createStatistics((ms) => new Date(ms).toISOString().slice(0, 10));
  for (const { events } of [ended(), twoSideBySide()]) {
    statistics.begin();
    for (const event of events) statistics.take(event);
  }
  const lines = formatStatistics(statistics.result()).split('\n');
  screen.store.act({ type: 'overlay-opened', overlay: { kind: 'statistics', lines, top: 0 } });
  await screen.settle();
};

export const statisticsScenes: readonly Scene[] = [
  {
    name: 'statistics',
    story: twoSideBySide,
    options: { connection: 'stopped' },
    act: openStatistics,
  },
];
