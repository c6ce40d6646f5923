import { join } from 'node:path';
import { z } from 'zod';
import { formatTimestamp } from '../../../base/clock.ts';
import { toFault } from '../../../base/fault.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Sign, Signed } from '../../../signals/mailbox.ts';
import type { Proofs } from '../../../signals/proof.ts';
import { type Cli, usage } from '../../cli.ts';
import { isStartedByAgent } from '../../started-by-agent.ts';
import type { World } from '../../world.ts';
import { isPrivate } from './is-private.ts';
import { forgetOldest, recordsOf } from './session-records.ts';

type Env = Cli['env'];

/**
 * Records that a person sends a signal (src/signals/README.md, rule 13): one file per signal, outside the workspace, 0600. Its name is the signal's id, the hash of
 * its name and bytes. A child of our agents writes no record. When no record can be written, a signal is sent all the same that only stops, or that
 * counts without one: `countsAnyway`, a session in which only scripts work.
 */
export const signAsPerson =
  (env: Env, world: World, paths: SessionPaths, by: string, countsAnyway: boolean): Sign =>
  ({ id }, { type }) => {
    const signed: Signed = { revoke: () => readProofs(env, world, paths).spend(id) };
    if (isStartedByAgent(env)) return signed;
    try {
      record(env, world, paths, { id, by });
      return signed;
    } catch (error) {
      if (countsAnyway || stopping.has(type)) return signed;
      const fault = toFault(error, recordsOf(env, 'proofs', paths));
      return {
        ...fault,
        what: `the record that you sent this signal cannot be written: ${fault.what}`,
        hint: 'make the directory writable, or set signals.unproven: accept',
      };
    }
  };

const stopping: ReadonlySet<string> = new Set(['PAUSE', 'ABORT', 'DRAIN']);

/** Records that a person stands behind a file in the mailbox. Throws a usage error for an agent, and the disk's error. */
export const confirmAsPerson = (
  env: Env,
  world: World,
  paths: SessionPaths,
  signal: { readonly id: string; readonly by: string },
): void => {
  if (isStartedByAgent(env))
    throw usage(
      'only a person can confirm this, but this program was started by an agent or by a command running in a session',
      'confirm it on the screen, or in your own terminal',
    );
  record(env, world, paths, signal);
};

const record = (
  env: Env,
  world: World,
  paths: SessionPaths,
  { id, by }: { readonly id: string; readonly by: string },
): void => {
  const directory = recordsOf(env, 'proofs', paths);
  const isNew = world.disk.lstat(directory) === null;
  world.disk.mkdir(directory);
  const proof = { id, by, at: formatTimestamp(world.clock) };
  replaceFile(world.disk, world.random, join(directory, `${id}.json`), `${JSON.stringify(proof)}\n`);
  if (isNew) forgetOldest(env, 'proofs');
};

const proofSchema = z.object({ id: z.string(), by: z.string(), at: z.string() });

/**
 * The records of one session. A record that another user could have written does not count. Most signals of a flood have none: the file is looked for
 * first. A spent record has another name, so that spending one is a rename.
 */
export const readProofs = (env: Env, world: World, paths: SessionPaths): Proofs => {
  const { disk } = world;
  const directory = recordsOf(env, 'proofs', paths);
  const read = (id: string, file: string) => {
    try {
      if (!isPrivate(world, file) || !isPrivate(world, directory)) return null;
      const found = proofSchema.safeParse(JSON.parse(readText(disk, file, 4_096) ?? 'null')).data;
      return found?.id === id ? { by: found.by, at: found.at } : null;
    } catch {
      return null;
    }
  };
  return {
    of: (id) => {
      if (!isId.test(id)) return null;
      const fresh = read(id, join(directory, `${id}.json`));
      if (fresh !== null) return { ...fresh, spent: false };
      const old = read(id, join(directory, spentName(id)));
      return old === null ? null : { ...old, spent: true };
    },
    spend: (id) => {
      const file = join(directory, `${id}.json`);
      if (!isId.test(id) || disk.lstat(file) === null) return;
      disk.rename(file, join(directory, spentName(id)));
      disk.flushDirectory(directory);
    },
  };
};

const isId = /^[0-9a-f]{64}$/;
const spentName = (id: string): string => `${id}.spent.json`;
