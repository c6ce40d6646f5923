import { commandText } from '../../src/agents/command-text.ts';
import { foreignName } from '../../src/agents/profiles/foreign-name.ts';
import { safe } from '../../src/base/safe.ts';
import type { Event, EventOf } from '../../src/pipeline/event.ts';
import { agentNote, endedTool, failedCall, startOfEdit, toolText } from '../../src/words/agent-words.ts';
import { invocationNote } from '../../src/words/invocation-note.ts';
import { outcomeNotes } from '../../src/words/outcome-notes.ts';
import { reasonWords } from '../../src/words/reason-words.ts';
import { qualifiedNote } from '../../src/words/work-words.ts';
import { outputKey } from '../tasks/output-key.ts';
import { foldOutcome } from './fold-outcome.ts';
import { add, close, emptyLog, type MutableLog, note, write } from './mutable-log.ts';
import type { OutputLine, OutputLog } from './output-line.ts';

/**
 * The output of every attempt and every invocation without a task: one bounded log each. It changes in place, so that a stream
 * of thousands of lines a second costs no copies. Readers check `ViewState.outputVersion` for changes.
 */
export interface OutputLogs {
  /** Logs by `outputKey`. */
  readonly logs: ReadonlyMap<string, OutputLog>;
  /** Applies an event. Returns true when the screen may differ. */
  readonly take: (event: Event) => boolean;
}

/** Logs kept with their lines. Older ones are read from the log file. */
const maxLogs = 200;

export const createOutputLogs = (): OutputLogs => {
  const logs = new Map<string, MutableLog>();
  const keyOf = new Map<string, string>();
  const asking: Asking = new Map();

  const logOf = (key: string, at: string): MutableLog => {
    const found = logs.get(key);
    if (found) {
      found.at = at;
      return found;
    }
    const made = emptyLog(at);
    logs.set(key, made);
    const oldest = logs.keys().next();
    if (logs.size > maxLogs && !oldest.done) logs.delete(oldest.value);
    return made;
  };
  const logFor = (invocation: string, event: { readonly at: string }): MutableLog =>
    logOf(keyOf.get(invocation) ?? invocation, event.at);
  const logOfTask = ({ task, attempt, at }: EventOf<'task.failed' | 'task.qualified'>): MutableLog =>
    logOf(outputKey(task, attempt), at);

  const take = (event: Event): boolean => {
    switch (event.type) {
      case 'invocation.started':
        keyOf.set(event.invocation, event.task ? outputKey(event.task, event.attempt) : event.invocation);
        begin(logFor(event.invocation, event), event);
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
      case 'tool.started':
        startTool(logFor(event.invocation, event), event);
        return true;
      case 'tool.ended':
        endTool(logFor(event.invocation, event), event);
        return true;
      case 'permission.asked':
        asking.set(event.request, event);
        return false;
      case 'permission.answered':
        return startLater(logFor(event.invocation, event), asking, event);
      case 'invocation.interrupted':
        cutOff(logFor(event.invocation, event));
        note(logFor(event.invocation, event), `interrupted: ${event.reason}`, 'bad');
        return true;
      case 'invocation.ended':
        return foldAnswer(logFor(event.invocation, event));
      case 'task.failed':
        note(logOfTask(event), `failed: ${reasonWords(event.reason)}`, 'bad');
        return true;
      case 'task.qualified':
        note(logOfTask(event), ...qualifiedNote(event));
        return true;
      case 'tasks.defined':
      case 'session.reviewed':
      case 'knowledge.staged':
      case 'knowledge.promoted': {
        const notes = event.invocation === undefined ? [] : outcomeNotes(event);
        for (const { text, tone } of notes) note(logFor(event.invocation ?? '', event), text, tone);
        return notes.length > 0;
      }
      default: {
        const told = invocationNote(event) ?? agentNote(event);
        if (told === null || !('invocation' in event) || typeof event.invocation !== 'string') return false;
        note(logFor(event.invocation, event), told.text, told.tone, told.thought);
        return true;
      }
    }
  };
  return { logs, take };
};

const begin = (log: MutableLog, event: EventOf<'invocation.started'>): void => {
  log.isAgent = event.backend !== 'script';
  const told = startNote(event);
  if (told !== null) note(log, told, 'plain');
};

