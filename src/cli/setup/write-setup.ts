import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { commandText } from '../../agents/command-text.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { findProgram, isProgramThere } from '../../base/process/find-program.ts';
import { ownProgram } from '../../base/process/own-program.io.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { discover } from '../../discovery/checks/discover.ts';
import { readWorkspace } from '../../discovery/checks/read-workspace.ts';
import { workspaceConfigFile } from '../../session/config.io.ts';
import { parseConfig, resolveSettings } from '../../session/config.ts';
import type { PartialSettings } from '../../session/settings.ts';
import type { SetupAnswers, SetupOffers } from '../../session/setup/questions.ts';
import { setupConfig } from '../../session/setup/setup-config.ts';
import { agentWords, findAgents } from '../agents/found-agents.ts';
import { type Cli, Exit, valueOrExit } from '../cli.ts';
import { findLayers } from '../settings/load-settings.ts';
import { rememberOwnText } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';

/** Collects what the questions of `init` offer. Starts no agent. A configuration with faults ends the program with them. */
export const setupOffers = (cli: Cli, world: World, workspace: string): SetupOffers => {
  const { layers } = findLayers(cli, world, { workspace, attended: cli.hasPerson });
  const { settings } = resolveSettings(layers);
  const agents = findAgents(world, cli.env['PATH'], workspace, settings).filter(({ file }) => file !== null);
  const program = ownProgram('git', cli.env['PATH'], [workspace]);
  const git = (...args: readonly string[]): boolean =>
    program !== null &&
    spawnSync(program, ['-C', workspace, ...args], { stdio: 'ignore', timeout: 10_000 }).status === 0;
  const isRepository = git('rev-parse', '--git-dir');
  return {
    agents: agents.map((agent) => ({ name: agent.name, about: safe(agentWords(agent)) })),
    settings,
    written: writtenIn(world, workspace),
    canIsolate: isRepository && git('rev-parse', '--verify', 'HEAD'),
    ...checksIn(world, workspace),
    trackers: trackersIn(cli, world, workspace),
    shows: isRepository && !git('check-ignore', '-q', '.ralph-sessions/any'),
  };
};

/** What is there of each tracker. Runs nothing. */
const trackersIn = (
  { env }: Pick<Cli, 'env'>,
  { disk }: World,
  workspace: string,
): SetupOffers['trackers'] => {
  const has = (path: string): boolean => disk.lstat(join(workspace, path)) !== null;
  const isGithub = /^\s*url\s*=.*github\.com[:/]/m.test(readGitConfig(disk, workspace));
  return {
    ...(has('.ralph/issues') ? { native: '.ralph/issues' } : {}),
    ...(has('prd.json') ? { prd: 'prd.json' } : {}),
    ...(has('TODO.md') ? { markdown: 'TODO.md' } : {}),
    ...(has('.beads') ? { beads: '.beads' } : {}),
    ...(isGithub && findProgram('gh', workspace, env, isProgramThere(disk)) !== null
      ? { gh: 'a remote on GitHub, and gh' }
      : {}),
  };
};

const readGitConfig = (disk: World['disk'], workspace: string): string => {
  try {
    return readText(disk, join(workspace, '.git/config')) ?? '';
  } catch {
    // In a worktree .git is a file: nothing is known of its remotes here.
    return '';
  }
};

const writtenIn = (world: World, workspace: string): PartialSettings => {
  const file = workspaceConfigFile(workspace);
  const text = readText(world.disk, file) ?? '';
  return text.trim() === '' ? {} : valueOrExit(parseConfig(text, file, 'workspace')).values;
};

/** The repository's own lint, typecheck and test commands as one line, and what prepares a fresh checkout. */
const checksIn = (world: World, workspace: string): Pick<SetupOffers, 'checks' | 'install'> => {
  const tasks = discover(readWorkspace(world.disk, workspace))?.tasks ?? [];
  const linesOf = (kind: RegExp): readonly string[] =>
    tasks.filter(({ id }) => kind.test(id)).flatMap(({ run }) => run.map(commandText));
  return {
    checks: safe(linesOf(/-(?:lint|typecheck|test)$/).join(' && ')),
    install: safe(linesOf(/-install$/).join(' && ')),
  };
};

/** Writes the configuration and the line for git, and gives one sentence about it. Throws one sentence when a file cannot be written. */
export const writeSetup = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  offers: SetupOffers,
  answers: SetupAnswers,
): string => {
  try {
    return written(cli, world, workspace, offers, answers);
  } catch (error) {
    throw error instanceof Exit
      ? error
      : new Error(`not everything was written: ${formatFault(toFault(error))}`);
  }
};

const written = (...[cli, world, workspace, offers, answers]: Parameters<typeof writeSetup>): string => {
  const file = workspaceConfigFile(workspace);
  const config = setupConfig(readText(world.disk, file), offers, answers);
  if (config !== null) {
    valueOrExit(parseConfig(config, file, 'workspace'));
    world.disk.mkdir(dirname(file));
    replaceFile(world.disk, world.random, file, config);
    // The person who answered is not asked about these bytes again.
    rememberOwnText(cli.env, world, workspace, '.ralph/config.yaml', config);
  }
  if (offers.shows) {
    const ignore = join(workspace, '.gitignore');
    const before = readText(world.disk, ignore) ?? '';
    const end = before === '' || before.endsWith('\n') ? '' : '\n';
    replaceFile(world.disk, world.random, ignore, `${before}${end}.ralph-sessions/\n`);
  }
  const names = [...(config === null ? [] : ['.ralph/config.yaml']), ...(offers.shows ? ['.gitignore'] : [])];
  return names.length === 0
    ? 'Nothing to write: the repository is already set up this way.'
    : `Written: ${names.join(' and ')}.`;
};
