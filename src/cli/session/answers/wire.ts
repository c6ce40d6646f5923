import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../base/hash.io.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Cli } from '../../cli.ts';
import { stateDirectory } from '../../state-directory.ts';

/** One question in one line each way: the host names a file to hold, the screen says what was decided, the host says what came of it. */
export const challengeSchema = z.strictObject({ proof: z.string().max(4_096) });

const device = z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/), name: z.string().max(40) });

export const answerSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('permit'),
    pid: z.int().positive(),
    request: z.string().max(200),
    decision: z.enum(['once', 'session', 'no']),
    why: z.string().max(4_000).exactOptional(),
    /** The device of `serve` on which it was given. */
    device: device.exactOptional(),
  }),
  /** `serve` asks whether keys on the screens let this device approve. */
  z.strictObject({ type: z.literal('device'), pid: z.int().positive(), device }),
  z.strictObject({ type: z.literal('revoke'), pid: z.int().positive(), key: z.string().max(20_000) }),
  /** A screen shows the session until the connection closes. */
  z.strictObject({ type: z.literal('watch'), pid: z.int().positive() }),
]);

export type Answer = z.infer<typeof answerSchema>;

export const resultSchema = z.strictObject({ refusal: z.string().nullable() });

/** Bytes of a line. */
export const longestLine = 65_536;

/** Where programs listen: outside the workspace, in a folder of their user, under a name and their pid. */
export interface ProvenPlace {
  readonly folder: string;
  readonly name: string;
}

const placeOf = (env: Cli['env'], subject: string): ProvenPlace => ({
  folder: join(stateDirectory(env), 'answers'),
  name: sha256(subject).slice(0, 16),
});

/** Where the program that runs the session listens. */
export const answersPlace = (env: Cli['env'], { directory }: Pick<SessionPaths, 'directory'>): ProvenPlace =>
  placeOf(env, directory);

/** Where `serve` listens that shows the sessions of this workspace. */
export const servePlace = (env: Cli['env'], workspace: string): ProvenPlace =>
  placeOf(env, `serve ${workspace}`);

export const socketName = (name: string, pid: number): string => `${name}-${pid}.sock`;
