import { memoise } from '../../src/base/memoise.ts';
import { count } from '../../src/words/local-time.ts';
import { foldKey } from '../draw/log-view.ts';
import type { LogRef } from '../ports/viewer-port.ts';
import { outputKey } from '../tasks/output-key.ts';
import { selectTask, selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import type { OutputLine, OutputLog } from './output-line.ts';

/** The task or invocation whose output the Output tab shows. */
interface OutputSubject {
  readonly title: string;
  /** The number of the last attempt, when a person chose an earlier one. */
  readonly earlierOf: number | null;
  readonly key: string;
  /** Its log file. */
  readonly ref: LogRef | null;
  readonly log: OutputLog | null;
}

/** The chosen attempt of the chosen task. Without a choice, the current work, including planning and the Librarian. */
export const selectOutputSubject = (view: ViewState): OutputSubject => {
  const { followed, selected, log } = view.ui;
  const table = selectTasks(view);
  if (selected.tasks === null && followed !== null && !table.lines.has(followed))
    return subjectOf(view, followed.replace(/-\d+$/, ''), followed, { subject: followed, attempt: 1 });
  const task = selectTask(view);
  if (task === null) return { title: '', earlierOf: null, key: '', ref: null, log: null };
  const last = table.lines.get(task)?.attempt ?? 0;
  const attempt = log.attempt ?? last;
  const of = attempt === last ? '' : ` of ${last}`;
  const title = last > 1 ? `${task} attempt ${attempt}${of}` : task;
  const ref = attempt < 1 ? null : { subject: task, attempt };
  return {
    ...subjectOf(view, title, outputKey(task, attempt), ref),
    earlierOf: attempt === last ? null : last,
  };
};

const subjectOf = (view: ViewState, title: string, key: string, ref: LogRef | null): OutputSubject => ({
  title,
  earlierOf: null,
  key,
  ref,
  log: view.output.logs.get(key) ?? null,
});

/** Whether the file itself is shown: by choice, or because only the file of that attempt is left. */
export const selectRaw = (view: ViewState): boolean =>
  view.ui.log.raw || (view.ui.log.attempt !== null && selectOutputSubject(view).log === null);

/** Whether a thought of an agent is in the output shown. */
export const hasThoughts = (view: ViewState): boolean =>
  selectOutputSubject(view).log?.lines.some((line) => line.kind === 'note' && line.thought !== undefined) ??
  false;

/** One row of the output. */
export interface OutputRow {
  readonly no: number;
  readonly line: OutputLine;
  /** Lines folded under this command. 0 when they are shown or there are none. */
  readonly hidden: number;
  /** Text for the folded lines: "3 lines", or "last 1494 of 3000 lines" when the log file has more. '' when none are folded. */
  readonly folded: string;
  /** The changed lines of an edit are shown. */
  readonly open: boolean;
}

/** This many of the latest commands stay open. Older ones fold when they succeeded. */
const keptOpen = 2;

/** The unfolded lines with their absolute numbers. Computed once per view, because several readers ask for thousands of lines. */
export const selectOutputRows = memoise((view: ViewState): readonly OutputRow[] => {
  const { key, log } = selectOutputSubject(view);
  if (log === null) return [];
  const { lines, dropped } = log;
  const rows: OutputRow[] = [];
  const old = oldBefore(view, log);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined) continue;
    const no = dropped + index;
    const isClosed = line.kind === 'command' && isFolded(view, key, no, line, old);
    const hidden = isClosed ? outputOf(line, no) : 0;
    const open = line.kind === 'command' && line.diff !== undefined && !isClosed;
    rows.push({ no, line, hidden, folded: hidden > 0 ? linesWords(lines, index, hidden) : '', open });
    index += hidden;
  }
  return rows;
});

