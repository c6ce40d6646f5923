import { join } from 'node:path';
import { loadedByAny } from '../../agents/loaded-files.ts';
import { sha256 } from '../../base/hash.io.ts';
import { createRedact } from '../../base/redact.ts';
import { readBytes } from '../../base/replace-file.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { knownAgents, usedAgents } from '../agents/known-agents.ts';
import { failure } from '../cli.ts';
import type { World } from '../world.ts';
import { promptDirectory } from './own-prompts.ts';
import type { Subject } from './trust-subjects.ts';

/**
 * Subjects for the files that a session's agents load from the repository by themselves, and for its own
 * prompts. Instructions, hooks and servers in them would otherwise start unasked (src/agents/README.md). Each profile
 * names its list. Empty without a model agent.
 */
export const agentSubjects = (
  world: World,
  workspace: string,
  settings: Pick<Settings, 'agents' | 'roles'>,
  tasks: readonly Pick<TaskDefinition, 'agent'>[] = [],
): readonly Subject[] => {
  const used = usedAgents(settings, tasks);
  const agents = knownAgents(settings).filter(({ name }) => used.has(name));
  if (agents.length === 0) return [];
  const readers = new Map<string, string[]>();
  for (const { name, profile } of agents)
    for (const path of profile?.loads ?? loadedByAny) readers.set(path, [...(readers.get(path) ?? []), name]);
  const loaded = [...readers].flatMap(([path, names]) =>
    subjectsAt(world, workspace, path, `would be loaded by ${names.map(safe).join(' and ')}`),
  );
  return [...loaded, ...subjectsAt(world, workspace, promptDirectory, 'would instruct agents')];
};

/**
 * Refuses files that agents would load and that nobody accepted: the background host cannot ask, and they may have changed since somebody agreed.
 * `accepted`: SHA-256 of each accepted file.
 */
export const refuseUnseen = (
  world: World,
  workspace: string,
  settings: Pick<Settings, 'agents' | 'roles'>,
  accepted: readonly string[],
): void => {
  const unseen = agentSubjects(world, workspace, settings).find(
    (subject) => !accepted.includes(subject.sha256),
  );
  if (unseen !== undefined)
    throw failure({
      code: 'needs-yes',
      what: `${unseen.name} ${unseen.would} and changed since it was accepted`,
      where: workspace,
      hint: 'start it in a terminal, where you can look at it and accept it',
    });
};

/** Most files below one path that are shown singly. The rest form one subject that lists only their names. */
const mostFiles = 200;
/** Bytes of one file. */
const largest = 1_048_576;

const subjectsAt = (world: World, workspace: string, path: string, would: string): readonly Subject[] => {
  const files: string[] = [];
  collect(world, workspace, path, files);
  const shown = files.slice(0, mostFiles).map((file) => subjectOf(world, workspace, file, would));
  if (files.length <= mostFiles) return shown;
  const rest = files.slice(mostFiles);
  return [
    ...shown,
    {
      name: safe(`${path} and ${rest.length} more files in it`),
      sha256: sha256(
        JSON.stringify(rest.map((file) => [file, subjectOf(world, workspace, file, would).sha256])),
      ),
      would,
      lines: rest.map(safe),
    },
  ];
};

const collect = (world: World, workspace: string, path: string, files: string[]): void => {
  const { disk } = world;
  const full = join(workspace, path);
  const stat = disk.lstat(full);
  if (stat === null || files.length >= 5 * mostFiles) return;
  if (stat.kind !== 'directory') files.push(path);
  else for (const name of disk.readdir(full).sort()) collect(world, workspace, join(path, name), files);
};

const redact = createRedact();

const subjectOf = ({ disk }: World, workspace: string, file: string, would: string): Subject => {
  const full = join(workspace, file);
  try {
    const bytes = readBytes(disk, full, largest) ?? new Uint8Array();
    const text = new TextDecoder().decode(bytes);
    return {
      name: safe(file),
      sha256: sha256(bytes),
      would,
      lines: isSecret(file) ? variableNames(text) : visibleLines(redact(text)),
    };
  } catch {
    // An agent would read a link or a large file, but its contents cannot be shown.
    const stat = disk.lstat(full);
    const what = `cannot be shown: it is ${stat?.kind === 'file' ? `${stat.size} bytes` : `a ${stat?.kind ?? 'file'}`}`;
    return {
      name: safe(file),
      sha256: sha256(`${file} ${stat?.kind} ${stat?.ino} ${stat?.size} ${stat?.ctimeMs}`),
      would,
      lines: [what],
    };
  }
};

/** Files of variables contain keys, so only the names are shown. */
const isSecret = (file: string): boolean => /(?:^|\/)\.env(?:\.|$)/u.test(file);

const variableNames = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/u.exec(line)?.[1];
    return name === undefined ? [] : [`sets ${name}`];
  });
