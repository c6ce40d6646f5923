import type { Fault, Parsed } from '../base/fault.ts';
import { formatFrontMatter, parseFrontMatter } from '../tasks/front-matter.ts';
import {
  bullets,
  escapeText,
  formatRow,
  oneLine,
  type Sections,
  sectionOf,
  splitSections,
  tableRows,
  unescapeText,
} from '../tasks/sections.ts';
import { textOf, whole } from './metadata-file.ts';

/** An Executor's report about one attempt (src/session/README.md, Report). */
export interface ReportPart1 {
  readonly task_id: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly created_at: string;
  /** The earlier faults and the changes since, for attempt 2 and later. */
  readonly rework: string;
  readonly objective: string;
  readonly criteria: readonly CriterionRow[];
  readonly changes: string;
  /** Written from iteration 2 on. */
  readonly feedback: string;
  readonly verification: string;
  readonly discovered: readonly string[];
  readonly blockers: readonly string[];
  /** "Restarted due to STEER: …", "STEER applied in-place: …" */
  readonly steers: readonly string[];
}

interface CriterionRow {
  readonly criterion: string;
  readonly status: 'met' | 'not met' | 'not checked';
  readonly evidence: string;
}

/** The part added by a Reviewer. */
export interface ReportPart2 {
  readonly summary: string;
  readonly criteria: readonly CriterionRow[];
  readonly quality: string;
  readonly issues: readonly string[];
  readonly actions: readonly string[];
  readonly verdict: 'Qualified' | 'Failed';
  readonly reasoning: string;
  /** For the next attempt. */
  readonly feedback: string;
}

/** A report file from any writer. */
export interface Report {
  readonly task_id: string | null;
  readonly iteration: number | null;
  readonly attempt: number | null;
  readonly created_at: string | null;
  readonly part1: Omit<ReportPart1, 'task_id' | 'iteration' | 'attempt' | 'created_at'>;
  readonly part2: (Omit<ReportPart2, 'verdict'> & { readonly verdict: 'Qualified' | 'Failed' | null }) | null;
}

const title1 = 'PART 1: IMPLEMENTATION REPORT';
const title2 = 'PART 2: REVIEW REPORT';

/** A new report with part 1. */
export const formatReportPart1 = (report: ReportPart1): string => {
  const { task_id, iteration, attempt, created_at } = report;
  const heading = `# Task Report: ${task_id}${attempt > 1 ? ` [Attempt ${attempt}]` : ''}`;
  const changes = [escapeText(report.changes), ...report.steers.map((line) => `- ${oneLine(line)}`)];
  const parts: readonly (readonly [string, string] | null)[] = [
    attempt > 1 ? ['Rework Context', escapeText(report.rework)] : null,
    ['Objective Recap', escapeText(report.objective)],
    ['Success Criteria Status', formatCriteria(report.criteria, 'Status')],
    ['Summary of Changes', changes.filter((part) => part !== '').join('\n\n')],
    iteration > 1 ? ['Feedback Context Applied', escapeText(report.feedback)] : null,
    ['Verification Results', escapeText(report.verification)],
    ['Discovered Tasks', list(report.discovered)],
    ['Blockers', list(report.blockers)],
  ];
  const matter = { task_id, iteration, attempt, created_at };
  return formatFrontMatter(matter, `${heading}\n\n## ${title1}\n\n${formatParts(parts)}`);
};

/** The text to append to a report after the review. */
export const formatReportPart2 = (review: ReportPart2): string => {
  const verdict = `**Status**: ${review.verdict}\n**Reasoning**: ${escapeText(review.reasoning)}`;
  const parts: readonly (readonly [string, string] | null)[] = [
    ['Review Summary', escapeText(review.summary)],
    ['Success Criteria Validation', formatCriteria(review.criteria, 'Verdict')],
    ['Quality Assessment', escapeText(review.quality)],
    ['Issues Identified', list(review.issues)],
    ['Validation Actions Performed', list(review.actions)],
    ['Recommendation', verdict],
    review.feedback === '' ? null : ['Feedback for Next Attempt', escapeText(review.feedback)],
  ];
  return `\n---\n## ${title2}\n\n${formatParts(parts)}`;
};

const formatParts = (parts: readonly (readonly [string, string] | null)[]): string =>
  parts
    .map((part) => (part === null ? '' : `### ${part[0]}\n${part[1] === '' ? 'None' : part[1]}\n\n`))
    .join('');

const list = (items: readonly string[]): string => items.map((item) => `- ${oneLine(item)}`).join('\n');

const words = { met: '✅ Met', 'not met': '❌ Not met', 'not checked': '— Not checked' } as const;

