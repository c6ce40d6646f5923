import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Fault, toFault } from '../../../base/fault.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import { type Cli, Exit, exitCodes, failure } from '../../cli.ts';
import { createWorld, type World } from '../../world.ts';
import type { Entry } from './entry.ts';

/** Puts an entry of ours into the settings of another program, or takes it out. */
export const writeEntry = (cli: Cli, entry: Entry, isRemoval: boolean, json: boolean): number => {
  const world = createWorld();
  const named = entry.file(cli, world);
  // A link to settings kept elsewhere stays a link.
  const file = existsSync(named) ? realpathSync(named) : named;
  const there = isRemoval ? null : (entry.elsewhere?.(cli, world) ?? null);
  if (there !== null) {
    if (json) cli.printJson({ file, written: false, elsewhere: there });
    else cli.print(`nothing was written: ${there}`);
    return exitCodes.done;
  }
  const old = readOld(world, file);
  const edited = isRemoval
    ? old === null
      ? { ok: true as const, value: null }
      : entry.remove(old)
    : entry.add(old);
  if (!edited.ok) throw new Exit(exitCodes.usage, { ...(edited.faults[0] ?? unknownFault), where: file });
  const isChanged = edited.value !== old;
  if (isChanged) save(world, file, edited.value);
  const same = isRemoval ? `no ${entry.name} in` : 'already in';
  if (json) cli.printJson({ file, written: isChanged });
  else cli.print(`${isChanged ? (isRemoval ? 'removed from' : 'written to') : same} ${file}`);
  return exitCodes.done;
};

const unknownFault: Fault = { code: 'settings-entry', what: 'cannot be read' };

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
