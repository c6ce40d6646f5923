import { type TaskList, taskListOverlay } from '../../../components/start/start-list.ts';
import type { ReadyGroup } from '../../issues/ready-groups.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { askOnScreen } from './ask-on-screen.ts';
import { offerOf } from './start-issue.ts';

/** Shows every task of a run for an issue on a screen of its own. True when the person starts it. */
export const askTaskList = async (
  cli: Cli,
  world: World,
  workspace: string,
  { issue, list }: { readonly issue: string; readonly list: TaskList },
): Promise<boolean> => {
  const start = { what: 'issue', issue, agent: null, listed: true } as const;
  const overlay = taskListOverlay(list, { type: 'start', start });
  const started = await askOnScreen(cli, world, workspace, overlay, ({ type }) => type === 'start' || null);
  return started === true;
};

/** Offers the ready groups on a screen of its own. Resolves with the chosen issue, or `null` when the person left. */
export const askReadyGroup = (
  cli: Cli,
  world: World,
  workspace: string,
  groups: readonly ReadyGroup[],
): Promise<string | null> =>
  askOnScreen(
    cli,
    world,
    workspace,
    { kind: 'ready-groups', groups: groups.map(offerOf), cursor: 0 },
    (intent) => (intent.type === 'start' && intent.start.what === 'issue' ? intent.start.issue : null),
  );
