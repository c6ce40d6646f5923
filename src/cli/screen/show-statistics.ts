import type { Store } from '../../../components/create-store.ts';
import { formatStatistics, leftOut } from '../report/format-statistics.ts';
import { readStatistics } from '../report/read-statistics.ts';
import type { World } from '../world.ts';

/** Counts the sessions of a workspace and opens the window with the numbers. */
export const showStatistics = async (
  world: World,
  workspace: string,
  store: Pick<Store, 'act'>,
): Promise<null> => {
  const { found, foreign, conversations } = await readStatistics(world, workspace);
  const lines = [
    ...formatStatistics(found, conversations).split('\n'),
    ...(foreign === 0 ? [] : ['', `  ${leftOut(foreign)}`]),
  ];
  store.act({ type: 'overlay-opened', overlay: { kind: 'statistics', lines, top: 0 } });
  return null;
};
