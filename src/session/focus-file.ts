import { parseFrontMatter } from '../tasks/front-matter.ts';
import { linesOutsideFences } from '../tasks/outside-fences.ts';

/** The progress of the work, as recorded in the focus file of a loop (src/discovery/README.md, The loop). */
export interface FocusState {
  readonly open: number;
  readonly done: number;
  /** Whether it contains `[x] TASK_COMPLETE`. */
  readonly marker: boolean;
  /** `status` of its front matter, in lower case. */
  readonly status: string | null;
}

/** Counts the checkboxes of list items. Checkboxes in code fences are examples. The marker's own checkbox is no work and does not count. */
export const readFocus = (text: string, file: string): FocusState => {
  const { data, body } = parseFrontMatter(text, file).value;
  let open = 0;
  let done = 0;
  let marker = false;
  for (const line of linesOutsideFences(body)) {
    const [, tick = '', words = ''] = /^\s*(?:[-*+]|\d{1,9}[.)])?\s*\[([ xX])\]\s*(.*)$/.exec(line) ?? [];
    if (tick === '') continue;
    if (/^\W*TASK_COMPLETE\b/.test(words)) marker ||= tick !== ' ';
    else if (tick === ' ') open += 1;
    else done += 1;
  }
  const status = data['status'];
  return { open, done, marker, status: typeof status === 'string' ? status.trim().toLowerCase() : null };
};
