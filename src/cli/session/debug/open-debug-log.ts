import { isAbsolute, join } from 'node:path';
import { DiskError } from '../../../base/disk.ts';
import { diskReason } from '../../../base/disk-reason.ts';
import { type DebugLog, openDebugLog } from '../../../observability/debug/debug-log.ts';
import type { Settings } from '../../../session/settings.ts';
import type { Cli } from '../../cli.ts';
import { stateDirectory } from '../../state-directory.ts';
import { version } from '../../version.ts';
import type { World } from '../../world.ts';

/** Whether a debug log is wanted. Without it nothing is opened, and nothing is wrapped. */
const wantsDebug = (env: Cli['env'], settings: Pick<Settings, 'observability'> | null): boolean =>
  env['RALPH_DEBUG'] === 'true' || settings?.observability.debug === true;

/** Where the debug logs are. A relative folder counts from the workspace. */
export const debugDirectory = (
  env: Cli['env'],
  workspace: string,
  settings: Pick<Settings, 'observability'> | null,
): string => {
  const dir = settings?.observability.dir ?? null;
  if (dir === null) return join(stateDirectory(env), 'logs/debug');
  return isAbsolute(dir) ? dir : join(workspace, dir);
};

interface DebugRequest {
  readonly workspace: string;
  readonly settings: Pick<Settings, 'observability'> | null;
  /** The session that this process hosts. */
  readonly session: string | null;
  /** Told in one sentence when the log cannot be written. The program works without it. */
  readonly tell: (sentence: string) => void;
}

/** Opens a debug log if one is wanted; `null` otherwise, and where it cannot be opened. It ends with the process. */
export const openDebug = ({ env }: Cli, world: World, request: DebugRequest): DebugLog | null => {
  const { workspace, settings, session, tell } = request;
  if (!wantsDebug(env, settings)) return null;
  const lost = (error: DiskError): void =>
    tell(`ralph-tui: the debug log stops here: ${diskReason(error).clause} (${error.path})`);
  try {
    const log = openDebugLog({ ...world, lost }, debugDirectory(env, workspace, settings), {
      session,
      versions: { 'ralph-tui': version, node: process.versions.node },
      platform: `${process.platform} ${process.arch}`,
      environment: Object.fromEntries(
        told.flatMap((name) => {
          const value = env[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    });
    process.once('exit', log.close);
    return log;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    lost(error);
    return null;
  }
};

/** Variables whose values say how the program behaves, and nothing of a person. */
const told = [
  'CI',
  'COLORTERM',
  'LANG',
  'NO_COLOR',
  'RALPH_DEBUG',
  'RALPH_ROLE',
  'TERM',
  'TERM_PROGRAM',
  'TMUX',
  'TZ',
];
