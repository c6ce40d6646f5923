import type { ReactNode } from 'react';
import type { PlaceName } from '../../src/store/panes/index.ts';
import type { PaneProps } from '../parts/pane-props.ts';
import { ChangesPane } from './ChangesPane.tsx';
import { DetailsPane } from './DetailsPane.tsx';
import { EventsPane } from './EventsPane.tsx';
import { IssuesPane } from './IssuesPane.tsx';
import { OutputPane } from './OutputPane.tsx';
import { InboxPane, ProcessedPane } from './SignalsPane.tsx';
import { TasksPane } from './TasksPane.tsx';
import { TimelinePane } from './TimelinePane.tsx';

/** The components that draw the panes of `src/store/panes`. None is called while its pane is empty. */
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
