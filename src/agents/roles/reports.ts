import { formatReportPart1, formatReportPart2 } from '../../session/report.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import type { CommitAnswer, ImplementAnswer, ReviewAnswer, SteerTrace } from '../answers.ts';
import type { Brief } from '../port.ts';
import { bulletList, oneLine } from './markdown.ts';
import { summarize } from './messages.ts';
import type { Notes } from './passing.ts';

/** Part 1 of an attempt's report, by the Executor. */
export const implementationReport = (
  brief: Brief,
  task: TaskDefinition,
  answer: ImplementAnswer,
  notes: Notes,
): string =>
  formatReportPart1({
    task_id: task.id,
    iteration: brief.iteration,
    attempt: brief.attempt ?? 1,
    created_at: brief.at ?? '',
    rework: bulletList(
      [
        ...(brief.failedBefore === undefined ? [] : [`Failed before: ${summarize(brief.failedBefore, 400)}`]),
        ...notes.messages
          .filter((message) => message.kind === 'RETRY')
          .map((message) => `${message.from ? `${message.from}: ` : ''}${summarize(message.text, 400)}`),
      ],
      'Started again; the previous attempt ended without a result.',
    ),
    objective: task.objective || task.title,
    criteria: answer.criteria,
    changes: bulletList(answer.summary, 'No changes were described.'),
    feedback: bulletList(answer.feedback_addressed, 'None.'),
    verification: bulletList(answer.verification, 'Nothing was run.'),
    discovered: answer.discovered_tasks,
    blockers: answer.blockers,
    steers: joinTraces(notes.steers, answer.steers).map(describeSteer),
  });

/** Part 2, by the Reviewer, appended to the same file. */
export const reviewReport = (answer: ReviewAnswer, notes: Notes, commit: CommitAnswer): string =>
  formatReportPart2({
    summary: bulletList(
      [...joinTraces(notes.steers, answer.steers).map(describeSteer), ...answer.summary],
      'Reviewed.',
    ),
    criteria: answer.criteria,
    quality: commitLines(commit).join('\n'),
    issues: answer.issues,
    actions: answer.actions,
    verdict: answer.verdict,
    reasoning: answer.reasoning,
    feedback: answer.feedback,
  });

/** One line for each STEER: the action, then the evidence in brackets. */
const describeSteer = (trace: SteerTrace): string => `${trace.action} (${trace.evidence})`;

/** Keeps each STEER once, with its latest trace. */
const joinTraces = (earlier: readonly SteerTrace[], later: readonly SteerTrace[]): readonly SteerTrace[] => [
  ...new Map([...earlier, ...later].map((trace) => [trace.id, trace])).values(),
];

/** Empty if commits were not requested. */
const commitLines = (commit: CommitAnswer): readonly string[] =>
  commit.status === 'skipped' && commit.detail === ''
    ? []
    : [
        `- Commit ${commit.status}${commit.commit ? ` (${commit.commit})` : ''}${commit.detail ? `: ${oneLine(commit.detail)}` : ''}`,
        ...commit.unattributed.map((file) => `- Unattributed, not committed: \`${oneLine(file)}\``),
      ];
