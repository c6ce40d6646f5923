import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commandAgentSchema } from '../../agents/backends/command/create-command-backend.ts';
import { agentWorktrees, loadedByAny } from '../../agents/loaded-files.ts';
import { realPath } from '../../agents/real-path.ts';
import { sha256 } from '../../base/hash.io.ts';
import { shellWords } from '../../base/process/printed-command.ts';
import { createRedact } from '../../base/redact.ts';
import { readBytes } from '../../base/replace-file.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import { repositoryOf } from '../../engine/guards/repository-of.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { count } from '../../words/local-time.ts';
import { type KnownAgent, knownAgents, usedAgents } from '../agents/known-agents.ts';
import { failure } from '../cli.ts';
import type { World } from '../world.ts';
import { promptDirectory } from './own-prompts.ts';
import type { Subject } from './trust-subjects.ts';

type AgentSettings = Pick<Settings, 'agents' | 'roles' | 'permissions'>;

/**
 * Subjects for the files that a session's agents load from the repository by themselves, and for its own
 * prompts. Instructions, hooks and servers in them would otherwise start unasked (src/agents/README.md). Each profile
 * names its list, which agents look for in the workspace and in the folders of the repository above it. Also for an agent that cannot ask. Empty without a model agent.
 */
export const agentSubjects = (
  world: World,
  workspace: string,
  settings: AgentSettings,
  tasks: readonly Pick<TaskDefinition, 'agent'>[] = [],
): readonly Subject[] => {
  const used = usedAgents(settings, tasks);
  const agents = knownAgents(settings).filter(({ name }) => used.has(name));
  if (agents.length === 0) return [];
  const readers = new Map<string, string[]>();
  for (const { name, profile } of agents)
    for (const path of profile?.loads ?? loadedByAny) readers.set(path, [...(readers.get(path) ?? []), name]);
  const folders = foldersOf(world, workspace);
  const loaded = [...readers].flatMap(([path, names]) =>
    folders.flatMap((folder) =>
      subjectsAt(world, workspace, join(folder, path), `would be loaded by ${names.map(safe).join(' and ')}`),
    ),
  );
  return [
    ...agents.flatMap((agent) => printModeSubject(agent, settings) ?? []),
    ...loaded,
    ...subjectsAt(world, workspace, promptDirectory, 'would instruct agents'),
  ];
};

/** An agent without its adapter cannot ask, and nobody chose what it may do: that it edits files is for a person to accept. */
const printModeSubject = (
  { name, adapter }: KnownAgent,
  { agents, permissions }: AgentSettings,
): Subject | null => {
  const agent = commandAgentSchema.safeParse(agents[name]);
  const mode = adapter?.printMode;
  if (!mode || !agent.success || permissions !== 'ask') return null;
  const command = shellWords(agent.data.command);
  if (isDeepStrictEqual(agent.data.command.slice(1), [...mode.args, ...mode.allows.ask])) return null;
  return {
    name: `${safe(name)} in its print mode`,
    sha256: sha256(command),
    would: 'would edit files without asking, because it cannot ask',
    lines: [safe(command), 'what it may do instead is set by `permissions` (`ask`: it only reads)'],
  };
};

/** The workspace and what is above it in its repository, relative to the workspace. A home is no part of a repository: what is in it is the person's own. */
const foldersOf = ({ disk }: World, workspace: string): readonly string[] => {
  const root = repositoryOf(disk, workspace)?.root ?? workspace;
  const folders = [''];
  for (let at = workspace; at !== root && dirname(at) !== homedir(); at = dirname(at))
    folders.push(relative(workspace, dirname(at)));
  return folders;
};

/**
 * Refuses files that agents would load and that nobody accepted: the background host cannot ask, and they may have changed since somebody agreed.
 * `accepted`: SHA-256 of each accepted file.
 */
