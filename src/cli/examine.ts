import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFault } from '../base/fault.ts';
import { resolveSettings } from '../session/config.ts';
import type { Cli } from './cli.ts';
import { findWorkspace } from './find-workspace.ts';
import { keyFaults } from './key-faults.ts';
import { findProgram, knownAgents, unknownRoles } from './known-agents.ts';
import { findLayers } from './load-settings.ts';
import { formatDay, trustQuestion } from './trust-question.ts';
import { workspaceSubjects } from './workspace-subjects.ts';
import { createWorld, type World } from './world.ts';

/** One line of `doctor --json`. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly problem: string | null;
  readonly mend: string | null;
}

/** Looks at this machine and this workspace; changes nothing that stays. */
export const examine = (cli: Cli, verify: boolean): readonly Finding[] => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  return [
    good('node', process.versions.node),
    process.platform === 'win32'
      ? bad('platform', 'Windows', 'signals need a POSIX file system', 'run it inside WSL, on its own disk')
      : good('platform', `${process.platform} ${process.arch}`),
    checkLinks(world, workspace),
    checkProgram('git', ['--version'], 'diffs and commits need it', 'install git'),
    checkTerminal(cli),
    checkConfiguration(cli, world, workspace),
    tellTrust(cli, world, workspace),
    checkAgents(cli, world, workspace),
    ...(verify ? [checkSpawn()] : []),
  ];
};

const good = (check: string, found: string): Finding => ({
  check,
  ok: true,
  found,
  problem: null,
  mend: null,
});

const bad = (check: string, found: string, problem: string, mend: string): Finding => ({
  check,
  ok: false,
  found,
  problem,
  mend,
});

/** The first fault is enough here; `config check` lists them all. */
const checkConfiguration = (cli: Cli, world: World, workspace: string): Finding => {
  const { layers, faults } = findLayers(cli, world, { workspace, attended: cli.hasScreen });
  const [first] = [...faults, ...keyFaults(layers)];
  return first === undefined
    ? good('configuration', 'good')
    : bad('configuration', first.where ?? 'ui.keys', first.what, first.mend ?? 'see ralph-tui config check');
};

/** Who could do the work, and whether each can be started. */
const checkAgents = (cli: Cli, world: World, workspace: string): Finding => {
  const { layers } = findLayers(cli, world, { workspace, attended: cli.hasScreen });
  const { settings } = resolveSettings(layers);
  const own = knownAgents(settings);
  const found = [
    'script (runs the commands of plans)',
    ...own.map(
      ({ name, program, roles }) =>
        `${name} (${program}${roles.length === 0 ? '; no role is given to it' : `; ${roles.join(', ')}`})`,
    ),
    ...(own.length === 0 ? ['no model agent is built in yet'] : []),
  ].join(' · ');
  const isThere = (file: string): boolean => world.disk.lstat(file) !== null;
  const missing = own.find(
    ({ program }) => findProgram(program, workspace, cli.env['PATH'], isThere) === null,
  );
  if (missing)
    return bad(
      'agents',
      found,
      `${missing.program} of agents.${missing.name} is not there`,
      'install it, or mend its command in the configuration',
    );
  const [lost] = unknownRoles(settings);
  return lost === undefined
    ? good('agents', found)
    : bad('agents', found, `roles.${lost} names nobody known`, 'name one of these, or add it under agents');
};

/** What here would be asked about before it runs. Nothing is wrong with that, so it is never a fault. */
const tellTrust = (cli: Cli, world: World, workspace: string): Finding => {
  const known = workspaceSubjects(cli, world, workspace).map((subject) => {
    const question = trustQuestion(cli.env, world, workspace, [subject]);
    const [asked] = question?.asked ?? [];
    if (asked === undefined) return `${subject.name} is trusted`;
    return asked.since === null
      ? `${subject.name} is not trusted yet`
      : `${subject.name} changed since it was trusted on ${formatDay(asked.since)}`;
  });
  return good(
    'trust',
    known.length === 0 ? 'no plan, checks or settings here that would be asked about' : known.join(' · '),
  );
};

/** The mailbox stands on `link(2)` (signals.md): tried in the workspace, because each file system may differ. */
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
      'use a folder you may write to, on a file system with hard links',
    );
  }
};

const checkProgram = (name: string, args: readonly string[], why: string, mend: string): Finding => {
  const result = spawnSync(name, args, { encoding: 'utf8' });
  return result.status === 0 ? good(name, result.stdout.trim()) : bad(name, 'not found', why, mend);
};

const checkTerminal = (cli: Cli): Finding => {
  if (!cli.hasScreen) return good('terminal', 'none: the plain log is used');
  const { columns, rows } = cli.stdout;
  return columns >= 60 && rows >= 20
    ? good('terminal', `${columns}×${rows}`)
    : bad('terminal', `${columns}×${rows}`, 'the screen needs at least 60×20', 'make the window larger');
};

const checkSpawn = (): Finding => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-tui-doctor-'));
  try {
    return checkProgram(
      'sh',
      ['-c', `cd ${JSON.stringify(folder)} && echo started`],
      'commands run in it',
      'install a POSIX shell',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
