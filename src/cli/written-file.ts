import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { redactDeep } from '../base/redact.ts';
import { readText, replaceFile } from '../base/replace-file.ts';
import type { Written } from '../store/desk.ts';
import type { Cli } from './cli.ts';
import type { World } from './world.ts';

/** What was written in composers: one history for all sessions, drafts by session. Private to the person (0600), and without secrets. */
const writtenSchema = z.object({
  history: z.array(z.string()).readonly(),
  drafts: z.record(z.string(), z.record(z.string(), z.string()).readonly()).readonly(),
});
type Kept = z.infer<typeof writtenSchema>;

const nothing: Kept = { history: [], drafts: {} };
const mostMessages = 100;
const mostSessions = 50;

/** What earlier screens kept for a session; nothing when there is no file or it cannot be used. */
export const recallWritten = (env: Cli['env'], world: World, session: string): Written => {
  const kept = read(env, world);
  return { drafts: kept.drafts[session] ?? {}, history: kept.history };
};

/** Adds to what other screens kept meanwhile: messages of both stay, drafts of other sessions are left alone. */
export const rememberWritten = (env: Cli['env'], world: World, session: string, written: Written): void => {
  const kept = read(env, world);
  const own = Object.entries(written.drafts).filter(([, text]) => text.trim() !== '');
  const others = Object.entries(kept.drafts).filter(([known]) => known !== session);
  const drafts = own.length === 0 ? others : [...others, [session, Object.fromEntries(own)] as const];
  const theirs = kept.history.filter((message) => !written.history.includes(message));
  const next: Kept = {
    history: [...theirs, ...written.history].slice(-mostMessages),
    drafts: Object.fromEntries(drafts.slice(-mostSessions)),
  };
  try {
    const file = writtenFile(env);
    world.disk.mkdir(dirname(file));
    const kept = JSON.stringify(redactDeep(world.redact, next), null, 1);
    replaceFile(world.disk, world.random, file, `${kept}\n`);
  } catch {
    // A read-only home loses the memory and nothing else.
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

/** `$XDG_STATE_HOME/ralph-tui` */
export const stateDirectory = (env: Cli['env']): string => {
  const home = env['XDG_STATE_HOME'];
  return home ? join(home, 'ralph-tui') : envPaths('ralph-tui', { suffix: '' }).log;
};

const writtenFile = (env: Cli['env']): string => join(stateDirectory(env), 'written.json');
