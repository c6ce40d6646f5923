import { safe } from '../base/safe.ts';
import { utf8Length } from '../base/utf8-length.ts';
import type { Event, EventOf } from '../pipeline/event.ts';
import { type Note, outcomeNotes } from './outcome-notes.ts';
import { bounded, type TextLine, textLine } from './text-line.ts';
import { qualifiedNote } from './work-words.ts';

/**
 * What every attempt and every invocation without a task has printed: one log each, bounded. It changes in place, so that a stream
 * of thousands of lines a second costs no copies; readers look at it after `ViewState.outputVersion` changed.
 */
export interface OutputBook {
  /** Logs by `outputKey`. */
  readonly logs: ReadonlyMap<string, OutputLog>;
  /** Takes an event in; true when something on screen may differ. */
  readonly take: (event: Event) => boolean;
}

export interface OutputLog {
  /** Kept lines; `lines[0]` has the absolute number `dropped`. */
  readonly lines: readonly OutputLine[];
  /** Lines no longer kept here; the attempt's log file has them all. */
  readonly dropped: number;
  /** When it last grew, ISO 8601. */
  readonly at: string;
}

/** `command` lines carry the state of their command and are replaced when it ends; a `gap` stands for lines that only the log file has. */
export type OutputLine =
  | TextLine
  | { readonly kind: 'gap'; readonly text: string }
  | {
      readonly kind: 'command';
      readonly text: string;
      readonly purpose: 'run' | 'verify' | 'on_steer';
      readonly since: string;
      /** Nobody measured how long a command ran that was cut off with its program. */
      readonly end: {
        readonly ok: boolean;
        readonly exit: string;
        readonly durationMs: number | null;
        /** Lines it printed, kept here or not; `null` where nobody counted them. */
        readonly lines: number | null;
      } | null;
      /** The line behind its output; `null` while it runs. */
      readonly until: number | null;
    }
  | ({ readonly kind: 'note' } & Note);

/** Lines kept of one log, and logs kept with their lines; older ones are read from the log file. */
export const maxLines = 5_000;
const maxLogs = 200;

/** The log of a task's attempt, or of an invocation without a task. */
export const outputKey = (subject: string, attempt?: number | null): string =>
  attempt === undefined || attempt === null ? subject : `${subject}#${attempt}`;

export const createOutputBook = (): OutputBook => {
  const logs = new Map<string, MutableLog>();
  const keyOf = new Map<string, string>();

  const logOf = (key: string, at: string): MutableLog => {
    const found = logs.get(key);
    if (found) {
      found.at = at;
      return found;
    }
    const made: MutableLog = {
      lines: [],
      dropped: 0,
      at,
      open: null,
      openAt: null,
      codes: '',
      commands: new Map(),
    };
    logs.set(key, made);
    const oldest = logs.keys().next();
    if (logs.size > maxLogs && !oldest.done) logs.delete(oldest.value);
    return made;
  };
  const logFor = (invocation: string, event: { readonly at: string }): MutableLog =>
    logOf(keyOf.get(invocation) ?? invocation, event.at);

  const take = (event: Event): boolean => {
    switch (event.type) {
      case 'invocation.started':
        keyOf.set(event.invocation, event.task ? outputKey(event.task, event.attempt) : event.invocation);
        note(logFor(event.invocation, event), startNote(event), 'plain');
        return true;
      case 'output.written':
        write(logFor(event.invocation, event), event);
        return true;
      case 'command.started':
        startCommand(logFor(event.invocation, event), event);
        return true;
      case 'command.ended':
        endCommand(logFor(event.invocation, event), event);
        return true;
      case 'finding.noted':
        note(logFor(event.invocation, event), event.text, 'plain');
        return true;
      case 'steer.decided':
        note(logFor(event.invocation, event), `STEER ${event.verdict}: ${event.action}`, 'steer');
        return true;
      case 'invocation.paused':
        note(logFor(event.invocation, event), 'paused here', 'plain');
        return true;
      case 'invocation.resumed':
        note(logFor(event.invocation, event), 'goes on', 'plain');
        return true;
      case 'invocation.interrupted':
        cutOff(logFor(event.invocation, event));
        note(logFor(event.invocation, event), `interrupted: ${event.reason}`, 'bad');
        return true;
      case 'invocation.failed':
        note(logFor(event.invocation, event), `${event.kind}: ${event.fault.what}`, 'bad');
        return true;
      case 'task.failed':
        note(logOf(outputKey(event.task, event.attempt), event.at), `failed: ${event.reason}`, 'bad');
        return true;
      case 'task.qualified':
        note(logOf(outputKey(event.task, event.attempt), event.at), ...qualifiedNote(event));
        return true;
      case 'tasks.defined':
      case 'session.reviewed':
      case 'knowledge.staged':
      case 'knowledge.promoted': {
        const notes = event.invocation === undefined ? [] : outcomeNotes(event);
        for (const { text, tone } of notes) note(logFor(event.invocation ?? '', event), text, tone);
        return notes.length > 0;
      }
      default:
        return false;
    }
  };
  return { logs, take };
};