const formatCriteria = (rows: readonly CriterionRow[], status: string): string =>
  rows.length === 0
    ? ''
    : [
        formatRow(['Criterion', status, 'Evidence']),
        '| --- | --- | --- |',
        ...rows.map((row) => formatRow([row.criterion, words[row.status], row.evidence])),
      ].join('\n');

/** Reads any report, even without front matter or without a review. */
export const parseReport = (text: string, file: string): Parsed<Report> => {
  const { value: matter, problems } = parseFrontMatter(text, file);
  const heading = /^#[ \t]+Task Report:[ \t]*([^\s[]+)[ \t]*(?:\[[A-Za-z]+[ \t]*#?[ \t]*(\d{1,6})\])?/m.exec(
    matter.body,
  );
  const parts = splitSections(matter.body, 2);
  // The last one counts: after a crash before its record, a review runs again.
  const find = (start: string) =>
    parts.sections.findLast(({ title }) => title.toUpperCase().startsWith(start));
  const first = find('PART 1');
  const second = find('PART 2');
  // Some agents wrote the sections of part 1 without the heading of the part.
  const part1 = splitSections(first?.body ?? (second ? parts.preamble : matter.body), 3);
  const found: Fault[] = [...problems];
  const part2 = second ? parsePart2(splitSections(second.body, 3)) : null;
  if (part2 !== null && part2.verdict === null) {
    const where = `${file}:${matter.bodyLine + (second?.line ?? 0)}`;
    found.push({ code: 'report-verdict', what: 'the review says neither Qualified nor Failed', where });
  }
  const steers = body(part1, 'Summary of Changes');
  return {
    value: {
      task_id: textOf(matter.data['task_id']) ?? heading?.[1] ?? null,
      iteration: whole(matter.data['iteration']),
      attempt: whole(matter.data['attempt']) ?? whole(heading?.[2]) ?? (heading ? 1 : null),
      created_at: textOf(matter.data['created_at']),
      part1: {
        rework: prose(part1, 'Rework Context'),
        objective: prose(part1, 'Objective Recap'),
        criteria: parseCriteria(body(part1, 'Success Criteria Status')),
        changes: unescapeText(
          none(
            steers
              .split(/\r\n|\n|\r/)
              .filter((line) => !isSteer(line))
              .join('\n'),
          ),
        ),
        feedback: prose(part1, 'Feedback Context Applied'),
        verification: prose(part1, 'Verification Results'),
        discovered: bullets(body(part1, 'Discovered Tasks')),
        blockers: bullets(body(part1, 'Blockers')),
        steers: bullets(
          steers
            .split(/\r\n|\n|\r/)
            .filter(isSteer)
            .join('\n'),
        ),
      },
      part2,
    },
    problems: found,
  };
};

const isSteer = (line: string): boolean => /^\s*[-*]\s+(?:Restarted due to STEER|STEER applied)/.test(line);

const parsePart2 = (sections: Sections): NonNullable<Report['part2']> => {
  const recommendation = body(sections, 'Recommendation');
  const verdict = /\*{0,2}Status\*{0,2}\s*:\*{0,2}\W*(Qualified|Failed)\b/i
    .exec(recommendation)?.[1]
    ?.toLowerCase();
  const reasoning = /\*{0,2}Reasoning\*{0,2}\s*:\*{0,2}\s*([\s\S]*)$/i.exec(recommendation)?.[1] ?? '';
  const feedback = sections.sections.find(({ title }) => /^feedback for next/i.test(title));
  return {
    summary: prose(sections, 'Review Summary'),
    criteria: parseCriteria(body(sections, 'Success Criteria Validation')),
    quality: prose(sections, 'Quality Assessment'),
    issues: bullets(body(sections, 'Issues Identified')),
    actions: bullets(body(sections, 'Validation Actions Performed')),
    verdict: verdict === undefined ? null : verdict === 'failed' ? 'Failed' : 'Qualified',
    reasoning: unescapeText(reasoning),
    feedback: unescapeText(none(feedback?.body ?? '')),
  };
};

const body = (sections: Sections, title: string): string =>
  sectionOf(sections, title)?.body ??
  sections.sections.find((section) => section.title.toLowerCase().startsWith(title.toLowerCase()))?.body ??
  '';

const prose = (sections: Sections, title: string): string => unescapeText(none(body(sections, title)));

const none = (text: string): string => (/^\s*none\.?\s*$/i.test(text) ? '' : text.replace(/\n---\s*$/, ''));

const parseCriteria = (text: string): readonly CriterionRow[] =>
  tableRows(text).map(([criterion = '', status = '', evidence = '']) => ({
    criterion,
    status: /not[ -]?met|❌|fail/i.test(status)
      ? 'not met'
      : /\bmet\b|✅|pass/i.test(status)
        ? 'met'
        : 'not checked',
    evidence,
  }));
