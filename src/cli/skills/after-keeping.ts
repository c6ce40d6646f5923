import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { ask } from '../../session/forms/question.ts';
import type { DocumentName } from '../../skills/documents/document-schema.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import { answerTo } from './exchange.ts';
import {
  type Artifact,
  closedMeanwhile,
  commentOn,
  isLinked,
  linkToIssue,
  offerStates,
} from './link-to-issue.ts';
import type { SkillRun } from './skill-run.ts';

/** The step after keeping at which the person left; `null` for another question. */
export const stepLeft = ({ open }: Talk): 'link' | 'move' | null =>
  open?.id.startsWith('link-') ? 'link' : open?.id.startsWith('move-') ? 'move' : null;

/**
 * Offers the next steps once a document is kept: the link from its issue, and the issue's next state. Does neither before the person agrees, and continues
 * at the step at which the person left. Gives sentences about the last step; `null`: the person left.
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
  if (stepLeft(run.journal.talk()) !== 'move') {
    if (!isUpdate && (await isLinked(run, issue, artifact))) return [];
    const linked = await offerLink(run, issue, artifact, isUpdate);
    if (linked === null) return null;
    for (const line of linked) run.journal.add({ type: 'said', by: 'program', text: line });
  }
  return document === 'plan' ? offerPlanStates(run, issue.id, isUpdate) : [];
};

/** Sentences about the link; `null`: the person left. */
const offerLink = async (
  run: SkillRun,
  issue: Issue,
  artifact: Artifact,
  isUpdate: boolean,
): Promise<readonly string[] | null> => {
  const { location, summary } = artifact;
  const question = ask(
    `link-${run.journal.talk().turns.length}`,
    'choice',
    `Link ${safe(location)} from issue ${safe(issue.id)}?`,
    {
      options: [
        { id: 'yes', label: 'yes', detail: 'by a comment' },
        { id: 'no', label: 'no', detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer !== 'yes') return answer === null ? null : [];
  const linked = await linkToIssue(run, issue, artifact);
  if (!isUpdate) return linked;
  return [...linked, ...(await commentOn(run, issue.id, `## Plan Updated\n\n${location}\n\n${summary}`))];
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
