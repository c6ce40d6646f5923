import { findTyped } from '../base/process/find-program.ts';
import { printedCommand } from '../base/process/printed-command.ts';
import { safe } from '../base/safe.ts';

/** How this process was started, and where a person would type the next command. */
interface Standing {
  readonly cwd: string;
  readonly path: string | undefined;
  /** Absolute paths of the Node and of the script that run now. */
  readonly node: string;
  readonly script: string;
  readonly isThere: (file: string) => boolean;
  /** The name of the package that a program belongs to; `null`: not known. */
  readonly packageOf: (file: string) => string | null;
}

/**
 * Says how to get the name that all printed commands begin with, where the shell does not know it: after `npm start` in a checkout nothing has
 * installed it, and another package has the same name for its program. `null` where the PATH has ours.
 */
export const ownNameHint = ({ cwd, path, node, script, isThere, packageOf }: Standing): string | null => {
  const found = findTyped('ralph-tui', cwd, path, isThere);
  const alias = printedCommand('alias', `ralph-tui=${printedCommand(node, script)}`);
  if (found === null) return `\`ralph-tui\` is not on your PATH. To define it in this shell:  ${alias}`;
  const other = packageOf(found);
  if (other === null || other === ownPackage) return null;
  const second = findTyped(secondName, cwd, path, isThere);
  const way =
    second !== null && packageOf(second) === ownPackage
      ? `Type \`${secondName}\` where \`ralph-tui\` is printed.`
      : `To define ours in this shell:  ${alias}`;
  return `\`ralph-tui\` on your PATH is the program of another package, ${safe(other)}. ${way}`;
};

/** Our program has a second name, because a public package has a program `ralph-tui` too. */
const secondName = 'ralph-sessions';
const ownPackage = '@ralph-sessions/tui';

/** Whether a text names a command of this program; `ralph-tui: …` begins an error. */
export const namesCommand = (text: string): boolean => /\bralph-tui [a-z-]/.test(text);
