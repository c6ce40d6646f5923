import type { Command } from '../command.ts';
import { focusedPane, type PlaceName } from '../panes.ts';
import type { ViewState } from '../view.ts';

/** The commands that belong to each pane, the most useful first. The footer shows the first three, the help all of them before the others. */
const commandsOfPanes: Readonly<Record<PlaceName, readonly string[]>> = {
  tasks: [
    'look.open',
    'draw.form',
    'read.filter',
    'read.neighbours',
    'draw.fold',
    'read.search',
    'look.zoom',
  ],
  output: [
    'read.search',
    'look.open',
    'read.raw',
    'read.next-failure',
    'read.previous-failure',
    'read.next-match',
    'read.previous-match',
    'read.thoughts',
    'read.earlier-attempt',
    'read.later-attempt',
    'look.copy-text',
    'look.open-in-editor',
  ],
  changes: [
    'read.scope',
    'changes.next-file',
    'changes.columns',
    'changes.previous-file',
    'read.next-failure',
    'read.previous-failure',
    'read.search',
    'read.next-match',
    'read.previous-match',
    'review.comment',
    'changes.undo',
    'look.open-in-editor',
  ],
  details: ['read.earlier-attempt', 'read.later-attempt', 'look.open-in-editor', 'look.copy-text'],
  events: ['look.open', 'read.filter', 'read.raw', 'look.copy-text'],
  timeline: ['look.open', 'draw.closer', 'draw.wider', 'move.left', 'move.right'],
  issues: ['look.open', 'issues.start', 'issues.move', 'issues.browse', 'issues.refresh', 'read.search'],
  inbox: ['look.open', 'steer.edit', 'steer.cancel', 'look.copy-text'],
  processed: ['look.open', 'look.copy-text'],
};

/** The commands of the pane with the focus, in order. */
export const paneCommands = (commands: readonly Command[], view: ViewState): readonly Command[] =>
  commandsOfPanes[focusedPane(view).name].flatMap(
    (id) => commands.find((command) => command.id === id) ?? [],
  );
