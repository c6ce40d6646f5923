import { join } from 'node:path';
import { FaultError, formatFault } from '../../base/fault.ts';
import { readText, replaceFile, writeNew } from '../../base/replace-file.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { type IssueId, issueName } from '../../issues/issue.ts';
import { type Listed, listOf, streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { answered, type FlowContext, flowOf, LostIssues, showIssue } from './flow-context.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';
import { openOnline, requests } from './watch-pull-request.ts';
import { keepDocument } from './write-document.ts';

/** Where the work of a task's issues can be reviewed. */
interface PullRequest {
  /** An address, or the path of the document that stands for it. */
  readonly pr_url: string;
  readonly branch: string;
}

/** Commits the documents of the issues onto the branch of their stream, and writes the text of the pull request into the tracker. */
export const openPullRequest = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<PullRequest> => {
  const changes = await changesOf(context, each);
  await commitDocuments(context, each, changes);
  const branch = changes.worktree?.branch ?? '';
  const names = await namesOf(context, issues);
  const { title, body } = textOf(context, each, names);
  if (context.port.pullRequests !== null) {
    const closing = names.map((name) => `Closes #${name.replace(/^GH-/, '')}`).join('\n');
    const pr_url = await openOnline(context, { branch, title, body: `${body}\n\n${closing}\n` });
    const summary = [`Branch ${branch}`];
    const comment = formatArtifactComment({ kind: 'implementation', location: pr_url, summary });
    for (const id of issues) await commentOnce(context, id, comment);
    return { pr_url, branch };
  }
  const text = [
    `# ${title}`,
    `Branch: \`${branch}\``,
    body,
    names.map((name) => `Closes ${name}`).join('\n'),
  ];
  const pr_url = await keepDocument(context, each, issues, {
    kind: 'implementation',
    text: text.filter((part) => part !== '').join('\n\n'),
    summary: [`Branch ${branch}`, title],
  });
  return { pr_url, branch };
};

const namesOf = async ({ port }: FlowContext, issues: readonly IssueId[]): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const id of issues) names.push(issueName(await showIssue(port.tracker, id)));
  return names;
};

/** The agent's text, else one from the list. */
const textOf = (
  context: FlowContext,
  { listed, work }: Listed,
  names: readonly string[],
): { readonly title: string; readonly body: string } => {
  const { title, body } = work.result;
  if (typeof title === 'string' && typeof body === 'string') return { title, body };
  const titles = (flowOf(context).reading?.issues ?? []).filter(({ id }) => listed.issues.includes(id));
  return {
    title: titles.length === 1 ? (titles[0]?.title ?? '') : `${names.join(', ')}: ${titles[0]?.title ?? ''}`,
    body: titles.map(({ title: each }) => `- ${each}`).join('\n'),
  };
};

/** The changes of the stream that a task integrates. */
const changesOf = async ({ core, changes }: FlowContext, { listed }: Listed): Promise<SessionChanges> => {
  const opened = await changes.get(streamOf(core.loop.state(), listed.id));
  if ('code' in opened) throw new FaultError(opened);
  return opened;
};

/** Commits the documents as an attempt of their own. Merging it again makes no second commit. */
const commitDocuments = async (
  context: FlowContext,
  { listed }: Listed,
  changes: SessionChanges,
): Promise<void> => {
  const { disk, random, paths } = context.core.options;
  const documents = documentsOf(context, listed.issues);
  if (documents.length === 0) return;
  const attempt = { task: `documents-${listed.id}`, attempt: 1 };
  const { directory } = good(await changes.prepare(attempt, { from: 'session' }));
  for (const path of documents) {
    const text = readText(disk, join(paths.workspace, path));
    if (text === null) continue;
    disk.mkdir(join(directory, path, '..'));
    replaceFile(disk, random, join(directory, path), text);
  }
  good(await changes.snapshot(attempt, 'after'));
  good(await changes.commit(attempt, `Add the documents of ${listed.issues.join(', ')}`));
  const merged = await changes.merge(attempt);
  if (merged.kind !== 'merged')
    throw new FaultError({
      code: 'documents-not-merged',
      what: `the documents of ${listed.issues.join(', ')} could not be committed`,
    });
  good(await changes.clean(attempt));
};

/** The documents that this session wrote for some issues, relative to the workspace. */
const documentsOf = (context: FlowContext, issues: readonly IssueId[]): readonly string[] => {
  const list = listOf(context.core.loop.state(), flowOf(context));
  const paths = list.flatMap(({ listed, work }) => {
    const path = work.result['artifact_path'];
    const isOurs = work.recorded && listed.issues.some((id) => issues.includes(id));
    return isOurs && typeof path === 'string' ? [path] : [];
  });
  return [...new Set(paths)];
};

/**
 * Merges the branch of a stream into the branch that is checked out, which `flow.auto_merge` gave leave for. A conflict needs a person: the issues say so,
 * and other streams continue. Returns the commit.
 */
export const integrate = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<string> => {
  if (context.port.pullRequests !== null) return mergeOnline(context, issues);
  const { core } = context;
  const { changes: port, paths } = core.options;
  const into = (await port?.examine(paths.workspace))?.repository?.branch ?? null;
  if (into === null)
    throw new FaultError({
      code: 'no-branch',
      what: 'no branch is checked out to merge into',
      hint: 'switch to one, and resume',
    });
  const changes = await changesOf(context, each);
  const message = `Merge ${changes.worktree?.branch ?? ''}\n\nIssues: ${issues.join(', ')}`;
  const finished = await withoutCopies(context, issues, changes, () =>
    context.ours(() => changes.finish({ how: 'merge', into, message })),
  );
  if (finished.ok) return finished.value.how === 'merged' ? finished.value.commit : '';
  if (finished.fault.code !== 'conflict') throw new FaultError(finished.fault);
  const reason = formatFault(finished.fault);
  for (const id of issues) await commentOnce(context, id, `Human Needed: ${reason}`);
  await moveAlong(context, issues, routeOf('In Review', 'escalate'));
  throw new LostIssues(reason);
};

/** GitHub merges what it has checked. */
const mergeOnline = async (context: FlowContext, issues: readonly IssueId[]): Promise<string> => {
  const list = listOf(context.core.loop.state(), flowOf(context));
  const opened = list.find(
    ({ listed, work }) =>
      listed.phase === 'pr' && work.recorded && listed.issues.some((id) => issues.includes(id)),
  );
  answered(await requests(context).merge(String(opened?.work.result['pr_url'] ?? '')));
  return '';
};

/** Git refuses to overwrite files that it does not know: our own copies of the documents, which the merge brings, make room and come back if it fails. */
const withoutCopies = async <T>(
  { core, ...context }: FlowContext,
  issues: readonly IssueId[],
  changes: SessionChanges,
  merge: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  const { disk, random, paths } = core.options;
  const directory = changes.worktree?.directory ?? '';
  const copies = documentsOf({ core, ...context }, issues).flatMap((path) => {
    const place = join(paths.workspace, path);
    const text = readText(disk, place);
    return text !== null && text === readText(disk, join(directory, path)) ? [{ place, text }] : [];
  });
  for (const { place } of copies) disk.unlink(place);
  const done = await merge();
  if (!done.ok)
    for (const { place, text } of copies)
      if (disk.lstat(place) === null) writeNew(disk, random, place, text, paths.directory);
  return done;
};

const good = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new FaultError(result.fault);
};
