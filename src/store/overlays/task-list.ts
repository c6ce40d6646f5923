import { type TextRow, textRows } from '../tasks/text-rows.ts';
import type { TaskListOverlay } from './start.ts';

/** Cells of the dialog with the tasks of a run. */
export const taskListWidth = (columns: number): number => Math.min(110, columns - 4);

/** The dialog's text as rows. */
export const taskListRows = ({ lines }: TaskListOverlay, columns: number): readonly TextRow[] =>
  textRows(lines, taskListWidth(columns) - 4);
