import { join } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { readText, replaceFile } from '../base/replace-file.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Cli } from './cli.ts';
import type { World } from './world.ts';

/**
 * What screens have shown, by session directory: a viewer's memory, so it lies in the person's state directory and never in the session, where a
 * second viewer would overwrite it. Also the list of workspaces the session picker knows.
 */
export interface Seen {
  /** `seq` of the last event a screen had shown; `null` when it has not gone yet, or went without a word. */
  readonly seq: number | null;
  readonly workspace: string;
  /** ISO 8601, when the screen went; before that, when it came. */
  readonly at: string;
}

const seenSchema = z.record(
  z.string(),
  z.object({ seq: z.number().nullable(), workspace: z.string(), at: z.string() }).readonly(),
);

/** Sessions remembered; the ones looked at longest ago are forgotten. */
const most = 500;

/** Empty when nothing was remembered or the file cannot be used: a memory is never a reason not to start. */
export const readSeen = (cli: Pick<Cli, 'env'>, world: World): Readonly<Record<string, Seen>> => {
  try {
    const text = readText(world.disk, seenFile(cli.env), 1024 * 1024);
    const known = seenSchema.safeParse(JSON.parse(text ?? '{}'));
    return known.success ? known.data : {};
  } catch {
    return {};
  }
};

/** Notes how far a session was shown. Where the state directory cannot be written nothing is remembered, and nothing else happens. */
export const noteSeen = (cli: Pick<Cli, 'env'>, world: World, directory: string, seen: Seen): void => {
  const others = Object.entries(readSeen(cli, world)).filter(([known]) => known !== directory);
  const newest = [...others, [directory, seen] as const]
    .sort(([, a], [, b]) => (a.at < b.at ? 1 : -1))
    .slice(0, most);
  try {
    const file = seenFile(cli.env);
    world.disk.mkdir(join(file, '..'));
    replaceFile(world.disk, world.random, file, `${JSON.stringify(Object.fromEntries(newest), null, 1)}\n`);
  } catch {
    // A read-only home is no reason to keep somebody from leaving.
  }
};

/** Notes that a session is about to be shown or left to run, so that the picker knows its workspace whatever becomes of this program. */
export const noteOpened = (
  cli: Pick<Cli, 'env'>,
  world: World,
  { directory, workspace }: SessionPaths,
): void => {
  const at = new Date(world.clock.now()).toISOString();
  noteSeen(cli, world, directory, { seq: readSeen(cli, world)[directory]?.seq ?? null, workspace, at });
};

/** `$XDG_STATE_HOME/ralph-tui/seen.json` */
const seenFile = (env: Cli['env']): string => {
  const home = env['XDG_STATE_HOME'];
  return join(home ? join(home, 'ralph-tui') : envPaths('ralph-tui', { suffix: '' }).log, 'seen.json');
};
