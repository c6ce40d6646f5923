import type { Command } from '../command.ts';
import { focusedPane } from '../panes.ts';
import type { ViewState } from '../view.ts';

/** The commands of the pane with the focus, in order. */
export const paneCommands = (commands: readonly Command[], view: ViewState): readonly Command[] =>
  focusedPane(view).keys.flatMap((id) => commands.find((command) => command.id === id) ?? []);
