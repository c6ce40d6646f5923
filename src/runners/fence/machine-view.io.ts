import { closeSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { FaultError } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import type { Fence } from './bwrap-command.ts';
import { closedPaths } from './closed-paths.io.ts';
import { machineFiles, procMasks, systemPlaces } from './system-paths.ts';

/** What a fence shows of this machine, and as whom. */
export type MachineView = Pick<Fence, 'system' | 'closed' | 'proc' | 'lowerTo'>;

/** An id that no account has, for what a fence of root runs. Above those that systems and containers hand out. */
const nobodysId = 1_900_000_000;

export const lookAtMachine = ({ network }: Pick<Fence, 'network'>): MachineView => {
  const lowerTo = process.getuid?.() === 0 ? nobodysId : null;
  const system = systemPlaces(realOf);
  return {
    system,
    // An id that nobody has reads only what everybody may.
    closed:
      lowerTo === null
        ? closedPaths(...system.paths, ...machineFiles(network === 'on'))
        : { files: [], directories: [] },
    proc: procMasks((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    lowerTo,
  };
};

const realOf = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};

/** What only root may read is not read inside, also where a person names it. */
export const refuseClosed = (path: string, name: string): void => {
  const stat = statSync(path, { throwIfNoEntry: false });
  const needed = stat?.isDirectory() ? 0o005 : 0o004;
  if (stat === undefined || (stat.mode & needed) === needed) return;
  throw new FaultError({
    code: 'sandbox-closed',
    what: `agents in the sandbox work as an account of their own, which may not read ${path}`,
    where: `runner ${name}`,
    hint: `\`${printedCommand('chmod', '-R', 'o+rX', path)}\` lets every account read it`,
  });
};

/**
 * Closes the files that this program inherited from the one that started it: a fence would inherit them too, whatever they are. Node marks its own for no
 * child.
 */
export const closeInherited = (): void => {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2 && isInherited(fd)) closeSync(fd);
  }
};

const closeOnExec = 0o2000000;

const isInherited = (fd: number): boolean => {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // It was the listing's own.
    return false;
  }
};
