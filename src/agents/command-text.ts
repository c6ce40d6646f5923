import { shellWords } from '../base/process/printed-command.ts';
import type { Command } from '../tasks/task.ts';

/** A command as a person would type it. Quotes an argv where a shell needs it. */
export const commandText = (command: Pick<Command, 'cmd'>): string =>
  typeof command.cmd === 'string' ? command.cmd : shellWords(command.cmd);
