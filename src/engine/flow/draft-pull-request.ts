import { FaultError } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import { noDrafts } from '../../issues/pull-requests/pull-requests.ts';
import { withoutClosingWords } from '../../issues/pull-requests/without-closing-words.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { implementationsOf } from '../../pipeline/modes/flow/drafting.ts';
import { listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { changesOf, documentsOf } from './document-copies.ts';
import { type FlowContext, flowOf, listedTask } from './flow-context.ts';
import { commitDocuments, documentLines, issuesRead, titleOf } from './open-pull-request.ts';
import { isTextOf, textHash } from './text-hash.ts';
import { openOnline } from './watch-pull-request.ts';

/**
 * Shows the work of a pull request as a draft before that is whole: its documents at first, then which of its issues are done. Nothing on its branch is
 * unreviewed. Where somebody else edited the text it stays.
 */
export const draftPullRequest = async (context: FlowContext, task: string): Promise<EventBody> => {
  const each = listedTask(context, task);
  const { core } = context;
  const works = implementationsOf(listOf(core.loop.state(), flowOf(context)), each);
  const issues = works.flatMap(({ listed }) => listed.issues);
  const done = works.flatMap((other) => (other.task.status === 'done' ? other.listed.issues : []));
  const drafted = { type: 'pr.drafted', task, done } as const;
  const changes = await changesOf(context, each);
  const documents = await documentsOf(context, each.listed.issues);
  if (documents.length === 0 && done.length === 0)
    return { ...drafted, shown: 'nothing-yet', url: '', text: null };
  const { draft } = each.work;
  if (draft === undefined) await commitDocuments(context, each, changes);
  const body = core.redact(draftText(context, issues, done, documents));
  const title = titleOf(
    issuesRead(context, issues),
    issues.map((id) => `#${id}`),
  );
  try {
    const { url, hasOtherText, said } = await openOnline(context, {
      branch: changes.worktree?.branch ?? '',
      title: withoutClosingWords(core.redact(title)),
      body,
      base: flowOf(context).on ?? null,
      draft: 'unfinished',
      ...(draft?.shown === 'open' ? { isOurs: isTextOf(draft.text ?? '') } : {}),
    });
    const text = hasOtherText === true ? null : textHash(body);
    return { ...drafted, shown: 'open', url, text, ...(said === undefined ? {} : { said: [...said] }) };
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== noDrafts) throw error;
    return { ...drafted, shown: 'never', url: '', text: null };
  }
};

/** Without the words that close issues: an early merge closes none that is not done. */
const draftText = (
  context: FlowContext,
  issues: readonly IssueId[],
  done: readonly IssueId[],
  documents: readonly string[],
): string =>
  [
    'This work is not whole yet: the pull request is marked ready when all of it is done and reviewed.',
    issuesRead(context, issues)
      .map(({ id, title }) => `- [${done.includes(id) ? 'x' : ' '}] #${id}: ${withoutClosingWords(title)}`)
      .join('\n'),
    documentLines(documents),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
