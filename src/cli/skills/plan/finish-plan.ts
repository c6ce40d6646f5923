import { formatTimestamp } from '../../../base/clock.ts';
import { formatFault } from '../../../base/fault.ts';
import { mergeCommand } from '../../../base/process/printed-command.ts';
import { safe } from '../../../base/safe.ts';
import { planBoxes, planPhases, tickChecked } from '../../../issues/documents/plan-boxes.ts';
import { type Issue, issueName } from '../../../issues/issue.ts';
import { createGhPullRequests } from '../../../issues/pull-requests/gh-pull-requests.ts';
import { ask } from '../../../session/forms/question.ts';
import { readIdea } from '../../../skills/documents/idea.ts';
import { editFrontMatter } from '../../../tasks/front-matter.ts';
import { openIssuesIn } from '../../issues/open-issues.ts';
import { answerTo } from '../exchange.ts';
import { closedMeanwhile, linkToIssue, offerStates } from '../link-to-issue.ts';
import { writeDocument } from '../skill-place.ts';
import type { SkillEnd, SkillRun } from '../skill-run.ts';
import type { PlanFile } from './plan-file.ts';
import type { PlanPlace } from './plan-place.ts';
import type { PlanTalk } from './plan-talk.ts';
import { commandsOf, runChecks } from './run-checks.ts';

const leftIt: SkillEnd = { ended: 'left', lines: [] };

/** After the last phase: every automated criterion once more on all of the work, then what the person wants to become of it. */
export const finishPlan = async (
  run: SkillRun,
  { material }: PlanTalk,
  plan: PlanFile,
  place: PlanPlace,
): Promise<SkillEnd | 'reopened'> => {
  const { journal } = run;
  const checked = await checkWhole(run, plan, place);
  if (checked !== 'passed') return checked === 'reopened' ? checked : leftIt;
  const lines: string[] = [];
  const closed = material.issue === null ? null : await closedMeanwhile(run, material.issue);
  if (closed !== null) journal.add({ type: 'said', by: 'program', text: closed });
  if (place.branch !== null) {
    const published = await publish(run, material.issue, plan, { branch: place.branch, on: place.on });
    if (published === null) return leftIt;
    lines.push(...published);
  }
  if (material.issue !== null) {
    const moved = await offerStates(run, material.issue.id, ['In Review'], ['complete']);
    if (moved === null) return leftIt;
    lines.push(...moved);
  }
  if (!(await plan.close())) return leftIt;
  journal.add({ type: 'kept', path: plan.path, status: 'kept' });
  journal.add({ type: 'ended', why: 'done' });
  return { ended: 'done', lines: [`Every phase of ${safe(plan.path)} is done.`, ...lines] };
};

const checkWhole = async (
  run: SkillRun,
  plan: PlanFile,
  { changes }: PlanPlace,
): Promise<'passed' | 'reopened' | 'left'> => {
  const { journal } = run;
  const directory = changes?.worktree?.directory ?? run.workspace;
  const text = plan.text();
  const checks = await runChecks(run, commandsOf(text, null), directory, { path: plan.path, name: 'plan' });
  if (checks === 'left' || checks === 'refused') {
    if (checks === 'refused') {
      const what = 'The final checks did not run, so the plan is not done.';
      journal.add({ type: 'said', by: 'program', text: what });
    }
    journal.add({ type: 'ended', why: 'left' });
    return 'left';
  }
  if (checks.failures.length === 0) return 'passed';
  for (const failure of checks.failures)
    journal.add({ type: 'said', by: 'program', text: `In the final checks: ${failure}` });
  const opened = planPhases(text).reduce((now, phase) => tickChecked(now, phase, checks.passed), text);
  return (await plan.keep(opened)) ? 'reopened' : 'left';
};

/** What happens to the branch, on the person's word. Sentences about it; `null`: the person left. */
const publish = async (
  run: SkillRun,
  issue: Issue | null,
  plan: PlanFile,
  { branch, on }: { readonly branch: string; readonly on: string | null },
): Promise<readonly string[] | null> => {
  const { tracker, ports } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const isOnline = tracker.name === 'gh';
  const merge = `Merge it with: ${mergeCommand(branch)}`;
  for (;;) {
    const question = ask(
      `publish-${run.journal.talk().turns.length}`,
      'choice',
      `All phases are done on ${safe(branch)}. What should happen to the branch?`,
      {
        options: [
          isOnline
            ? { id: 'pr', label: 'open a pull request', detail: `pushes ${branch} to origin` }
            : {
                id: 'pr',
                label: 'write the text of a pull request',
                detail: 'as a document, linked from its issue',
              },
          { id: 'keep', label: 'keep the branch', detail: 'and do nothing else' },
        ],
      },
    );
    const answer = await answerTo(run, question);
    if (answer === null) return null;
    if (answer === 'keep') return [merge];
    const { title, body } = requestOf(plan.text(), issue, isOnline);
    if (!isOnline) return [await writeRequest(run, issue, { title, body, branch }), merge];
    const opened = await createGhPullRequests(ports).open({ branch, title, body, base: on });
    if (opened.ok) {
      const { url } = opened.value;
      const linked = await linkToIssue(run, issue, {
        kind: 'implementation',
        location: url,
        summary: [`Branch ${branch}`],
      });
      return [`Pull request: ${safe(url)}`, ...linked];
    }
    const text = opened.faults.map(formatFault).join('; ');
    run.journal.add({ type: 'said', by: 'program', text: `No pull request was opened: ${safe(text)}` });
  }
};

const requestOf = (
  plan: string,
  issue: Issue | null,
  isOnline: boolean,
): { readonly title: string; readonly body: string } => {
  const { idea } = readIdea(plan, 'plan');
  const phases = planPhases(plan).map((phase) => `- ${phase}`);
  const seen = planBoxes(plan).map(
    ({ text, command }) => `- [x] ${text}${command === null ? ' (by hand)' : ''}`,
  );
  const closes =
    issue === null
      ? []
      : [`Closes ${isOnline ? `#${issueName(issue).replace(/^GH-/, '')}` : issueName(issue)}`];
  return {
    title: issue?.title ?? idea.title,
    body: [
      idea.section('Overview'),
      `## Phases\n\n${phases.join('\n')}`,
      `## Criteria\n\n${seen.join('\n')}`,
      ...closes,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
};

const writeRequest = async (
  run: SkillRun,
  issue: Issue | null,
  { title, body, branch }: { readonly title: string; readonly body: string; readonly branch: string },
): Promise<string> => {
  const date = formatTimestamp(run.world.clock).slice(0, 10);
  const text = `# ${title}\n\nBranch: \`${branch}\`\n\n${body}\n`;
  const matter = {
    date,
    type: 'implementation',
    ...(issue === null ? {} : { github_issue: issue.number ?? issue.id }),
  };
  const path = writeDocument(run, 'reports', date, title, editFrontMatter(text, matter));
  const linked = await linkToIssue(run, issue, {
    kind: 'implementation',
    location: path,
    summary: [`Branch ${branch}`, title],
  });
  return [`Written: ${safe(path)}`, ...linked].join('\n');
};
