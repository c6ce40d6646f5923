import { formatFrontMatter } from '../../tasks/front-matter.ts';
import type { Brief } from '../port.ts';
import type { SessionReviewAnswer } from './answers.ts';
import { bulletList, oneLine, table } from './markdown.ts';

/** `review.md`: the verdict on the iteration. */
export const sessionReviewText = (brief: Brief, answer: SessionReviewAnswer): string =>
  formatFrontMatter(
    { iteration: brief.iteration, session: brief.session, created_at: brief.at },
    [
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
    ].join('\n\n'),
  );
