import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFault } from '../../base/fault.ts';
import { ownEnvironment, ownProgram } from '../../base/process/own-program.io.ts';
import { safe } from '../../base/safe.ts';
import { list } from '../../base/sentence.ts';
import { agentFaults } from '../agents/agent-faults.ts';
import type { Cli } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { keyFaults } from '../settings/key-faults.ts';
import { findLayers } from '../settings/load-settings.ts';
import { missingCheckTools } from '../trust/discover-checks.ts';
import { formatDay, trustQuestion } from '../trust/trust-question.ts';
import { workspaceSubjects } from '../trust/workspace-subjects.ts';
import { createWorld, type World } from '../world.ts';
import { examineAgents } from './examine-agents.ts';
import { bad, type Finding, good } from './finding.ts';

/** Examines this machine and this workspace; leaves nothing behind. */
export const examine = (cli: Cli): readonly Finding[] => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  return [
    good('node', process.versions.node),
    process.platform === 'win32'
      ? bad(
          'platform',
          'Windows',
          'signals need a POSIX file system',
          'run ralph-tui inside WSL, on the disk of WSL',
        )
      : good('platform', `${process.platform} ${process.arch}`),
    checkLinks(world, workspace),
    checkProgram(cli, ['git', '--version'], 'diffs and commits need it', 'install git'),
    checkTerminal(cli),
    checkConfiguration(cli, world, workspace),
    tellTrust(cli, world, workspace),
    ...examineAgents(cli, world, workspace),
    ...checkTools(cli, world, workspace),
    checkSpawn(cli),
  ];
};

/** Reports only the first fault; `config check` lists them all. */
const checkConfiguration = (cli: Cli, world: World, workspace: string): Finding => {
  const { layers, faults } = findLayers(cli, world, { workspace, attended: cli.hasPerson });
  const [first] = [...faults, ...keyFaults(layers), ...agentFaults(layers)];
  return first === undefined
    ? good('configuration', 'good')
    : bad(
        'configuration',
        first.where ?? 'ui.keys',
        first.what,
        first.hint ?? 'see `ralph-tui config check`',
      );
};

/** Whether the tools of the repository's checks are installed: `run` without a plan starts these checks. */
const checkTools = (cli: Cli, world: World, workspace: string): readonly Finding[] => {
  const missing = missingCheckTools(world.disk, workspace, cli.env['PATH']);
  if (missing === null) return [];
  if (missing.length === 0)
    return [
      good(
        'checks',
        "the programs that this repository's checks need are on the PATH; `ralph-tui scan` compares versions",
      ),
    ];
  const names = list(missing.map(safe), missing.length);
  return [bad('checks', 'incomplete', `this repository's checks need ${names}`, `install ${names}`)];
};

/** Lists everything that needs consent before it runs. This is never a fault. */
const tellTrust = (cli: Cli, world: World, workspace: string): Finding => {
  const known = workspaceSubjects(cli, world, workspace).map((subject) => {
    const question = trustQuestion(cli.env, world, workspace, [subject]);
    const [asked] = question?.asked ?? [];
    if (asked === undefined) return `${subject.name} is trusted`;
    return asked.since === null
      ? `not trusted yet: ${subject.name}`
      : `${subject.name}: changed since you trusted it on ${formatDay(asked.since)}`;
  });
  return good('trust', known.length === 0 ? 'nothing here needs your trust' : known.join(' · '));
};

/** Tests `link(2)`, which the mailbox needs (src/signals/README.md). Tests it in the workspace because each file system may differ. */
const checkLinks = (world: World, workspace: string): Finding => {
  const { disk, random } = world;
  const first = join(workspace, `.ralph-tui-doctor-${random.hex(8)}`);
  const second = `${first}-link`;
  try {
    disk.close(disk.openExclusive(first));
    try {
      disk.link(first, second);
      disk.unlink(second);
    } finally {
      disk.unlink(first);
    }
    return good('workspace', workspace);
  } catch (error) {
    return bad(
      'workspace',
      workspace,
      toFault(error).what,
      'use a folder that you can write to, on a file system that supports hard links',
    );
  }
};

const checkProgram = (
  { env, cwd }: Pick<Cli, 'env' | 'cwd'>,
  [name, ...args]: readonly [string, ...string[]],
  why: string,
  hint: string,
): Finding => {
  const own = ownEnvironment(env, [cwd]);
  const file = ownProgram(name, own.PATH, []);
  const result =
    file === null ? null : spawnSync(file, args, { encoding: 'utf8', env: own, timeout: 10_000 });
  return result?.status === 0 ? good(name, result.stdout.trim()) : bad(name, 'not found', why, hint);
};

const checkTerminal = (cli: Cli): Finding => {
  if (!cli.hasPerson) return good('terminal', 'none: the plain log is used');
  if (!cli.hasScreen) return good('terminal', 'it cannot draw (TERM=dumb): sessions are shown line by line');
  const { columns, rows } = cli.stdout;
  return columns >= 60 && rows >= 20
    ? good('terminal', `${columns}×${rows}`)
    : bad('terminal', `${columns}×${rows}`, 'the screen needs at least 60×20', 'make the window larger');
};

const checkSpawn = (cli: Cli): Finding => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-tui-doctor-'));
  try {
    return checkProgram(
      cli,
      ['sh', '-c', `cd ${JSON.stringify(folder)} && echo started`],
      'commands run in it',
      'install a POSIX shell',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
