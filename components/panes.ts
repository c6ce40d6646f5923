import { changesPane } from './changes/pane.ts';
import { detailsPane } from './details/pane.ts';
import { eventsPane } from './events/pane.ts';
import { issuesPane } from './issues/pane.ts';
import { inboxPane, processedPane } from './mailbox/pane.ts';
import { outputPane } from './output/pane.ts';
import type { Pane } from './pane/pane.ts';
import { tasksPane } from './tasks/pane.ts';
import { timelinePane } from './timeline/pane.ts';
import type { ViewState } from './view.ts';

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
