import type { Fault } from '../../base/fault.ts';
import type { JournalCut } from '../../observability/journal.ts';

/** What is reported when agents change files that control a session or git. `who`: the invocations that worked. */
export const deletedGit = (who: string): Fault => ({
  code: 'control-file',
  what: `${who} deleted .git: objects, refs and HEAD are gone`,
  where: '.git',
  hint: 'restore it from a backup; the files in the workspace are as the agent left them',
});

export const deleted = (back: readonly string[], who: string): Fault => ({
  code: 'control-file-session',
  what: `${who} deleted ${back[0] ?? ''}${back.length > 1 ? ` and ${back.length - 1} more` : ''} from this session; ${back.length === 1 ? 'it was' : 'they were'} restored`,
  hint: forbidCleaning,
});

export const cutJournal = ({ left, whole }: JournalCut, who: string): Fault => ({
  code: 'control-file-session',
  what:
    left > whole
      ? `${who} wrote ${left - whole} bytes into journal.jsonl; they were removed`
      : `${who} truncated journal.jsonl from ${whole} to ${left} bytes; it was restored`,
  hint: 'forbid access to session files: `ralph-tui guidance forbid "path:.ralph-sessions/**"`',
});

export const deletedOthers = (sessions: readonly string[], who: string, now: string): Fault => ({
  code: 'control-file-session',
  what: `${who} deleted ${sessions.length === 1 ? 'another session' : `${sessions.length} other sessions`} (${sessions.slice(-3).join(', ')}${sessions.length > 3 ? ' and more' : ''}); ${now}`,
  hint: forbidCleaning,
});

const forbidCleaning = 'forbid the command, for example with `ralph-tui guidance forbid "command:git clean"`';

export const more = (count: number, who: string, keptIn: string): Fault => ({
  code: 'control-files',
  what: `${who} changed ${count} more control ${count === 1 ? 'file; it was restored, and the changed version is' : 'files; they were restored, and the changed versions are'} kept in ${keptIn}`,
});
