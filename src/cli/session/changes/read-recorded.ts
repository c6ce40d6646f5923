import type { ChangedFile, Changes, ChangesRef } from '../../../../components/ports/viewer-port.ts';
import type { Fault } from '../../../base/fault.ts';
import { asSentence } from '../../../base/sentence.ts';
import type { Scope } from '../../../changes/changed-file.ts';
import { textOf } from '../../../changes/git/git-text.ts';
import type { ChangesPort } from '../../../changes/port.ts';
import type { ChangesReader } from '../../../changes/reader.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import { isDeclared } from '../../../tasks/task-files.ts';
import type { Cli } from '../../cli.ts';
import type { World } from '../../world.ts';
import { mostBytes, named, readChanges, recordedSessions, tooLong } from '../read-changes.ts';
import { readUnmerged } from './read-unmerged.ts';

/**
 * What was changed: from snapshots where there are any, else what git says of the files (`readChanges`). `exact`: a diff for `git apply`. `recorded`:
 * what `recordedSessions` says, for who asks more than once.
 */
export const readAnyChanges = async (
  { env, world, paths }: { readonly env: Cli['env']; readonly world: World; readonly paths: SessionPaths },
  wanted: ChangesRef,
  {
    mostNew,
    exact = false,
    recorded,
  }: { readonly mostNew?: number; readonly exact?: boolean; readonly recorded?: readonly string[] } = {},
): Promise<Changes> => {
  const { workspace, session } = paths;
  const sessions = recorded ?? (await recordedSessions(workspace, session));
  if (sessions.length > 0) {
    const { wireChanges } = await import('../../wire-changes.ts');
    const port = wireChanges(env, world, { mostBytes });
    const parts: Changes[] = [];
    for (const each of sessions) {
      const part = await readRecorded(port, workspace, each, wanted, exact);
      if (part !== null) parts.push(part);
    }
    if (parts.length > 0) return together(parts);
  }
  return readChanges(workspace, wanted, { exact, ...(mostNew === undefined ? {} : { mostNew }) });
};

/** The streams of a flow one after the other; a file of several of them is there once. */
const together = (parts: readonly Changes[]): Changes => {
  const files = new Map<string, ChangedFile>();
  for (const file of parts.flatMap((part) => part.files)) {
    const known = files.get(file.path);
    files.set(file.path, known === undefined ? file : sum(known, file));
  }
  return {
    files: [...files.values()],
    diff: parts.map(({ diff }) => diff).join(''),
    cut: parts.some(({ cut }) => cut),
    missing: parts.find((part) => part.missing !== null)?.missing ?? null,
    unmerged: parts.flatMap(({ unmerged = [] }) => unmerged),
  };
};

const sum = (one: ChangedFile, other: ChangedFile): ChangedFile => ({
  path: one.path,
  added: one.added === null || other.added === null ? null : one.added + other.added,
  removed: one.removed === null || other.removed === null ? null : one.removed + other.removed,
});

/**
 * What an attempt, a task or the session changed, from the snapshots taken before and after each attempt. `null` when none were taken of it: then
 * git is asked about the files.
 */
export const readRecorded = async (
  port: ChangesPort,
  workspace: string,
  session: string,
  wanted: ChangesRef,
  exact = false,
): Promise<Changes | null> => {
  const opened = await port.read(workspace, session);
  if (!opened.ok) return null;
  const reader = opened.value;
  const files: ChangedFile[] = [];
  const shown = new Set<string>();
  let diff = '';
  let found = 0;
  for (const scope of scopesOf(wanted)) {
    const ranges = await reader.ranges(scope);
    if (!ranges.ok) return missing(wanted, ranges.fault);
    for (const range of ranges.value) {
      const only = reader.isolation === 'shared' ? ownPaths(wanted) : null;
      const part = await readPart(reader, range, { only, exact });
      if ('code' in part) return missing(wanted, part);
      files.push(...part.files);
      for (const path of part.paths) shown.add(path);
      diff += part.diff;
      found += 1;
    }
    if (found > 0 && scope.of === 'attempt') break;
  }
  const unmerged = wanted.of.task === null ? await readUnmerged(reader) : [];
  if ('code' in unmerged) return missing(wanted, unmerged);
  if (found === 0 && unmerged.length === 0) return null;
  for (const { path } of unmerged.flatMap((work) => work.files)) shown.add(path);
  // Snapshots leave out what git ignores. The files of one attempt are not told apart from those of the attempts before it.
  const unshown = wanted.of.attempt === null ? wanted.seen.filter((path) => !shown.has(path)) : [];
  const ignored = await reader.ignored(unshown);
  return {
    files: [...files, ...named(ignored.ok ? ignored.value : [])],
    diff,
    cut: false,
    missing: null,
    ...(unmerged.length === 0 ? {} : { unmerged }),
  };
};

/** Attempts count from 1 in each iteration: their snapshots have the iteration in the name. */
const scopesOf = ({ of: { task, attempt }, iteration }: ChangesRef): readonly Scope[] => {
  if (task === null) return [{ of: 'session' }];
  const names = Array.from({ length: iteration }, (_, index) =>
    index === 0 ? task : `${task}@${index + 1}`,
  );
  return attempt === null
    ? names.map((name): Scope => ({ of: 'task', task: name }))
    : names.toReversed().map((name): Scope => ({ of: 'attempt', task: name, attempt }));
};

/**
 * Other tasks, and the person, may have worked in the same workspace meanwhile. `null`: all that changed is meant, because a running or a failed
 * attempt may have no files yet that it was seen to change.
 */
const ownPaths = ({ of, files }: ChangesRef): readonly string[] | null =>
  of.task !== null && files.length === 0 ? null : files;

const readPart = async (
  reader: ChangesReader,
  range: Parameters<ChangesReader['patch']>[0],
  { only, exact }: { readonly only: readonly string[] | null; readonly exact: boolean },
): Promise<(Pick<Changes, 'files' | 'diff'> & { readonly paths: readonly string[] }) | Fault> => {
  const changed = await reader.changedFiles(range);
  if (!changed.ok) return changed.fault;
  const own =
    only === null
      ? changed.value
      : changed.value.filter(({ path, from }) =>
          [path, ...(from === null ? [] : [from])].some((each) => isDeclared({ files: only }, each)),
        );
  const files = own.map(({ path, added, removed }) => ({ path, added, removed }));
  if (own.length === 0) return { files, diff: '', paths: [] };
  const paths = own.flatMap(({ path, from }) => (from === null ? [path] : [from, path]));
  const listed = own.length === changed.value.length ? [] : paths;
  const patch = await reader.patch(range, { files: listed, exact });
  if (!patch.ok) return patch.fault;
  return { files, diff: textOf(patch.value), paths };
};

const missing = ({ seen }: ChangesRef, { code, what }: Fault): Changes => ({
  files: named(seen),
  diff: '',
  cut: false,
  missing: asSentence(`No differences: ${code === 'answer-too-long' ? tooLong : what}`),
});
