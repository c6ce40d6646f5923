import { isAbsolute, normalize, relative, resolve } from 'node:path';
import { pathGlob, textGlob } from '../../base/glob.ts';
import { type Guidance, itemText } from './guidance.ts';
import { simpleCommands } from './shell-words.ts';

/** A forbidden path or command that an agent asked for or used. */
export interface Violation {
  /** `path:src/gen/**` */
  readonly item: string;
  /** The path relative to the workspace, or the command. */
  readonly subject: string;
  /** The sentence for the agent and the screen. */
  readonly sentence: string;
}

/**
 * The first forbidden `{path}` that matches a file; null when it may be changed. `path` may be absolute or relative to the workspace. Guidance
 * does not cover files outside the workspace.
 */
export const forbiddenPath = (guidance: Guidance, path: string, workspace: string): Violation | null => {
  const way = isAbsolute(path)
    ? relative(workspace, path)
    : normalize(relative(workspace, resolve(workspace, path)));
  if (way === '' || way === '..' || way.startsWith('../') || isAbsolute(way)) return null;
  for (const item of guidance.forbidden)
    if (typeof item !== 'string' && 'path' in item && pathGlob(item.path).test(way))
      return violation(itemText(item), way, `${way} must not be changed`);
  return null;
};

/**
 * The first forbidden `{command}` that matches a command; null when it may run. Checks a shell line command by command. A glob without a star at
 * its end also matches the same command with more arguments, so that `git push` forbids `git push origin main`.
 */
export const forbiddenCommand = (
  guidance: Guidance,
  command: string | readonly string[],
): Violation | null => {
  const globs = guidance.forbidden.flatMap((item) =>
    typeof item !== 'string' && 'command' in item ? [{ item, fits: fitsCommand(item.command) }] : [],
  );
  if (globs.length === 0) return null;
  const parts = typeof command === 'string' ? simpleCommands(command) : argvCommands(command);
  for (const part of parts)
    for (const { item, fits } of globs)
      if (fits(part)) return violation(itemText(item), part, `\`${part}\` must not be run`);
  return null;
};

const fitsCommand = (glob: string): ((command: string) => boolean) => {
  const collapsed = glob.trim().replaceAll(/\s+/g, ' ');
  const exact = textGlob(collapsed);
  const longer = textGlob(`${collapsed} *`);
  return (command) => exact.test(command) || longer.test(command);
};

/** Quotes each word, so that a word with blanks stays one. */
const argvCommands = (argv: readonly string[]): readonly string[] =>
  simpleCommands(argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' '));

/** The forbidden files among the changes of an attempt, each once (paths relative to the workspace). */
export const violationsIn = (
  guidance: Guidance,
  changed: readonly string[],
  workspace: string,
): readonly Violation[] =>
  [...new Set(changed)].flatMap((path) => forbiddenPath(guidance, path, workspace) ?? []);

const violation = (item: string, subject: string, what: string): Violation => ({
  item,
  subject,
  sentence: `${what}: the person's guidance forbids ${item}`,
});

/** Whether any item needs enforcement. Only then the screen names an agent that neither asks nor has our hook. */
export const hasEnforced = ({ forbidden }: Guidance): boolean =>
  forbidden.some((item) => typeof item !== 'string');
