import { utf8Length } from '../../src/base/bytes.ts';
import { safe } from '../../src/base/safe.ts';
import type { EventOf } from '../../src/pipeline/event.ts';
import { count } from '../../src/words/local-time.ts';
import { type BlockReading, noBlock, readSourceLine } from '../../src/words/markdown/block-reading.ts';
import type { Note } from '../../src/words/outcome-notes.ts';
import type { OutputLine } from './output-line.ts';
import { bounded, type TextLine, textLine } from './text-line.ts';

/** A log while it is written. It changes in place. */
export interface MutableLog {
  lines: OutputLine[];
  dropped: number;
  at: string;
  /** Text after the last newline, with its carriage returns. Shown as the last line. */
  open: string | null;
  /** Where that text begins in the log file. */
  openAt: number | null;
  /** Colours in force at the start of the open line, or of the next one. */
  codes: string;
  /** Absolute line numbers of running commands and tool calls, by key. */
  readonly commands: Map<string, number>;
  /** Whether text outside of commands is an agent's, and so Markdown. */
  isAgent: boolean;
  /** Where the reading of the agent's words stands, before the open line or the next one. */
  said: BlockReading;
}

export const emptyLog = (at: string): MutableLog => ({
  lines: [],
  dropped: 0,
  at,
  open: null,
  openAt: null,
  codes: '',
  commands: new Map(),
  isAgent: false,
  said: noBlock,
});

/** Lines kept of one log. Older ones are read from the log file. */
export const maxLines = 5_000;

export const add = (log: MutableLog, line: OutputLine): void => {
  log.lines.push(line);
  // Trims in large steps, so that dropping the oldest line is nearly always free.
  if (log.lines.length < maxLines * 1.2) return;
  const surplus = log.lines.length - maxLines;
  log.lines = log.lines.slice(surplus);
  log.dropped += surplus;
};

export const note = (log: MutableLog, text: string, tone: Note['tone'], thought?: string): void => {
  close(log);
  add(log, { kind: 'note', text: safe(text), tone, ...(thought === undefined ? {} : { thought }) });
};

/** Ends a line that has no newline yet: the next output starts a new line, without the colours of this one. */
export const close = (log: MutableLog): void => {
  log.open = null;
  log.codes = '';
  log.said = noBlock;
};

/** Appends a piece of output, which may begin and end within a line. */
export const write = (log: MutableLog, { text, byte, skipped }: EventOf<'output.written'>): void => {
  if (skipped !== undefined) {
    close(log);
    add(log, { kind: 'gap', text: gapWords(skipped) });
  }
  const isSaid = log.isAgent && !commandRuns(log);
  const parts = text.split('\n');
  let at = byte ?? null;
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    const whole = bounded((log.open ?? '') + part);
    if (last && whole === '') return;
    const begins = log.open === null ? at : log.openAt;
    const { line, codes } = textLine(whole, log.codes, begins);
    const no = log.dropped + log.lines.length - (log.open === null ? 0 : 1);
    const { shown, after } = isSaid ? asSaid(line, log.said, no) : { shown: line, after: noBlock };
    if (log.open === null) add(log, shown);
    else log.lines[log.lines.length - 1] = shown;
    log.open = last ? whole : null;
    log.openAt = last ? begins : null;
    if (!last) {
      log.codes = codes;
      log.said = after;
    }
    if (at !== null) at += utf8Length(part) + 1;
  });
};

/** A command of ours runs, so that the output is its own. A tool call of an agent prints nothing here. */
const commandRuns = ({ commands }: MutableLog): boolean =>
  commands.size > 0 && [...commands.keys()].some((key) => !key.includes(':tool:'));

/** A line of an agent's words. One with the colours of a program is none. */
const asSaid = (line: TextLine, before: BlockReading, no: number) => {
  if (line.styles !== undefined) return { shown: line, after: { ...noBlock, fence: before.fence } };
  const { line: said, after } = readSourceLine(before, line.text, no);
  return { shown: { ...line, said }, after };
};

/** The text in place of lines that are not in memory. */
export const gapWords = (bytes: number): string => `… ${count(bytes, 'more byte')} in the log`;
