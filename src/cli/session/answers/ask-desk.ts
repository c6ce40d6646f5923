import { existsSync, readdirSync } from 'node:fs';
import { z } from 'zod';
import type { Cli } from '../../cli.ts';
import { sayProven } from './proven-socket.ts';
import { servePlace } from './wire.ts';

/** What a screen asks of the `serve` that runs beside it. */
export const deskAskSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('look'), pid: z.int().positive() }),
  /** A new code, in place of the one before. */
  z.strictObject({ type: z.literal('code'), pid: z.int().positive() }),
  z.strictObject({ type: z.literal('revoke'), pid: z.int().positive(), device: z.string().max(40) }),
]);
export type DeskAsk = z.infer<typeof deskAskSchema>;

const shownSchema = z.strictObject({
  addresses: z.array(z.string()).readonly(),
  /** The code that counts now. */
  code: z.string().nullable(),
  devices: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        scope: z.string(),
        /** It views a page now. */
        isConnected: z.boolean(),
      }),
    )
    .readonly(),
});
/** What a screen shows of a running `serve`. */
export type DeskShown = z.infer<typeof shownSchema>;

export type DeskReply = { readonly shown: DeskShown } | { readonly refusal: string };
const replySchema = z.union([
  z.strictObject({ shown: shownSchema }),
  z.strictObject({ refusal: z.string() }),
]);

const who = '`ralph-tui serve`';
const noServe = 'No `ralph-tui serve` shows this workspace: start it in another terminal';

type WithoutPid<T> = T extends unknown ? Omit<T, 'pid'> : never;

/** Asks the `serve` of this workspace; a sentence where none runs, or where it refuses. */
export const askDesk = async (
  env: Cli['env'],
  workspace: string,
  ask: WithoutPid<DeskAsk>,
): Promise<DeskShown | string> => {
  const place = servePlace(env, workspace);
  for (const pid of pidsIn(place.folder, place.name)) {
    const said = await sayProven({ ...place, pid }, ask, who).catch(() => null);
    said?.socket.destroy();
    const reply = replySchema.safeParse(said?.reply).data;
    if (reply !== undefined) return 'shown' in reply ? reply.shown : reply.refusal;
  }
  return noServe;
};

/** Programs that listened under this name; those that were killed are still named. */
const pidsIn = (folder: string, name: string): readonly number[] =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((file) => {
    const pid = file.startsWith(`${name}-`) ? /-(\d+)\.sock$/.exec(file)?.[1] : undefined;
    return pid === undefined ? [] : [Number(pid)];
  });
