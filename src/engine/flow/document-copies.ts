import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { FaultError } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readBytes, readText, writeNew } from '../../base/replace-file.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import type { IssueId } from '../../issues/issue.ts';
import { documentOf } from '../../issues/task-list/flow-result.ts';
import { isRecorded } from '../../pipeline/modes/flow/flow-state.ts';
import { type Listed, listOf, streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { type FlowContext, flowOf } from './flow-context.ts';

/** The changes of the stream that a task integrates. */
export const changesOf = async (
  { core, changes }: FlowContext,
  { listed }: Listed,
): Promise<SessionChanges> => {
  const opened = await changes.get(streamOf(core.loop.state(), listed.id));
  if ('code' in opened) throw new FaultError(opened);
  return opened;
};

/**
 * The documents that travel with the work on some issues, relative to the workspace: those that this session wrote, and those that comments which count
 * link, as of an earlier session.
 */
export const documentsOf = async (
  context: FlowContext,
  issues: readonly IssueId[],
): Promise<readonly string[]> => {
  const linked: string[] = [];
  for (const id of issues) linked.push(...(await linkedDocuments(context, id)));
  return [...new Set([...linked, ...ownDocuments(context, issues)])];
};

/** What an implementation works from, and the text of its pull request, where that is a document. */
const linkedKinds = ['research', 'plan', 'group-plan', 'plan-review', 'implementation'] as const;

const linkedDocuments = async ({ core, port }: FlowContext, id: IssueId): Promise<readonly string[]> => {
  const { disk, paths } = core.options;
  const shown = await port.tracker.show(id);
  // Without the issue nothing shows that a document counts.
  if (!shown.ok) return [];
  const { counting } = countComments(shown.value.comments, port.own(), sha256);
  const files = readDocuments(disk, paths.workspace, core.loop.state().settings.docs_root);
  return linkedKinds.flatMap((kind) => {
    const found = findDocument(shown.value, kind, counting, files);
    return found?.via === 'comment' && files.some(({ path }) => path === found.location)
      ? [found.location]
      : [];
  });
};

const ownDocuments = (context: FlowContext, issues: readonly IssueId[]): readonly string[] => {
  const list = listOf(context.core.loop.state(), flowOf(context));
  const paths = list.flatMap(({ listed, work }) => {
    const isOurs = isRecorded(work) && listed.issues.some((id) => issues.includes(id));
    return isOurs ? (documentOf(work.result) ?? []) : [];
  });
  return paths;
};

interface Copy {
  readonly place: string;
  readonly text: string;
}

/** The documents in the workspace that stand word for word on the branch of the stream. */
const copiesOf = async (
  context: FlowContext,
  issues: readonly IssueId[],
  changes: SessionChanges,
): Promise<readonly Copy[]> => {
  const { disk, paths } = context.core.options;
  const directory = changes.worktree?.directory ?? '';
  return (await documentsOf(context, issues)).flatMap((path) => {
    const place = join(paths.workspace, path);
    const text = readText(disk, place);
    return text !== null && text === readText(disk, join(directory, path)) ? [{ place, text }] : [];
  });
};

/** Git refuses to overwrite files that it does not know: our own copies of the documents, which the merge brings, make room and come back if it fails. */
export const withoutCopies = async <T>(
  context: FlowContext,
  issues: readonly IssueId[],
  changes: SessionChanges,
  merge: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  const { disk, random, paths } = context.core.options;
  const copies = await copiesOf(context, issues, changes);
  for (const { place } of copies) disk.unlink(place);
  const done = await merge();
  if (!done.ok)
    for (const { place, text } of copies)
      if (disk.lstat(place) === null) writeNew(disk, random, place, text, paths.directory);
  return done;
};

/**
 * Once the documents are on the branch, our copies in the workspace would stop the person's `git merge`, `git pull` or checkout, which bring the same files.
 * They go, unless git knows one here already: then it is the person's.
 */
export const dropCopies = async (context: FlowContext, each: Listed): Promise<void> => {
  const { disk } = context.core.options;
  const copies = await copiesOf(context, each.listed.issues, await changesOf(context, each));
  const index = copies.length === 0 ? null : indexOf(context);
  if (index === null) return;
  for (const { place } of copies) if (!index.includes(basename(place))) disk.unlink(place);
};

/** Bytes of an index of about a million files. */
const largestIndex = 128 * 1_048_576;

/** The text of the index of the repository that the workspace is in; `null` when there is none to read. */
const indexOf = ({ core }: FlowContext): string | null => {
  const { disk, paths } = core.options;
  const directory = gitDirectoryOf(disk, paths.workspace);
  if (directory === null) return null;
  try {
    const bytes = readBytes(disk, join(directory, 'index'), largestIndex);
    return bytes === null ? null : new TextDecoder('latin1').decode(bytes);
  } catch {
    // Without it nothing shows that a file is ours alone.
    return null;
  }
};

/** The repository's own directory: `.git` here or above, or the one that the file `.git` of a linked worktree names. */
const gitDirectoryOf = (disk: Disk, from: string): string | null => {
  const place = join(from, '.git');
  const kind = disk.lstat(place)?.kind;
  if (kind === 'directory') return place;
  if (kind === 'file') {
    const named = /^gitdir: (.+)$/m.exec(readText(disk, place) ?? '')?.[1];
    return named === undefined ? null : resolve(from, named.trim());
  }
  return dirname(from) === from ? null : gitDirectoryOf(disk, dirname(from));
};
