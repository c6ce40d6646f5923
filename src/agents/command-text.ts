import { shellWords } from '../base/process/printed-command.ts';
import type { Command } from '../tasks/task.ts';

/** A command as a person would type it. Quotes an argv where a shell needs it. */
export const commandText = (command: Pick<Command, 'cmd'>): string =>
  typeof command.cmd === 'string' ? command.cmd : shellWords(command.cmd);

/** What is run, with its variables before it and its directory behind it: "CI=true npm test (in web)". */
export const commandInFull = (command: Command): string => {
  const env = Object.entries(command.env ?? {}).map(([name, value]) => `${name}=${value} `);
  const place = command.cwd === undefined ? '' : ` (in ${command.cwd})`;
  return `${env.join('')}${commandText(command)}${place}`;
};

/** The lines of what is run, each by itself, as a shell runs them: behind a comment, a second one in the same row would look like a part of it. */
export const commandRows = (command: Command): readonly string[] =>
  commandInFull(command)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