interface MutableLog {
  lines: OutputLine[];
  dropped: number;
  at: string;
  /** Text behind the last newline, with carriage returns as they came; shown as the last line. */
  open: string | null;
  /** Where that text begins in the log file. */
  openAt: number | null;
  /** Colours in force where the open line, or the next one, begins. */
  codes: string;
  /** Absolute line numbers of commands under way, by index. */
  readonly commands: Map<string, number>;
}

const startNote = (event: EventOf<'invocation.started'>): string => {
  const attempt = event.role === 'Executor' && event.attempt ? `, attempt ${event.attempt}` : '';
  const mode = event.role === 'Executor' ? '' : ` ${event.mode.toLowerCase().replaceAll('_', ' ')}`;
  return `${event.role}${mode}${attempt} · ${event.backend}`;
};

const add = (log: MutableLog, line: OutputLine): void => {
  log.lines.push(line);
  // Trimmed in large steps, so that dropping the oldest line costs nothing most of the time.
  if (log.lines.length < maxLines * 1.2) return;
  const surplus = log.lines.length - maxLines;
  log.lines = log.lines.slice(surplus);
  log.dropped += surplus;
};

const note = (log: MutableLog, text: string, tone: Note['tone']): void => {
  close(log);
  add(log, { kind: 'note', text: safe(text), tone });
};

/** Ends a line that has no newline yet: what follows starts a new one, in no colour of somebody else's. */
const close = (log: MutableLog): void => {
  log.open = null;
  log.codes = '';
};

const write = (log: MutableLog, { text, byte, skipped }: EventOf<'output.written'>): void => {
  if (skipped !== undefined) {
    close(log);
    add(log, { kind: 'gap', text: gapWords(skipped) });
  }
  const parts = text.split('\n');
  let at = byte ?? null;
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    const whole = bounded((log.open ?? '') + part);
    if (last && whole === '') return;
    const begins = log.open === null ? at : log.openAt;
    const { line, codes } = textLine(whole, log.codes, begins);
    if (log.open === null) add(log, line);
    else log.lines[log.lines.length - 1] = line;
    log.open = last ? whole : null;
    log.openAt = last ? begins : null;
    if (!last) log.codes = codes;
    if (at !== null) at += utf8Length(part) + 1;
  });
};

/** What stands in the place of lines that are not at hand. */
export const gapWords = (bytes: number): string => `… ${bytes} bytes more stand in the log`;

const commandKey = (event: { readonly invocation: string; readonly index: number }): string =>
  `${event.invocation}:${event.index}`;

const startCommand = (log: MutableLog, event: EventOf<'command.started'>): void => {
  close(log);
  add(log, {
    kind: 'command',
    text: commandText(event.command),
    purpose: event.purpose,
    since: event.at,
    end: null,
    until: null,
  });
  log.commands.set(commandKey(event), log.dropped + log.lines.length - 1);
};

const endCommand = (log: MutableLog, event: EventOf<'command.ended'>): void => {
  const { ok, exit, duration_ms: durationMs } = event;
  setEnd(log, commandKey(event), { ok, exit, durationMs, lines: event.log?.lines ?? null });
};

/** A program that is killed reports no end of its commands. */
const cutOff = (log: MutableLog): void => {
  const end = { ok: false, exit: 'cut off', durationMs: null, lines: null };
  for (const key of log.commands.keys()) setEnd(log, key, end);
};

const setEnd = (log: MutableLog, key: string, end: Extract<OutputLine, { kind: 'command' }>['end']): void => {
  close(log);
  const place = (log.commands.get(key) ?? -1) - log.dropped;
  const line = log.lines[place];
  log.commands.delete(key);
  if (line?.kind === 'command') log.lines[place] = { ...line, end, until: log.dropped + log.lines.length };
};

/** A command in one line, as a person would type it. */
export const commandText = (command: { readonly cmd: string | readonly string[] }): string =>
  safe(typeof command.cmd === 'string' ? command.cmd : command.cmd.join(' '));
