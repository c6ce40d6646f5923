import { join } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

/**
 * Sessions that screens have shown, by session directory. This is a viewer's memory, so it is kept in the
 * person's state directory: in the session a second viewer would overwrite it. It is also the list of
 * workspaces for the session picker.
 */
interface Seen {
  /** `seq` of the last event shown; `null` while the screen is open, or after it crashed. */
  readonly seq: number | null;
  readonly workspace: string;
  /** ISO 8601, when the screen closed; before that, when it opened. */
  readonly at: string;
}

const seenSchema = z.record(
  z.string(),
  z.object({ seq: z.number().nullable(), workspace: z.string(), at: z.string() }).readonly(),
);

/** Most sessions remembered; the least recently seen are forgotten. */
const most = 500;

/** Empty when the file is missing or unusable: this memory must never prevent a start. */
export const readSeen = (cli: Pick<Cli, 'env'>, world: World): Readonly<Record<string, Seen>> => {
  try {
    const text = readText(world.disk, seenFile(cli.env), 1024 * 1024);
    const known = seenSchema.safeParse(JSON.parse(text ?? '{}'));
    return known.success ? known.data : {};
  } catch {
    return {};
  }
};

/** Records how far a session was shown. Does nothing when the state directory cannot be written. */
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
    // A read-only home must not prevent leaving.
  }
};

/** Records a session before it is shown or left running, so that the picker knows its workspace even after a crash. */
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
