import type { Parsed } from '../base/fault.ts';
import { formatFrontMatter, parseFrontMatter } from '../tasks/front-matter.ts';
import {
  bullets,
  escapeText,
  formatRow,
  oneLine,
  splitSections,
  tableRows,
  unescapeText,
} from '../tasks/sections.ts';
import { textOf, whole } from './metadata-file.ts';

/** `review.md`: the verdict of an iteration, by the Reviewer in SESSION_REVIEW. */
interface Review {
  readonly session_id: string;
  readonly iteration: number;
  readonly review_date: string;
  /** Whether every request is fulfilled. */
  readonly complete: boolean;
  readonly assessment: string;
  readonly tasks: readonly ReviewRow[];
  readonly gaps: readonly string[];
  readonly nextAction: string;
}

interface ReviewRow {
  readonly task: string;
  readonly title: string;
  readonly verdict: string;
  readonly note: string;
}

interface ReadReview {
  readonly iteration: number | null;
  readonly review_date: string | null;
  readonly complete: boolean | null;
  readonly assessment: string;
  readonly tasks: readonly ReviewRow[];
  readonly gaps: readonly string[];
  readonly nextAction: string;
}

export const formatReview = (review: Review): string => {
  const matter = {
    iteration: review.iteration,
    review_date: review.review_date,
    reviewer: 'Ralph-v2-Reviewer',
    overall_verdict: review.complete ? 'Complete' : 'Needs Feedback',
    session_id: review.session_id,
  };
  const columns = ['Task ID', 'Title', 'Verdict', 'Key Issues'];
  const rows = review.tasks.map((row) =>
    formatRow([row.task, row.title, row.verdict, row.note === '' ? 'None' : row.note]),
  );
  const gaps = review.gaps.length === 0 ? 'None' : review.gaps.map((gap) => `- ${oneLine(gap)}`).join('\n');
  const parts = [
    `# Session Review — Iteration ${review.iteration}\n`,
    `## Executive Summary\n${escapeText(review.assessment)}\n`,
    `## Iteration Summary\n${[formatRow(columns), formatRow(columns.map(() => '---')), ...rows].join('\n')}\n`,
    `## Issues Found\n${gaps}\n`,
    `## Next Action\n${escapeText(review.nextAction)}\n`,
  ];
  return formatFrontMatter(matter, parts.join('\n'));
};

/** Reads a review by its headings, including the headings of the prompt agents. */
export const parseReview = (text: string, file = 'review.md'): Parsed<ReadReview> => {
  const { value: matter, problems } = parseFrontMatter(text, file);
  const sections = splitSections(matter.body, 2).sections;
  const body = (pattern: RegExp): string => sections.find(({ title }) => pattern.test(title))?.body ?? '';
  const verdict = textOf(matter.data['overall_verdict']);
  return {
    value: {
      iteration: whole(matter.data['iteration']),
      review_date: textOf(matter.data['review_date']),
      complete: verdict === null ? null : /^complete/i.test(verdict),
      assessment: unescapeText(body(/^(executive summary|assessment|summary)/i)),
      tasks: tableRows(body(/^iteration summary/i)).map((row) => ({
        task: row[0] ?? '',
        title: row[1] ?? '',
        verdict: row[2] ?? '',
        note: (row.at(-1) ?? '') === 'None' ? '' : (row.at(-1) ?? ''),
      })),
      gaps: bullets(body(/^(issues found|gaps)/i)).filter((gap) => !/^none\.?$/i.test(gap)),
      nextAction: unescapeText(body(/^(next action|recommendation)/i)),
    },
    problems,
  };
};
