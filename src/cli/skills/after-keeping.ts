import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { ask } from '../../session/forms/question.ts';
import type { DocumentName } from '../../skills/documents/document-schema.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import { answerTo } from './exchange.ts';
import { closedMeanwhile, commentOn, isLinked, linkToIssue, offerStates } from './link-to-issue.ts';
import type { SkillRun } from './skill-run.ts';

/**
 * Offers the next steps once a document is kept: the link from its issue, and the issue's next state. Does neither before the person agrees. Gives
 * sentences about both; `null`: the person left.
 */
export const afterKeeping = async (
  run: SkillRun,
  skill: string,
  document: DocumentName,
  issue: Issue | null,
): Promise<readonly string[] | null> => {
  const { kept, about, document: text } = run.journal.talk();
  // An edit of the file that the person wants to keep leaves the document of the conversation unkept.
  const isKept = kept?.status === 'kept' && about?.text === text;
  if (issue === null || !isKept || document === 'idea' || document === 'issue') return [];
  const closed = await closedMeanwhile(run, issue);
  if (closed !== null) return [`${closed} It does not link the document.`];
  const artifact = {
    kind: document,
    location: kept.path,
    summary: [readIdea(text, 'document').idea.title],
  };
  const isUpdate = skill === 'iterate-plan';
  if (!isUpdate && (await isLinked(run, issue, artifact))) return [];
  const question = ask(
    `link-${run.journal.talk().turns.length}`,
    'choice',
    `Link ${safe(kept.path)} from issue ${safe(issue.id)}?`,
    {
      options: [
        { id: 'yes', label: 'yes', detail: 'by a comment' },
        { id: 'no', label: 'no', detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer === null) return null;
  const linked = answer === 'yes' ? await linkToIssue(run, issue, artifact) : [];
  const updated =
    isUpdate && answer === 'yes'
      ? await commentOn(run, issue.id, `## Plan Updated\n\n${kept.path}\n\n${artifact.summary}`)
      : [];
  const moved = document === 'plan' ? await offerPlanStates(run, issue.id, isUpdate) : [];
  return moved === null ? null : [...linked, ...updated, ...moved];
};

/** A changed plan goes back into work; a new one to its review or, on the person's word, past it. */
const offerPlanStates = (run: SkillRun, id: IssueId, isUpdate: boolean): Promise<readonly string[] | null> =>
  isUpdate
    ? offerStates(run, id, ['Plan in Progress'], ['reject', 'lock'])
    : offerStates(run, id, ['Plan in Review', 'In Progress'], ['skip', 'lock', 'complete']);

/** The commands that come next after a document, the likeliest first. */
export const nextCommands = (document: DocumentName | null, path: string): readonly string[] => {
  const next = document === null ? [] : after[document];
  return next.map(
    (skill, at) => `${at === 0 ? 'Next' : 'Or'}: ${printedCommand('ralph-tui', 'skill', skill, path)}`,
  );
};

const after: Readonly<Record<DocumentName, readonly string[]>> = {
  idea: ['form-idea', 'research-codebase', 'create-plan'],
  research: ['create-plan'],
  plan: ['implement-plan', 'iterate-plan'],
  issue: [],
};
