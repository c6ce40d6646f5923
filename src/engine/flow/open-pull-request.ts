import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { type IssueId, issueName } from '../../issues/issue.ts';
import { withoutClosingWords } from '../../issues/pull-requests/without-closing-words.ts';
import { checksOf, noVerdict } from '../../pipeline/modes/flow/code-review.ts';
import type { FlowReading } from '../../pipeline/modes/flow/flow-state.ts';
import type { Listed } from '../../pipeline/modes/flow/flow-tasks.ts';
import { changesOf, documentsOf } from './document-copies.ts';
import { type FlowContext, flowOf, showIssue } from './flow-context.ts';
import { commentOnce } from './move-along.ts';
import { isTextOf } from './text-hash.ts';
import { openOnline } from './watch-pull-request.ts';
import { keepDocument } from './write-document.ts';

/** Where the work of a task's issues can be reviewed. */
interface PullRequest {
  /** An address, or the path of the document that stands for it. */
  readonly pr_url: string;
  readonly branch: string;
  /** The ids of what was said about it before. */
  readonly said?: readonly string[];
}

/** Commits the documents of the issues onto the branch of their stream, and writes the text of the pull request into the tracker. */
export const openPullRequest = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<PullRequest> => {
  const changes = await changesOf(context, each);
  const { pullRequests } = context.port;
  if (pullRequests !== null) await commitDocuments(context, each, changes);
  const branch = changes.worktree?.branch ?? '';
  const checks = checksOf(context.core.loop.state(), issues);
  const names = await namesOf(context, issues);
  const { title, body: about } = await textOf(context, each, names);
  const body = [about, checkWords(context, checks)].filter((part) => part !== '').join('\n\n');
  const missing = checks.missed ? [`It is ${noVerdict}.`] : [];
  if (pullRequests !== null) {
    const closing = names.map((name) => `Closes #${name.replace(/^GH-/, '')}`).join('\n');
    const { draft } = each.work;
    const opened = await openOnline(context, {
      branch,
      title,
      body: `${body}\n\n${closing}\n`,
      base: flowOf(context).on ?? null,
      ...(checks.missed || (!checks.verified && !checks.reviewed) ? { draft: 'unchecked' } : {}),
      ...(draft?.text == null ? {} : { isOurs: isTextOf(draft.text) }),
    });
    const { url: pr_url } = opened;
    // Comments on the draft were comments on this work.
    const said = draft?.url === pr_url ? [] : (opened.said ?? []);
    const summary = [`Branch ${branch}`, ...missing];
    const comment = formatArtifactComment({ kind: 'implementation', location: pr_url, summary });
    for (const id of issues) await commentOnce(context, id, comment);
    return { pr_url, branch, said };
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
    summary: [`Branch ${branch}`, title, ...missing],
  });
  await commitDocuments(context, each, changes);
  return { pr_url, branch };
};

/** A reader must not take for checked what nothing has checked. */
const checkWords = (
  { core }: FlowContext,
  { verified, reviewed, missed }: ReturnType<typeof checksOf>,
): string => {
  const { verify } = core.loop.state().settings.loop;
  const commands = verify.map((command) => `\`${core.redact(command)}\``).join(', ');
  return [
    verified
      ? `These commands passed on this branch: ${commands}.`
      : 'No command checked this work: `loop.verify` was not set.',
    missed
      ? `It is ${noVerdict}.`
      : reviewed
        ? 'Each change was reviewed before it was pushed.'
        : 'No one has reviewed it yet.',
  ].join(' ');
};

const namesOf = async ({ port }: FlowContext, issues: readonly IssueId[]): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const id of issues) names.push(issueName(await showIssue(port.tracker, id)));
  return names;
};

/** The agent's text, else one from the list. */
const textOf = async (
  context: FlowContext,
  { listed, work }: Listed,
  names: readonly string[],
): Promise<{ readonly title: string; readonly body: string }> => {
  const { title, body } = work.result?.phase === 'pr' ? work.result : {};
  const clean = (text: string): string => withoutClosingWords(context.core.redact(text));
  if (title !== undefined && body !== undefined) return { title: clean(title), body: clean(body) };
  const documents = await documentsOf(context, listed.issues);
  const known = issuesRead(context, listed.issues);
  return {
    title: titleOf(known, names),
    body: [known.map(({ title: each }) => `- ${each}`).join('\n'), documentLines(documents)]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
};

/** The issues as they were read last. */
export const issuesRead = (context: FlowContext, issues: readonly IssueId[]): FlowReading['issues'] =>
  (flowOf(context).reading?.issues ?? []).filter(({ id }) => issues.includes(id));

export const titleOf = ([first, ...more]: FlowReading['issues'], names: readonly string[]): string =>
  more.length === 0 ? (first?.title ?? '') : `${names.join(', ')}: ${first?.title ?? ''}`;

export const documentLines = (documents: readonly string[]): string =>
  documents.length === 0
    ? ''
    : `Documents on this branch:\n${documents.map((path) => `- ${path}`).join('\n')}`;

/** Commits the documents that the branch does not hold as they are, as an attempt of their own. Merging it again makes no second commit. */
export const commitDocuments = async (
  context: FlowContext,
  { listed }: Listed,
  changes: SessionChanges,
): Promise<void> => {
  const { disk, random, paths } = context.core.options;
  // Those that a pull request brought onto the branch before are not in the workspace any more.
  const documents = (await documentsOf(context, listed.issues)).flatMap((path) => {
    const text = readText(disk, join(paths.workspace, path));
    const isThere = text === readText(disk, join(changes.worktree?.directory ?? '', path));
    return text === null || isThere ? [] : [{ path, text }];
  });
  if (documents.length === 0) return;
  const task = `documents-${listed.id}`;
  const before = good(await changes.attempts()).filter(
    (each) => each.task === task && each.state === 'merged',
  );
  const attempt = { task, attempt: before.length + 1 };
  const { directory } = good(await changes.prepare(attempt, { from: 'session' }));
  for (const { path, text } of documents) {
    disk.mkdir(join(directory, path, '..'));
    replaceFile(disk, random, join(directory, path), text);
  }
  good(await changes.snapshot(attempt, 'after'));
  good(await changes.commit(attempt, `Add the documents of ${listed.issues.join(', ')}`));
  const merged = await changes.merge(attempt);
  if (merged.kind !== 'merged')
    throw new FaultError({
      code: 'documents-not-merged',
      what: `the documents of ${listed.issues.length === 1 ? 'issue' : 'issues'} ${listed.issues.join(', ')} could not be committed`,
    });
  good(await changes.clean(attempt));
};

const good = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new FaultError(result.fault);
};
