import { type Fault, formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type ArtifactKind, formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { rememberComment } from '../../issues/documents/own-comments.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { lockText } from '../../issues/lock.ts';
import { type IssueState, isTerminal } from '../../issues/state.ts';
import { type Intent, stateAfter } from '../../issues/transitions.ts';
import { ask } from '../../session/forms/question.ts';
import { ownCommentsFile } from '../issues/flow-context.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { answerTo } from './exchange.ts';
import { closedWords } from './skill-material.ts';
import type { SkillRun } from './skill-run.ts';

export interface Artifact {
  readonly kind: ArtifactKind;
  readonly location: string;
  readonly summary: readonly string[];
}

/** Whether an issue has the comment that links a document. */
export const isLinked = async (
  { cli, world, workspace }: SkillRun,
  { id }: Pick<Issue, 'id'>,
  artifact: Artifact,
): Promise<boolean> => {
  const shown = await openIssuesIn(cli, world, workspace, {}).tracker.show(id);
  return shown.ok && hasComment(shown.value, formatArtifactComment(artifact));
};

/** The sentence that an issue is closed now; `null` while it is open, and where that cannot be read: then each step says so itself. */
export const closedMeanwhile = async (
  { cli, world, workspace }: SkillRun,
  { id }: Pick<Issue, 'id'>,
): Promise<string | null> => {
  const shown = await openIssuesIn(cli, world, workspace, {}).tracker.show(id);
  return shown.ok && isTerminal(shown.value.state) ? closedWords(shown.value) : null;
};

const hasComment = ({ comments }: Issue, body: string): boolean =>
  comments.some((comment) => plain(comment.body) === plain(body));

/** Links a document from its issue by one comment, which counts as ours from now on. Returns sentences about it. */
export const linkToIssue = async (
  { cli, world, workspace }: SkillRun,
  issue: Pick<Issue, 'id'> | null,
  artifact: Artifact,
): Promise<readonly string[]> => {
  if (issue === null) return [];
  const { tracker, ports } = openIssuesIn(cli, world, workspace, {});
  const body = formatArtifactComment(artifact);
  const shown = await tracker.show(issue.id);
  if (shown.ok && hasComment(shown.value, body)) return [`Issue ${safe(issue.id)} already links it.`];
  const made = shown.ok ? await tracker.comment(issue.id, body) : shown;
  if (!made.ok) return [`Issue ${safe(issue.id)} could not be linked to it: ${faultsOf(made)}`];
  rememberComment(ports, ownCommentsFile(cli.env), tracker.name, made.value);
  return [`Issue ${safe(issue.id)} links it.`];
};

const faultsOf = ({ faults }: { readonly faults: readonly Fault[] }): string =>
  safe(faults.map(formatFault).join('; '));

/** Trackers change the ends of lines. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** Posts a comment that counts as ours. Returns a sentence only when that failed. */
export const commentOn = async (
  { cli, world, workspace }: SkillRun,
  id: IssueId,
  body: string,
): Promise<readonly string[]> => {
  const { tracker, ports } = openIssuesIn(cli, world, workspace, {});
  const made = await tracker.comment(id, body);
  if (!made.ok) return [`Issue ${safe(id)} got no comment about it: ${faultsOf(made)}`];
  rememberComment(ports, ownCommentsFile(cli.env), tracker.name, made.value);
  return [];
};

/**
 * Offers to move an issue to one of these states, as far as intents lead there from where it is now. Sentences about it, none where nothing can be
 * offered; `null`: the person left.
 */
export const offerStates = async (
  run: SkillRun,
  id: IssueId,
  targets: readonly IssueState[],
  intents: readonly Intent[],
): Promise<readonly string[] | null> => {
  const { tracker } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const shown = await tracker.show(id);
  if (!shown.ok) return [`Issue ${safe(id)} cannot be read: ${faultsOf(shown)}`];
  const issue = shown.value;
  const open = targets.filter((to) => to !== issue.state && leadsTo(issue.state, to, intents));
  if (open.length === 0) return [];
  if (issue.lock !== undefined)
    return [`Issue ${safe(id)} stays in ${issue.state}: it is locked by ${safe(lockText(issue.lock))}.`];
  const question = ask(
    `move-${run.journal.talk().turns.length}`,
    'choice',
    `Issue ${safe(id)} is in ${issue.state}. Which state should it be in?`,
    {
      options: [
        ...open.map((state) => ({ id: state, label: state, detail: '' })),
        { id: 'stay', label: `leave it in ${issue.state}`, detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer === null) return null;
  const to = open.find((state) => state === answer);
  if (to === undefined) return [];
  const moved = await tracker.update(id, { state: to }, issue.revision);
  return [
    moved.ok
      ? `Issue ${safe(id)} is now ${moved.value.state}.`
      : `Issue ${safe(id)} was not moved: ${faultsOf(moved)}`,
  ];
};

/** Whether intents lead from one state to another, without any that this end of a skill does not mean. */
const leadsTo = (from: IssueState, to: IssueState, intents: readonly Intent[]): boolean => {
  const reached = new Set<IssueState>([from]);
  for (const state of reached)
    for (const intent of intents) {
      const next = stateAfter(state, intent);
      if (next.ok) reached.add(next.value);
    }
  return reached.has(to);
};
