import type { Command, TaskDefinition } from '../tasks/task.ts';
import type { Feedback } from './feedback.ts';
import type { Settings } from './settings.ts';

/** True when an agent that reads words plans or does the tasks. The script agent only runs commands. */
export const worksOnWords = ({ roles }: Pick<Settings, 'roles'>): boolean =>
  Object.entries(roles).some(([role, agent]) => /^(?:planner|executor)$/i.test(role) && agent !== 'script');

/**
 * True when the script agent cannot work on this feedback: a critical issue names no task to open again and suggests no command,
 * or there are only wishes, which the script agent notes and nothing more.
 */
export const needsAgent = (
  { critical }: Pick<Feedback, 'critical'>,
  tasks: Iterable<TaskDefinition['id']>,
): boolean => {
  const ids = [...tasks];
  const isWorkable = ({ text, evidence, fix }: Feedback['critical'][number]): boolean => {
    const { run, verify } = commandsIn(fix);
    return run.length + verify.length > 0 || ids.some((id) => namesTask(`${text} ${evidence} ${fix}`, id));
  };
  return critical.length === 0 || !critical.every(isWorkable);
};

/** Whether a text names a task by its id, as a word. */
export const namesTask = (text: string, id: string): boolean =>
  new RegExp(`(?<![\\w.-])${id.replaceAll(/[.\\]/gu, '\\$&')}(?![\\w-]|\\.\\w)`, 'u').test(text);

/** The commands among the code spans of a suggested fix. */
export const commandsIn = (fix: string): Readonly<Record<'run' | 'verify', readonly Command[]>> => {
  const run: Command[] = [];
  const verify: Command[] = [];
  let end = 0;
  for (const match of fix.matchAll(/`([^`]+)`|^\s*\$ (.+)$/gmu)) {
    const span = (match[1] ?? `$ ${match[2] ?? ''}`).trim();
    const words = fix.slice(end, match.index);
    end = match.index + match[0].length;
    const cmd = span.startsWith('$ ') ? span.slice(2).trim() : looksLikeCommand(span) ? span : null;
    if (cmd === null || cmd === '') continue;
    (/\b(?:verify|check|verified|checked|confirm)\b[^.]*$/iu.test(words) ? verify : run).push({ cmd });
  }
  return { run, verify };
};

/** A program with arguments: at least two words, the first a plain lower-case name or a path. */
const looksLikeCommand = (span: string): boolean => /^(?:\.{0,2}\/)?[a-z][\w./-]*\s+\S/u.test(span);
