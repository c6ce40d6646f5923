import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Artifact } from '../agents/port.ts';
import { type Disk, DiskError, diskCode } from '../base/disk.ts';
import { type Fault, FaultError } from '../base/fault.ts';
import type { Random } from '../base/random.ts';
import type { Redact } from '../base/redact.ts';
import {
  createLateFlushes,
  flushingOnce,
  makeDurable,
  modeFor,
  readText,
  replaceFile,
  writeNew,
} from '../base/replace-file.ts';
import { type PlannedFile, type PreparedFiles, prepareFiles } from '../base/temporary-file.ts';
import type { SessionPaths } from '../session/paths.ts';

/**
 * Writes the files of an invocation before its end is journaled. Never overwrites a record: `create` under a taken name uses the next
 * free name (src/session/README.md, Writing). Flushes workspace files before the session's: after a power loss no staged file may claim a
 * promotion without the document. Returns oddities. Throws `FaultError` for a path that leaves its root, `DiskError` for the disk.
 */
export const writeArtifacts = (ports: ArtifactPorts, artifacts: readonly Artifact[]): readonly Fault[] =>
  roots.flatMap((root) => flushingOnce(ports.disk, (disk) => place({ ...ports, disk }, root, artifacts)));

/**
 * The same off the main thread: most of the time is waiting for the disk, and other agents continue meanwhile.
 * `isMeant` is asked before anything becomes visible: by then the invocation may be over or the lock lost.
 */
export const writeArtifactsAside = async (
  ports: ArtifactPorts,
  artifacts: readonly Artifact[],
  isMeant: () => boolean,
): Promise<readonly Fault[]> => {
  const prepared = await prepare(ports, artifacts);
  const odd: Fault[] = [];
  try {
    for (const root of roots) {
      if (!isMeant()) break;
      const late = createLateFlushes(ports.disk);
      try {
        odd.push(...place({ ...ports, prepared, disk: late.disk }, root, artifacts));
      } finally {
        await late.flushAside();
      }
    }
  } finally {
    prepared.discard();
  }
  return odd;
};

/** The artifacts as they may be written. Only task files keep secrets, because a task runs with those of its plan. */
export const withoutSecrets = (artifacts: readonly Artifact[], redact: Redact): readonly Artifact[] =>
  artifacts.map((artifact) =>
    isTaskFile(artifact) ? artifact : { ...artifact, text: redact(artifact.text) },
  );

const isTaskFile = ({ root, path }: Artifact): boolean =>
  root === 'session' && /^iterations\/\d+\/tasks\/[^/]+$/.test(path);

export interface ArtifactPorts {
  readonly disk: Disk;
  readonly random: Random;
  readonly paths: SessionPaths;
}

interface WritePorts extends ArtifactPorts {
  readonly prepared?: PreparedFiles;
}

const roots = ['workspace', 'session'] as const;

const place = (ports: WritePorts, root: Artifact['root'], artifacts: readonly Artifact[]): readonly Fault[] =>
  artifacts
    .filter((artifact) => artifact.root === root)
    .flatMap((artifact) => {
      const path = inside(ports, artifact);
      ports.disk.mkdir(dirname(path));
      return writers[artifact.write](ports, path, artifact.text);
    });

/**
 * Prepares the files from the current state of the disk. A file that changes before its write,
 * or is refused here, is written directly then. The next start sweeps whatever a crash leaves.
 */
const prepare = (ports: ArtifactPorts, artifacts: readonly Artifact[]): ReturnType<typeof prepareFiles> => {
  const plan = (artifact: Artifact): readonly PlannedFile[] => {
    try {
      const path = inside(ports, artifact);
      const old = artifact.write === 'create' ? null : readText(ports.disk, path);
      const text = artifact.write === 'append' ? `${old ?? ''}${artifact.text}` : artifact.text;
      const directory = homeOf(ports, path);
      ports.disk.mkdir(directory);
      return old === text ? [] : [{ directory, text, mode: modeFor(ports.disk, path) }];
    } catch (error) {
      if (error instanceof FaultError || error instanceof DiskError) return [];
      throw error;
    }
  };
  return prepareFiles(ports.disk, ports.random, artifacts.flatMap(plan));
};

type Write = (ports: WritePorts, path: string, text: string) => readonly Fault[];

const create: Write = (ports, path, text) => {
  try {
    writeNew(ports.disk, ports.random, path, text, homeOf(ports, path), ports.prepared);
    return [];
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
  }
  // After a crash between the file and its journal line, the file holds exactly the text to write again.
  if (readText(ports.disk, path) === text) return standing(ports, path);
  const free = freeName(ports.disk, path);
  writeNew(ports.disk, ports.random, free, text, homeOf(ports, path));
  return [
    { code: 'name-taken', what: `already existed, so the new file was written as ${free}`, where: path },
  ];
};

const replace: Write = (ports, path, text) => {
  if (readText(ports.disk, path) === text) return standing(ports, path);
  replaceFile(ports.disk, ports.random, path, text, homeOf(ports, path), ports.prepared);
  return [];
};

const append: Write = (ports, path, text) => {
  const old = readText(ports.disk, path);
  // Only at the end can the text be a dead program's write of this entry. The same verdict may occur earlier, followed by another.
  if (old?.endsWith(text)) return standing(ports, path);
  replaceFile(ports.disk, ports.random, path, `${old ?? ''}${text}`, homeOf(ports, path), ports.prepared);
  return [];
};

/** The text is already there, from a program that died before it journaled it. It may not be flushed yet. */
const standing = ({ disk }: WritePorts, path: string): readonly Fault[] => {
  makeDurable(disk, path);
  return [];
};

/** The directory for the temporary file. Outside the session nothing sweeps half-written files, so they are written inside and moved. */
const homeOf = ({ paths }: ArtifactPorts, path: string): string =>
  path.startsWith(paths.directory + sep) ? dirname(path) : paths.directory;

const writers: Readonly<Record<Artifact['write'], Write>> = { create, replace, append };

const freeName = (disk: Disk, path: string): string => {
  const stem = path.replace(/(\.[^./]*)?$/, '');
  const extension = path.slice(stem.length);
  for (let number = 2; ; number += 1) {
    const name = `${stem}~${number}${extension}`;
    if (disk.lstat(name) === null) return name;
  }
};

/** The absolute path. Throws when the path leaves its root by `..`, an absolute path or a symbolic link. */
const inside = (ports: ArtifactPorts, artifact: Artifact): string => {
  const root = artifact.root === 'session' ? ports.paths.directory : ports.paths.workspace;
  const path = join(root, artifact.path);
  const way = relative(root, path);
  if (isAbsolute(artifact.path) || way === '' || way === '..' || way.startsWith(`..${sep}`))
    throw refused(artifact.path, 'is outside the directory it belongs to');
  const parts = way.split(sep);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const part = join(root, ...parts.slice(0, depth));
    if (ports.disk.lstat(part)?.kind === 'symlink')
      throw refused(artifact.path, `${part} is a symbolic link`);
  }
  return path;
};

const refused = (path: string, what: string): FaultError =>
  new FaultError({ code: 'artifact-outside', what, where: path, hint: 'it was not written' });
