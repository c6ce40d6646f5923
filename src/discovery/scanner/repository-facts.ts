import { dirname, isAbsolute, join } from 'node:path';
import { runTool } from '../../base/process/run-tool.ts';
import type { DiscoveryPorts, ScanPlace } from '../ports.ts';
import type { ScanMetadata } from '../records/scan-file.ts';

/** Git's facts about the project directory. */
export interface RepositoryFacts {
  readonly worktreeType: ScanMetadata['worktree_type'];
  readonly mainRepoRoot: string | null;
  /** The project directory's path below the root of its work tree: '' or `packages/app/`. */
  readonly prefix: string;
  /** Tracked paths relative to the project directory, or `null` if git could not list them. */
  readonly tracked: readonly string[] | null;
  readonly hooksPath: string | null;
  /** Why git failed although there is a repository. */
  readonly problem: string | null;
}

/** Keeps git from running programs that a checkout's configuration names (discovery.md, Scanner). */
const quietly = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const gitTimeoutMs = 30_000;

/** Reads git's facts about the project directory with three short commands side by side. */
export const readRepository = async (ports: DiscoveryPorts, place: ScanPlace): Promise<RepositoryFacts> => {
  const ask = (...args: readonly string[]) =>
    runTool(ports, place, { argv: ['git', ...args], timeoutMs: gitTimeoutMs });
  const [position, files, hooks] = await Promise.all([
    ask(...quietly, 'rev-parse', '--show-prefix', '--git-dir', '--git-common-dir'),
    ask(...quietly, 'ls-files', '-z'),
    ask('-c', 'core.fsmonitor=false', 'config', '-z', '--get', 'core.hooksPath'),
  ]);
  if (!position.ok || !files.ok) {
    const there = ports.disk.lstat(join(place.projectDir, '.git')) !== null;
    const problem = there ? `git could not list the files: ${position.error || files.error}` : null;
    return { ...noRepository, problem };
  }
  const [prefix = '', gitDir = '', commonDir = ''] = position.out.split('\n');
  const absolute = (path: string): string => (isAbsolute(path) ? path : join(place.projectDir, path));
  const common = absolute(commonDir);
  return {
    worktreeType: absolute(gitDir) === common ? 'main' : 'linked',
    mainRepoRoot: /\/\.git\/?$/.test(common) ? dirname(common) : common,
    prefix,
    tracked: [...new Set(files.out.split('\0'))].filter((path) => path !== ''),
    hooksPath: hooks.ok ? hooks.out.replace(/\0$/, '') : null,
    problem: null,
  };
};

const noRepository: RepositoryFacts = {
  worktreeType: 'not_git',
  mainRepoRoot: null,
  prefix: '',
  tracked: null,
  hooksPath: null,
  problem: null,
};
