import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import type { EngineOptions } from '../../engine/engine.ts';
import { isWritten } from '../../issues/trackers/written-files.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { readProofs } from '../session/proof/signal-proof.ts';
import { writtenFiles } from '../state-directory.ts';
import type { World } from '../world.ts';
import { ranByGit } from './ran-by-git.ts';
import { sealPlace } from './sealed-journal.ts';
import { recallTrust } from './trust-memory.ts';

/** What outside the workspace decides whether something in it counts. `agreedJournal`: as in `EngineRequest`. */
export const besideWorkspace = (
  env: Cli['env'],
  world: World,
  { paths, agreedJournal }: { readonly paths: SessionPaths; readonly agreedJournal?: string },
): Pick<EngineOptions, 'isAgreed' | 'proofs' | 'ranByGit' | 'seal' | 'agreedJournal'> => ({
  isAgreed: (file, bytes) =>
    recallTrust(env, world, paths.workspace, file)?.sha256 === sha256(bytes) ||
    isWritten(world, writtenFiles(env), join(paths.workspace, file), bytes),
  proofs: readProofs(env, world, paths),
  ranByGit: () => ranByGit(env, world, paths.workspace),
  seal: sealPlace(env, world, paths),
  ...(agreedJournal === undefined ? {} : { agreedJournal }),
});
