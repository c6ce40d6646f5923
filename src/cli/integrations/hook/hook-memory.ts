import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../base/hash.io.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import type { Cli } from '../../cli.ts';
import { stateDirectory } from '../../state-directory.ts';
import type { World } from '../../world.ts';

const schema = z.object({
  /** Ids of the messages that this agent was told. */
  shown: z.array(z.string()).readonly(),
  /** The state in which its end was last refused. */
  refused: z.string().nullable(),
  /** It began after the session had ended: that end is none of its business. */
  isLater: z.boolean().default(false),
});

/** What hooks of one agent have done in one session: each event is a process of its own. */
type HookMemory = z.infer<typeof schema>;

const nothing: HookMemory = { shown: [], refused: null, isLater: false };

/** Recalls what earlier hooks of this agent did. */
export const recallHooks = (cli: Cli, world: World, agent: string, session: string): HookMemory => {
  try {
    const text = readText(world.disk, fileOf(cli, agent, session), 256 * 1024);
    return schema.safeParse(JSON.parse(text ?? 'null')).data ?? nothing;
  } catch {
    // A message told twice is better than one never told.
    return nothing;
  }
};

/** Remembers it for the next hook; false when it could not be saved. */
export const rememberHooks = (
  cli: Cli,
  world: World,
  [agent, session]: readonly [string, string],
  memory: HookMemory,
): boolean => {
  try {
    const { disk, random } = world;
    disk.mkdir(directoryOf(cli));
    const shown = memory.shown.slice(-mostShown);
    replaceFile(disk, random, fileOf(cli, agent, session), JSON.stringify({ ...memory, shown }));
    forgetOldest(cli, world);
    return true;
  } catch {
    return false;
  }
};

const mostShown = 1_000;
const mostAgents = 200;

const forgetOldest = (cli: Cli, { disk }: World): void => {
  const paths = disk.readdir(directoryOf(cli)).map((name) => join(directoryOf(cli), name));
  if (paths.length <= mostAgents) return;
  const aged = paths.map((path) => [disk.lstat(path)?.mtimeMs ?? 0, path] as const);
  for (const [, path] of aged.sort(([a], [b]) => a - b).slice(0, paths.length - mostAgents))
    disk.unlink(path);
};

const directoryOf = ({ env }: Cli): string => join(stateDirectory(env), 'hooks');

const fileOf = (cli: Cli, agent: string, session: string): string =>
  join(directoryOf(cli), `${sha256(`${session}\n${agent}`).slice(0, 32)}.json`);
