import type { ReactNode } from 'react';
import { ChangesPane } from './changes/Pane.tsx';
import { DetailsPane } from './details/Pane.tsx';
import { EventsPane } from './events/Pane.tsx';
import { IssuesPane } from './issues/Pane.tsx';
import { InboxPane, ProcessedPane } from './mailbox/Pane.tsx';
import { OutputPane } from './output/Pane.tsx';
import type { PaneProps } from './pane/pane-props.ts';
import type { PlaceName } from './panes.ts';
import { TasksPane } from './tasks/Pane.tsx';
import { TimelinePane } from './timeline/Pane.tsx';

/** The components that draw the panes of `panes.ts`. None is called while its pane is empty. */
export const drawings: { readonly [name in PlaceName]: (props: PaneProps) => ReactNode } = {
  tasks: TasksPane,
  output: OutputPane,
  changes: ChangesPane,
  details: DetailsPane,
  events: EventsPane,
  timeline: TimelinePane,
  issues: IssuesPane,
  inbox: InboxPane,
  processed: ProcessedPane,
};
