import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { isInside } from '../../agents/backends/script/file-marks.ts';
import { realPath } from '../../agents/real-path.ts';
import { gitEnvironment } from '../../base/process/git-environment.ts';
import { ownPath, ownProgram } from '../../base/process/own-program.io.ts';
import { repositoryOf } from '../../engine/guards/repository-of.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

const patienceMs = 10_000;

/**
 * What decides which programs git runs in this workspace and may be somebody's work: the directory of its hooks, and each file in the repository that its
 * configuration includes. git itself says: `core.hooksPath` and `include.path` may be in the configuration of the repository, of a worktree, of the person
 * or the machine, in a file that one of them includes, or in the environment. Looking it up runs nothing.
 */
export const ranByGit = (
  env: Cli['env'],
  { disk }: Pick<World, 'disk'>,
  workspace: string,
): readonly string[] => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null) return [];
  const { root } = repository;
  const place = realPath(disk, root) ?? root;
  const PATH = ownPath(env['PATH'], [root]);
  const git = ownProgram('git', PATH, []);
  if (git === null) return [];
  const ask = (...args: readonly string[]): string => {
    const asked = spawnSync(git, args, {
      cwd: root,
      env: { ...gitEnvironment(env), PATH },
      encoding: 'utf8',
      timeout: patienceMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return asked.status === 0 ? asked.stdout : '';
  };
  const hooks = ask('rev-parse', '--path-format=absolute', '--git-path', 'hooks').replace(/\n$/, '');
  const settings = ask('config', '--list', '--includes', '--show-origin', '--name-only', '-z')
    .split('\0')
    .flatMap((part) => (part.startsWith('file:') ? [resolve(root, part.slice('file:'.length))] : []))
    .map((file) => realPath(disk, file) ?? file)
    // An agent's change of these two is undone.
    .filter(
      (file) =>
        isInside(place, file) &&
        file !== join(place, '.git/config') &&
        file !== join(place, '.git/config.worktree'),
    );
  return [...(hooks === '' ? [] : [hooks]), ...new Set(settings)];
};
