import { dirname, join, resolve } from 'node:path';
import { personalGit } from '../../base/process/git-environment.ts';
import { runTool, type ToolResult } from '../../base/process/run-tool.ts';
import type { DiscoveryPorts, ScanPlace } from '../ports.ts';
import type { ScanMetadata } from '../records/scan-file.ts';
import { type GitPlace, gitPlace, maySetHooks } from './git-place.ts';

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

/** Keeps git from running programs that a checkout's configuration names (src/discovery/README.md, Scanner). */
const quietly = ['-c', 'core.fsmonitor=false'];
const gitTimeoutMs = 30_000;

/** What is known as soon as git has listed the files. The rest comes meanwhile, because each start of a program costs more than a small scan. */
interface RepositoryRead {
  readonly tracked: Promise<readonly string[] | null>;
  readonly facts: Promise<RepositoryFacts>;
}

/** Reads git's facts about the project directory. Asks git for no more than the files, where its own layout tells the rest. */
export const readRepository = (ports: DiscoveryPorts, place: ScanPlace): RepositoryRead => {
  const ask = (...args: readonly string[]) =>
    runTool(ports, place, {
      argv: ['git', ...quietly, ...args],
      timeoutMs: gitTimeoutMs,
      inherit: Object.keys(personalGit(ports.env)),
    });
  const listing = ask('-c', 'core.hooksPath=/dev/null', 'ls-files', '-z');
  const position = positionOf(ports, place, ask);
  const tracked = listing.then((files) =>
    files.ok ? [...new Set(files.out.split('\0'))].filter((path) => path !== '') : null,
  );
  return {
    tracked,
    facts: Promise.all([position, listing, tracked]).then(([at, files, paths]) =>
      factsOf(ports, place, at, files, paths),
    ),
  };
};

interface Position extends GitPlace {
  readonly hooksPath: string | null;
}

/** A repository's place in the file system, or git's words on why there is none. */
const positionOf = async (
  ports: DiscoveryPorts,
  { projectDir }: ScanPlace,
  ask: (...args: readonly string[]) => Promise<ToolResult>,
): Promise<Position | string> => {
  const found = gitPlace(ports.disk, projectDir);
  if (found !== null && !maySetHooks(ports.disk, found, ports.env)) return { ...found, hooksPath: null };
  const said = await ask(
    'rev-parse',
    '--show-prefix',
    '--git-dir',
    '--git-common-dir',
    '--git-path',
    'hooks',
  );
  if (!said.ok) return said.error;
  const [prefix = '', gitDir = '', commonDir = '', hooks = ''] = said.out.split('\n');
  const [git, common, used] = [gitDir, commonDir, hooks].map((path) => resolve(projectDir, path));
  return {
    prefix,
    gitDir: git ?? '',
    commonDir: common ?? '',
    // Git names the usual directory where `core.hooksPath` is not set.
    hooksPath: used === join(common ?? '', 'hooks') ? null : hooks,
  };
};

const factsOf = (
  ports: DiscoveryPorts,
  { projectDir }: ScanPlace,
  position: Position | string,
  files: ToolResult,
  tracked: readonly string[] | null,
): RepositoryFacts => {
  if (typeof position === 'string' || tracked === null) {
    const there = ports.disk.lstat(join(projectDir, '.git')) !== null;
    const reason = typeof position === 'string' && position !== '' ? position : files.error;
    return { ...noRepository, problem: there ? `git could not list the files: ${reason}` : null };
  }
  const { gitDir, commonDir, prefix, hooksPath } = position;
  return {
    worktreeType: gitDir === commonDir ? 'main' : 'linked',
    mainRepoRoot: /\/\.git\/?$/.test(commonDir) ? dirname(commonDir) : commonDir,
    prefix,
    tracked,
    hooksPath,
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