export const refuseUnseen = (
  world: World,
  workspace: string,
  settings: AgentSettings,
  accepted: readonly string[],
  tasks: Parameters<typeof agentSubjects>[3] = [],
): void => {
  const unseen = agentSubjects(world, workspace, settings, tasks).find(
    (subject) => !accepted.includes(subject.sha256),
  );
  if (unseen !== undefined)
    throw failure({
      code: 'needs-yes',
      what: `${unseen.name} (changed since last accepted) ${unseen.would}`,
      where: workspace,
      hint: 'run this in a terminal to review and accept it',
    });
};

/** Most files below one path that are shown singly. The rest form one subject that lists only their names. */
const mostFiles = 200;
/** Most files whose bytes count. Of the rest the marks of the file system do, which every write changes. */
const mostRead = 1_000;
/** Bytes of one file. */
const largest = 1_048_576;

/** One file that an agent loads. */
interface Loaded {
  /** Relative to the workspace, as the agent finds it. */
  readonly path: string;
  /** Absolute: where its bytes are. */
  readonly real: string;
}

const subjectsAt = (world: World, workspace: string, path: string, would: string): readonly Subject[] => {
  const files: Loaded[] = [];
  collect(world, workspace, { path, real: join(workspace, path) }, files);
  const shown = files.slice(0, mostFiles).map((file) => subjectOf(world, file, would));
  if (files.length <= mostFiles) return shown;
  const rest = files.slice(mostFiles);
  const marks = rest.map((file, index) => [
    file.path,
    index < mostRead - mostFiles ? subjectOf(world, file, would).sha256 : markOf(world, file),
  ]);
  return [
    ...shown,
    {
      name: safe(`${path} and ${count(rest.length, 'more file')} in it`),
      sha256: sha256(JSON.stringify(marks)),
      would,
      lines: rest.map((file) => safe(file.path)),
    },
  ];
};

/** Links to what the repository holds count as that: agents follow them. `seen`: directories, each of which is read once. */
const collect = (
  world: World,
  workspace: string,
  { path, real }: Loaded,
  files: Loaded[],
  seen = new Set<string>(),
): void => {
  const { disk } = world;
  const stat = disk.lstat(real);
  if (stat === null || seen.has(real) || path.endsWith(agentWorktrees)) return;
  if (stat.kind === 'directory') {
    seen.add(real);
    for (const name of disk.readdir(real).sort())
      collect(world, workspace, { path: join(path, name), real: join(real, name) }, files, seen);
    return;
  }
  const target = stat.kind === 'symlink' ? realPath(disk, real) : null;
  const root = repositoryOf(disk, workspace)?.root ?? workspace;
  if (target?.startsWith(`${realPath(disk, root) ?? root}/`))
    collect(world, workspace, { path, real: target }, files, seen);
  else files.push({ path, real });
};

/** It changes with each write of the file, which is not read. */
const markOf = ({ disk }: World, { path, real }: Loaded): string => {
  const stat = disk.lstat(real);
  return `${path} ${stat?.kind} ${stat?.ino} ${stat?.size} ${stat?.ctimeMs}`;
};

const redact = createRedact();

const subjectOf = (world: World, file: Loaded, would: string): Subject => {
  const { disk } = world;
  const { path, real } = file;
  try {
    const bytes = readBytes(disk, real, largest) ?? new Uint8Array();
    const text = new TextDecoder().decode(bytes);
    return {
      name: safe(path),
      sha256: sha256(bytes),
      would,
      lines: isSecret(path) ? variableNames(text) : visibleLines(redact(text)),
    };
  } catch {
    // An agent would read a link to elsewhere or a large file, but its contents cannot be shown.
    const stat = disk.lstat(real);
    const what = `cannot be shown: it is ${stat?.kind === 'file' ? `${stat.size} bytes` : `a ${stat?.kind ?? 'file'}`}`;
    return { name: safe(path), sha256: sha256(markOf(world, file)), would, lines: [what] };
  }
};

/** Files of variables contain keys, so only the names are shown. */
const isSecret = (file: string): boolean => /(?:^|\/)\.env(?:\.|$)/u.test(file);

const variableNames = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/u.exec(line)?.[1];
    return name === undefined ? [] : [`sets ${name}`];
  });
