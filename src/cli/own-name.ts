import { findTyped } from '../base/process/find-program.ts';
import { printedCommand } from '../base/process/printed-command.ts';

/** How this process was started, and where a person would type the next command. */
interface Standing {
  readonly cwd: string;
  readonly path: string | undefined;
  /** Absolute paths of the Node and of the script that run now. */
  readonly node: string;
  readonly script: string;
  readonly isThere: (file: string) => boolean;
}

/**
 * Says how to get the name that all printed commands begin with, where the shell does not know it: after `npm start` in a checkout nothing has
 * installed it. `null` where the PATH has it.
 */
export const ownNameHint = ({ cwd, path, node, script, isThere }: Standing): string | null =>
  findTyped('ralph-tui', cwd, path, isThere) === null
    ? `\`ralph-tui\` is not on your PATH. To define it in this shell:  ${printedCommand('alias', `ralph-tui=${printedCommand(node, script)}`)}`
    : null;

/** Whether a text names a command of this program; `ralph-tui: …` begins an error. */
export const namesCommand = (text: string): boolean => /\bralph-tui [a-z-]/.test(text);
