import type { ReactNode } from 'react';
import type { PlaceName } from '../../src/store/mouse.ts';
import type { PaneProps } from '../parts/pane-props.ts';
import { ChangesPane } from './ChangesPane.tsx';
import { DetailsPane } from './DetailsPane.tsx';
import { EventsPane } from './EventsPane.tsx';
import { OutputPane } from './OutputPane.tsx';
import { InboxPane, ProcessedPane } from './SignalsPane.tsx';
import { TasksPane } from './TasksPane.tsx';

export interface PaneEntry {
  readonly name: PlaceName;
  readonly title: string;
  /** Where many titles share one line. */
  readonly short: string;
  readonly Pane: (props: PaneProps) => ReactNode;
}

/** Everything that can fill a place on the screen, in the order of titles and tabs. */
export const panes: readonly PaneEntry[] = [
  { name: 'tasks', title: 'Tasks', short: 'Tasks', Pane: TasksPane },
  { name: 'output', title: 'Output', short: 'Output', Pane: OutputPane },
  { name: 'changes', title: 'Changes', short: 'Diff', Pane: ChangesPane },
  { name: 'details', title: 'Details', short: 'Details', Pane: DetailsPane },
  { name: 'events', title: 'Events', short: 'Events', Pane: EventsPane },
  { name: 'inbox', title: 'Inbox', short: 'Inbox', Pane: InboxPane },
  { name: 'processed', title: 'Processed', short: 'Past', Pane: ProcessedPane },
];
