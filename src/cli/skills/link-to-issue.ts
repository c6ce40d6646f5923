import { type Fault, formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type ArtifactKind, formatArtifactComment } from '../../issues/documents/artifact-comment.ts';
import { rememberComment } from '../../issues/documents/own-comments.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { lockText } from '../../issues/lock.ts';
import type { IssueState } from '../../issues/state.ts';
import { type Intent, stateAfter } from '../../issues/transitions.ts';
import { ask } from '../../skills/forms/form.ts';
import { ownCommentsFile } from '../issues/flow-context.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { answerTo } from './exchange.ts';
import type { SkillRun } from './skill-run.ts';

/** Links a document from its issue by one comment, which counts as ours from now on. Returns sentences about it. */
export const linkToIssue = async (
  { cli, world, workspace }: SkillRun,
  issue: Pick<Issue, 'id'> | null,
  artifact: { readonly kind: ArtifactKind; readonly location: string; readonly summary: readonly string[] },
): Promise<readonly string[]> => {
  if (issue === null) return [];
  const { tracker, ports } = openIssuesIn(cli, world, workspace, {});
  const body = formatArtifactComment(artifact);
  const shown = await tracker.show(issue.id);
  if (shown.ok && shown.value.comments.some((comment) => plain(comment.body) === plain(body)))
    return [`Issue ${safe(issue.id)} links it already.`];
  const made = shown.ok ? await tracker.comment(issue.id, body) : shown;
  if (!made.ok) return [`Issue ${safe(issue.id)} does not link it: ${faultsOf(made)}`];
  rememberComment(ports, ownCommentsFile(cli.env), tracker.name, made.value);
  return [`Issue ${safe(issue.id)} links it.`];
};

const faultsOf = ({ faults }: { readonly faults: readonly Fault[] }): string =>
  safe(faults.map(formatFault).join('; '));

/** Trackers change the ends of lines. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** A state that a skill's end leads an issue out of, and what for. */
interface Move {
  readonly from: IssueState;
  readonly intent: Intent;
}

/**
 * Offers to move an issue on by intents, one after another from the state that it is in now. Sentences about it, none where nothing can be offered;
 * `null`: the person left.
 */
export const offerMove = async (
  run: SkillRun,
  id: IssueId,
  ...moves: readonly Move[]
): Promise<readonly string[] | null> => {
  const { tracker } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const lines: string[] = [];
  for (const { from, intent } of moves) {
    const shown = await tracker.show(id);
    if (!shown.ok) return [...lines, `Issue ${safe(id)}: ${faultsOf(shown)}`];
    const issue = shown.value;
    const next = stateAfter(issue.state, intent);
    if (issue.state !== from || !next.ok) continue;
    if (issue.lock !== undefined)
      return [
        ...lines,
        `Issue ${safe(id)} stays in ${issue.state}: it is locked by ${safe(lockText(issue.lock))}`,
      ];
    const question = ask(
      `move-${run.journal.talk().turns.length}`,
      'choice',
      `Move issue ${safe(id)} from ${issue.state} to ${next.value}?`,
      {
        options: [
          { id: 'move', label: 'yes, move it', detail: '' },
          { id: 'stay', label: 'no', detail: '' },
        ],
      },
    );
    const answer = await answerTo(run, question);
    if (answer === null) return null;
    if (answer !== 'move') return lines;
    const moved = await tracker.update(id, { state: next.value }, issue.revision);
    lines.push(
      moved.ok
        ? `Issue ${safe(id)} is in ${moved.value.state}.`
        : `Issue ${safe(id)} was not moved: ${faultsOf(moved)}`,
    );
    if (!moved.ok) return lines;
  }
  return lines;
};
