import type { LocalTime } from '../../src/words/local-time.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import type { Theme } from '../draw/theme.ts';
import type { ViewState } from '../view.ts';
import { selectStreaming, spinnerMs } from './select-streaming.ts';

/** The sign that replaces the glyph of a task at work while its output arrives. */
export interface Spinner {
  readonly sign: string;
  readonly tasks: ReadonlySet<string>;
}

/** `null` while nothing streams, and in a theme without motion. */
export const spinnerOf = (view: ViewState, { ms }: LocalTime, { glyphs }: Theme): Spinner | null => {
  const sign = glyphs.spinner[Math.floor(ms / spinnerMs) % glyphs.spinner.length];
  if (sign === undefined) return null;
  const tasks = selectStreaming(view, ms);
  return tasks.size > 0 ? { sign, tasks } : null;
};

/** A task that waits for a person, or is held, keeps its glyph. */
export const spun = (spinner: Spinner | null, id: string, look: TaskLook): string | null =>
  spinner !== null && (look === 'running' || look === 'reviewing') && spinner.tasks.has(id)
    ? spinner.sign
    : null;
