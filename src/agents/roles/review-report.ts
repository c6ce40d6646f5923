import type { Brief } from '../port.ts';
import type { CommitAnswer, ReviewAnswer, SessionReviewAnswer } from './answers.ts';
import { describeSteer, joinTraces } from './implementation-report.ts';
import { bulletList, criteriaTable, oneLine, section, table } from './markdown.ts';
import type { Notes } from './passing.ts';

/** Part 2 of a report (session-format.md, Report): appended by the Reviewer to what the Executor wrote. */
export const reviewReport = (answer: ReviewAnswer, notes: Notes, commit: CommitAnswer): string =>
  [
    '## PART 2: REVIEW REPORT',
    section(
      'Review Summary',
      bulletList(
        [...joinTraces(notes.steers, answer.steers).map(describeSteer), ...answer.summary],
        'Reviewed.',
      ),
    ),
    section('Success Criteria Validation', criteriaTable(answer.criteria)),
    section('Quality Assessment', bulletList(commitLines(commit), 'Nothing to say.')),
    section('Issues Identified', bulletList(answer.issues, 'None.')),
    section('Validation Actions Performed', bulletList(answer.actions, 'None.')),
    section(
      'Recommendation',
      `**Status**: ${answer.verdict}\n**Reasoning**: ${oneLine(answer.reasoning) || 'none given'}`,
    ),
    section('Feedback for Next Attempt', oneLine(answer.feedback) || 'None.'),
    '',
  ].join('\n\n');

/** `review.md`: the verdict on the iteration. */
export const sessionReviewText = (brief: Brief, answer: SessionReviewAnswer): string =>
  [
    `---\niteration: ${brief.iteration}\nsession: ${brief.session}\ncreated_at: ${brief.at ?? ''}\n---`,
    `# Session Review (Iteration ${brief.iteration})`,
    `## Goal\n\n${oneLine(brief.goal)}`,
    `## Assessment\n\n${oneLine(answer.assessment)}\n\n**Goals achieved**: ${answer.goals_achieved ? 'yes' : 'no'}`,
    `## Results\n\n${table(
      ['Task', 'Status', 'Evidence'],
      answer.results.map((row) => [row.task, row.status, row.evidence]),
    )}`,
    `## Gaps\n\n${bulletList(answer.gaps, 'None.')}`,
    `## Next Action\n\n${oneLine(answer.next_action) || 'None.'}`,
    '',
  ].join('\n\n');

const commitLines = (commit: CommitAnswer): readonly string[] => [
  `Commit ${commit.status}${commit.commit ? ` (${commit.commit})` : ''}${commit.detail ? `: ${commit.detail}` : ''}`,
  ...commit.unattributed.map((file) => `Unattributed, not committed: \`${file}\``),
];
