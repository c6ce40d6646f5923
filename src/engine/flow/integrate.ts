import { join } from 'node:path';
import { type Fault, FaultError, formatFault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { type IssueId, issueName } from '../../issues/issue.ts';
import { withoutClosingWords } from '../../issues/pull-requests/without-closing-words.ts';
import { type Listed, listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { changesOf, documentsOf, dropCopies, withoutCopies } from './document-copies.ts';
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
  if (typeof title === 'string' && typeof body === 'string')
    return { title: withoutClosingWords(title), body: withoutClosingWords(body) };
  const titles = (flowOf(context).reading?.issues ?? []).filter(({ id }) => listed.issues.includes(id));
  return {
    title: titles.length === 1 ? (titles[0]?.title ?? '') : `${names.join(', ')}: ${titles[0]?.title ?? ''}`,
    body: titles.map(({ title: each }) => `- ${each}`).join('\n'),
  };
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

/**
 * Merges the branch of a stream into the branch that is checked out, which `flow.auto_merge` gave leave for. A conflict needs a person: the issues say so,
 * and other streams continue. Returns the commit.
 */
export const integrate = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<string> => {
  if (context.port.pullRequests !== null) {
    const commit = await mergeOnline(context, issues);
    await dropCopies(context, each);
    return commit;
  }
  // A new branch of this session would hold nothing of that work.
  if (openedFor(context, issues) === null) throw ofEarlierSession(issues);
  const { core } = context;
  const { changes: port, paths } = core.options;
  // The leave was given for the branch of the start: another one that is checked out meanwhile is refused.
  const now = (await port?.examine(paths.workspace))?.repository?.branch ?? null;
  const into = core.loop.state().changes.session?.on ?? now;
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
  return needsPerson(context, issues, finished.fault);
};

/** Leaves a stream that cannot be merged to a person, with the reason on its issues. The other streams continue. */
const needsPerson = async (
  context: FlowContext,
  issues: readonly IssueId[],
  fault: Fault,
): Promise<never> => {
  const reason = formatFault(fault);
  for (const id of issues) await commentOnce(context, id, `Human Needed: ${reason}`);
  await moveAlong(context, issues, routeOf('In Review', 'escalate'));
  throw new LostIssues(reason);
};

/** The task of this session that opened the pull request of some issues. */
const openedFor = (context: FlowContext, issues: readonly IssueId[]): Listed | null =>
  listOf(context.core.loop.state(), flowOf(context)).find(
    ({ listed, work }) =>
      listed.phase === 'pr' && work.recorded && listed.issues.some((id) => issues.includes(id)),
  ) ?? null;

/**
 * Merges the pull requests that an earlier session of ours linked from the issues, once their checks have passed. A link in a comment of another member is
 * not ours to merge, and says nothing of this work.
 */
const mergeLinked = async (context: FlowContext, issues: readonly IssueId[]): Promise<string> => {
  const urls = new Set<string>();
  for (const id of issues) {
    const issue = await showIssue(context.port.tracker, id);
    const own = context.port.own();
    const ours = issue.comments.filter(({ id: comment, body }) => own.get(comment) === sha256(body));
    const found = findDocument(issue, 'implementation', ours, []);
    if (found === null) throw ofEarlierSession([id]);
    urls.add(found.location);
  }
  for (const url of urls) {
    const { state, checks, head } = answered(await requests(context).look(url));
    if (state === 'merged') continue;
    if (state === 'closed' || checks !== 'passed')
      throw new LostIssues(
        state === 'closed'
          ? `${url} was closed`
          : `the checks of ${url} were not seen to pass: review and merge it`,
      );
    await mergeAt(context, issues, url, head);
  }
  return '';
};

/** Merges a pull request at the commit that was checked. What GitHub refuses to merge is left to a person. */
const mergeAt = async (
  context: FlowContext,
  issues: readonly IssueId[],
  url: string,
  head: string,
): Promise<void> => {
  const merged = await requests(context).merge(url, head);
  const refused = merged.ok ? undefined : merged.faults.find(({ code }) => code === 'not-mergeable');
  if (refused !== undefined) return needsPerson(context, issues, { ...refused, where: url });
  answered(merged);
};

/** Nothing is known of the branch: that it was reviewed and checked, or which one it is. */
const ofEarlierSession = (issues: readonly IssueId[]): LostIssues =>
  new LostIssues(
    `${issues.join(', ')} ${issues.length === 1 ? 'was' : 'were'} worked on before this session: merge that branch, then close with \`${printedCommand('ralph-tui', 'issues', 'move', issues[0] ?? '', 'done')}\``,
  );

/** GitHub merges the commit whose checks were seen to pass, and no later one. */
const mergeOnline = async (context: FlowContext, issues: readonly IssueId[]): Promise<string> => {
  const opened = openedFor(context, issues);
  if (opened === null) return mergeLinked(context, issues);
  const url = String(opened.work.result['pr_url'] ?? '');
  // A pause or a restart may lie between: members may have asked for changes since.
  const { state, checks, feedback } = answered(await requests(context).look(url));
  if (state === 'merged') return '';
  if (state === 'closed') throw new LostIssues(`${url} was closed`);
  if (checks === 'failed')
    return needsPerson(context, issues, {
      code: 'failed-since',
      what: `what had passed is refused now: ${feedback}`,
      where: url,
    });
  if (checks !== 'passed' || opened.work.passed === null)
    throw new FaultError({
      code: 'unchecked',
      what: `the checks of ${url} were not seen to pass`,
      hint: 'review and merge it, and resume',
    });
  await mergeAt(context, issues, url, opened.work.passed);
  return '';
};

const good = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new FaultError(result.fault);
};