/** How many lines the command at `index` printed, and how many of them are in memory. */
const linesWords = (lines: readonly OutputLine[], index: number, hidden: number): string => {
  const block = lines.slice(index + 1, index + 1 + hidden);
  const gaps = block.filter(({ kind }) => kind === 'gap').length;
  const shown = block.length - gaps;
  const command = lines[index];
  const all = command?.kind === 'command' ? (command.end?.lines ?? null) : null;
  if (gaps === 0) return count(shown, 'line');
  const last = gaps === 1 && block[0]?.kind === 'gap' ? 'last ' : '';
  return `${last}${shown} of ${all === null ? 'more' : count(Math.max(all, shown), 'line')}`;
};

/** Commands above this line are old. While a person reads, no command becomes old, so that the text in view does not fold. */
const oldBefore = (view: ViewState, log: OutputLog): number => {
  const { top, readEnd } = view.ui.log;
  const end = top === null ? log.lines.length : Math.min(log.lines.length, readEnd - log.dropped);
  let seen = 0;
  for (let index = end - 1; index >= 0; index -= 1)
    if (log.lines[index]?.kind === 'command' && ++seen === keptOpen) return log.dropped + index;
  return 0;
};

type CommandLine = Extract<OutputLine, { kind: 'command' }>;

const outputOf = (line: CommandLine, no: number): number => Math.max(0, (line.until ?? no) - no - 1);

/** The changed lines of an edit stay: they are few, and what people look for. */
const isFolded = (view: ViewState, key: string, no: number, line: CommandLine, old: number): boolean =>
  line.until !== null &&
  (view.ui.log.folds[foldKey(key, no)] ?? (line.end?.ok === true && no < old && line.diff === undefined));

/** The command whose block contains the line: its own line, or one of its output. */
export const selectBlock = (view: ViewState, no: number): number | null => {
  const { log } = selectOutputSubject(view);
  if (log === null) return null;
  for (let index = no - log.dropped; index >= 0; index -= 1) {
    const line = log.lines[index];
    if (line?.kind === 'note') return null;
    if (line?.kind !== 'command') continue;
    const head = log.dropped + index;
    return head === no || line.until === null || no < line.until ? head : null;
  }
  return null;
};

/** The line under the cursor. While it follows, the line of the last command. */
export const selectCursor = (view: ViewState): number | null => {
  const { at } = view.ui.log;
  if (at !== null) return at;
  return selectOutputRows(view).findLast((row) => row.line.kind === 'command')?.no ?? null;
};

/** The line of the next failure below (1) or above (-1) the cursor, or `null`. */
export const selectFailure = (view: ViewState, by: 1 | -1): number | null => {
  const { log } = selectOutputSubject(view);
  const at = view.ui.log.at ?? Number.MAX_SAFE_INTEGER;
  const bad = (log?.lines ?? []).flatMap((line, index) =>
    isFailure(line) ? [(log?.dropped ?? 0) + index] : [],
  );
  return (by > 0 ? bad.find((no) => no > at) : bad.findLast((no) => no < at)) ?? null;
};

const isFailure = (line: OutputLine): boolean =>
  line.kind === 'command' ? line.end?.ok === false : line.kind === 'note' && line.tone === 'bad';

export interface OutputWindow {
  readonly title: string;
  /** At most `height` rows, each drawn at least in part. */
  readonly rows: readonly OutputRow[];
  /** Rows below the window; 0 while it follows. */
  readonly below: number;
  /** Lines that arrived since reading began. */
  readonly fresh: number;
  readonly following: boolean;
}

/** The rows to draw in `height` rows. A scrolled window stays on its lines while more arrive. */
export const selectOutputWindow = (view: ViewState, height: number): OutputWindow => {
  const { title, log } = selectOutputSubject(view);
  const { top, readEnd } = view.ui.log;
  const rows = selectOutputRows(view);
  if (top === null || log === null)
    return { title, rows: rows.slice(-height), below: 0, fresh: 0, following: true };
  const found = rows.findIndex((row) => row.no >= top);
  const from = found < 0 ? Math.max(0, rows.length - height) : found;
  return {
    title,
    rows: rows.slice(from, from + height),
    below: Math.max(0, rows.length - from - height),
    fresh: Math.max(0, log.dropped + log.lines.length - readEnd),
    following: false,
  };
};
