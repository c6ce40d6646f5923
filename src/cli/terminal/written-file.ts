import { dirname, join } from 'node:path';
import { z } from 'zod';
import { tasksForms, thirdPanes } from '../../../components/ports/tasks-form.ts';
import type { Written } from '../../../components/ports/terminal-port.ts';
import { redactDeep } from '../../base/redact.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** Text from composers: one history for all sessions, drafts by session. Private to the person (0600) and free of secrets. */
const writtenSchema = z.object({
  history: z.array(z.string()).readonly(),
  drafts: z.record(z.string(), z.record(z.string(), z.string()).readonly()).readonly(),
  shown: z.object({ tasks: z.enum(tasksForms).nullable(), third: z.enum(thirdPanes) }).optional(),
});
type Kept = z.infer<typeof writtenSchema>;

const nothing: Kept = { history: [], drafts: {} };
const mostMessages = 100;
const mostSessions = 50;

/** Drafts and history of earlier screens; empty when the file is missing or unusable. */
export const recallWritten = (env: Cli['env'], world: World, session: string): Written => {
  const kept = read(env, world);
  return {
    drafts: kept.drafts[session] ?? {},
    history: kept.history,
    ...(kept.shown && { shown: kept.shown }),
  };
};

/** Merges with what other screens saved meanwhile: keeps the messages of both and the drafts of other sessions. */
export const rememberWritten = (env: Cli['env'], world: World, session: string, written: Written): void => {
  const kept = read(env, world);
  const own = Object.entries(written.drafts).filter(([, text]) => text.trim() !== '');
  const others = Object.entries(kept.drafts).filter(([known]) => known !== session);
  const drafts = own.length === 0 ? others : [...others, [session, Object.fromEntries(own)] as const];
  const theirs = kept.history.filter((message) => !written.history.includes(message));
  const next: Kept = {
    history: [...theirs, ...written.history].slice(-mostMessages),
    drafts: Object.fromEntries(drafts.slice(-mostSessions)),
    shown: written.shown ?? kept.shown,
  };
  try {
    const file = writtenFile(env);
    world.disk.mkdir(dirname(file));
    const kept = JSON.stringify(redactDeep(world.redact, next), null, 1);
    replaceFile(world.disk, world.random, file, `${kept}\n`);
  } catch {
    // With a read-only home only this memory is lost.
  }
};

const read = (env: Cli['env'], world: World): Kept => {
  try {
    const text = readText(world.disk, writtenFile(env), 8 * 1024 * 1024);
    const known = writtenSchema.safeParse(JSON.parse(text ?? 'null'));
    return known.success ? known.data : nothing;
  } catch {
    return nothing;
  }
};

const writtenFile = (env: Cli['env']): string => join(stateDirectory(env), 'written.json');
