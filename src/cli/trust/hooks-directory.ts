import { spawnSync } from 'node:child_process';
import { gitEnvironment } from '../../base/process/git-environment.ts';
import { ownPath, ownProgram } from '../../base/process/own-program.io.ts';
import { repositoryOf } from '../../engine/guards/repository-of.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

const patienceMs = 10_000;

/**
 * The directory from which git runs hooks in this workspace. git itself decides: `core.hooksPath` may be in the configuration of the repository, of a
 * worktree, of the person or the machine, in a file that one of them includes, or in the environment. Looking it up runs nothing.
 */
export const hooksDirectory = (
  env: Cli['env'],
  { disk }: Pick<World, 'disk'>,
  workspace: string,
): string | null => {
  const root = repositoryOf(disk, workspace)?.root;
  if (root === undefined) return null;
  const PATH = ownPath(env['PATH'], [root]);
  const git = ownProgram('git', PATH, []);
  if (git === null) return null;
  const asked = spawnSync(git, ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'], {
    cwd: root,
    env: { ...gitEnvironment(env), PATH },
    encoding: 'utf8',
    timeout: patienceMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = asked.stdout?.replace(/\n$/, '') ?? '';
  return asked.status === 0 && said !== '' ? said : null;
};