/** `null` for a first attempt: the title of the pane names the task, and Details the agent. */
const startNote = (event: EventOf<'invocation.started'>): string | null => {
  const isFirst = event.role === 'Executor' && event.task && (event.attempt ?? 1) < 2;
  if (isFirst && event.instead_of === undefined && event.backend !== foreignName) return null;
  const attempt =
    event.role === 'Executor' && event.attempt && event.attempt > 1 ? `, attempt ${event.attempt}` : '';
  const subject = event.role === 'Executor' ? (event.task ?? event.role) : event.role;
  const mode = event.role === 'Executor' ? '' : ` ${event.mode.toLowerCase().replaceAll('_', ' ')}`;
  const instead =
    event.instead_of === undefined ? '' : ` instead of ${event.instead_of}, whose quota is used up`;
  const who = event.backend === foreignName ? (event.worker ?? '') : event.backend;
  return `${subject}${mode}${attempt} · ${who}${instead}`;
};

/** Puts one line for people in place of the answer to the engine at the end of an agent's words. */
const foldAnswer = (log: MutableLog): boolean => {
  const found = foldOutcome(log);
  if (found === null) return false;
  close(log);
  log.lines.splice(found.at, found.lines, { kind: 'note', ...found.note, text: safe(found.note.text) });
  endOutputAt(log, found.at);
  return true;
};

/** The output of the command before `at` ends there: the answer was its last part. */
const endOutputAt = (log: MutableLog, at: number): void => {
  const place = log.lines.findLastIndex(({ kind }, index) => index < at && kind === 'command');
  const command = log.lines[place];
  if (command?.kind === 'command' && command.until !== null)
    log.lines[place] = { ...command, until: Math.min(command.until, log.dropped + at) };
};

const commandKey = (event: { readonly invocation: string; readonly index: number }): string =>
  `${event.invocation}:${event.index}`;

const startCommand = (log: MutableLog, event: EventOf<'command.started'>): void => {
  close(log);
  add(log, {
    kind: 'command',
    text: safe(commandText(event.command)),
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
  if (log.isAgent) foldAnswer(log);
};

/** A killed program reports no end of its commands. */
const cutOff = (log: MutableLog): void => {
  const end = { ok: false, exit: 'cut off', durationMs: null, lines: null };
  for (const key of log.commands.keys()) setEnd(log, key, end);
};

const toolKey = (event: { readonly invocation: string; readonly call: string }): string =>
  `${event.invocation}:tool:${event.call}`;

const startTool = (log: MutableLog, event: EventOf<'tool.started'>): void => {
  close(log);
  add(log, {
    kind: 'command',
    text: toolText(event),
    purpose: event.kind === 'execute' ? 'execute' : 'tool',
    since: event.at,
    end: null,
    until: null,
  });
  log.commands.set(toolKey(event), log.dropped + log.lines.length - 1);
};

/** What waits for an answer, by request. */
type Asking = Map<string, EventOf<'permission.asked'>>;

/** The wait for an answer is no time of the call that asked. */
const startLater = (log: MutableLog, asking: Asking, event: EventOf<'permission.answered'>): boolean => {
  const asked = asking.get(event.request);
  asking.delete(event.request);
  if (asked?.call === undefined) return false;
  const place = (log.commands.get(toolKey({ ...asked, call: asked.call })) ?? -1) - log.dropped;
  const line = log.lines[place];
  if (line?.kind !== 'command') return false;
  const since = Date.parse(line.since) + Date.parse(event.at) - Date.parse(asked.at);
  log.lines[place] = { ...line, since: new Date(since).toISOString() };
  return true;
};

/** Renames a call that got its name late, and appends the changes of an edit. */
const endTool = (log: MutableLog, event: EventOf<'tool.ended'>): void => {
  const place = (log.commands.get(toolKey(event)) ?? -1) - log.dropped;
  const line = log.lines[place];
  const diff = startOfEdit(event);
  if (line?.kind === 'command')
    log.lines[place] = { ...line, text: endedTool(line.text, event), ...(diff === null ? {} : { diff }) };
  const exit = event.ok ? '0' : failedCall(event);
  const durationMs = event.refused || event.unanswered ? null : event.duration_ms;
  setEnd(log, toolKey(event), { ok: event.ok, exit, durationMs, lines: null });
};

const setEnd = (log: MutableLog, key: string, end: Extract<OutputLine, { kind: 'command' }>['end']): void => {
  close(log);
  const place = (log.commands.get(key) ?? -1) - log.dropped;
  const line = log.lines[place];
  log.commands.delete(key);
  if (line?.kind === 'command') log.lines[place] = { ...line, end, until: log.dropped + log.lines.length };
};
