import type { ViewState } from '../view.ts';
import { changesPane } from './changes.ts';
import { detailsPane } from './details.ts';
import { eventsPane } from './events.ts';
import { issuesPane } from './issues.ts';
import { outputPane } from './output.ts';
import type { Pane } from './pane.ts';
import { inboxPane, processedPane } from './signals.ts';
import { tasksPane } from './tasks.ts';
import { timelinePane } from './timeline.ts';

/** Every pane, in the order of titles, tabs and digits. */
const list = [
  tasksPane,
  outputPane,
  changesPane,
  detailsPane,
  eventsPane,
  timelinePane,
  issuesPane,
  inboxPane,
  processedPane,
] as const;

export type PlaceName = (typeof list)[number]['name'];
export type TabName = Extract<(typeof list)[number], { kind: 'tab' }>['name'];

export const panes: readonly Pane<PlaceName>[] = list;

/** The tabs on the right, in the order of their digits. */
export const tabNames: readonly TabName[] = list.flatMap((pane) => (pane.kind === 'tab' ? [pane.name] : []));

export const isTab = (name: string): boolean => tabNames.some((tab) => tab === name);

/** The pane with this name, or the first one. */
export const paneNamed = (name: string): Pane<PlaceName> =>
  panes.find((pane) => pane.name === name) ?? tasksPane;

/** The pane that receives keys. */
export const focusedPane = ({ ui }: ViewState): Pane<PlaceName> =>
  paneNamed(ui.focus === 'right' ? ui.tab : ui.focus);
