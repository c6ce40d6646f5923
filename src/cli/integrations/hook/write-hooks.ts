import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, toFault } from '../../../base/fault.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import { type Cli, Exit, exitCodes, failure } from '../../cli.ts';
import { createWorld, type World } from '../../world.ts';
import { addHooks, removeHooks } from './settings-hooks.ts';

/** Puts our hooks into Claude Code's settings of this folder, or takes them out. Every other byte of the file stays. */
export const writeHooks = (cli: Cli, isRemoval: boolean, json: boolean): number => {
  const world = createWorld();
  const named = join(cli.cwd, '.claude/settings.json');
  // A link to settings kept elsewhere stays a link.
  const file = existsSync(named) ? realpathSync(named) : named;
  const old = readOld(world, file);
  const edited = isRemoval
    ? old === null
      ? { ok: true as const, value: null }
      : removeHooks(old)
    : addHooks(old);
  if (!edited.ok) throw new Exit(exitCodes.usage, { ...(edited.faults[0] ?? unknownFault), where: file });
  const isChanged = edited.value !== old;
  if (isChanged) save(world, file, edited.value);
  if (json) cli.printJson({ file, written: isChanged });
  else cli.print(`${isChanged ? (isRemoval ? 'removed from' : 'written to') : unchanged(isRemoval)} ${file}`);
  return exitCodes.done;
};

const unchanged = (isRemoval: boolean): string => (isRemoval ? 'no ralph-tui hook in' : 'already in');

const unknownFault: Fault = { code: 'claude-settings', what: 'cannot be read' };

const readOld = (world: World, file: string): string | null => {
  try {
    return readText(world.disk, file, 4 * 1024 * 1024);
  } catch (error) {
    throw failure(toFault(error, file));
  }
};

const save = ({ disk, random }: World, file: string, text: string | null): void => {
  try {
    if (text === null) {
      disk.unlink(file);
      return;
    }
    disk.mkdir(dirname(file));
    replaceFile(disk, random, file, text);
  } catch (error) {
    throw failure(toFault(error, file));
  }
};
