import { join } from 'node:path';
import { type Disk, diskCode } from '../base/disk.ts';
import type { Fault, Parsed } from '../base/fault.ts';
import { readText } from '../base/replace-file.ts';
import { formatFrontMatter, parseFrontMatter } from '../tasks/front-matter.ts';
import {
  bare,
  bullets,
  escapeText,
  formatRow,
  oneLine,
  splitLines,
  splitSections,
  tableRows,
  unescapeText,
} from '../tasks/sections.ts';
import { textOf, whole } from './metadata-file.ts';
import type { SessionPaths } from './paths.ts';

/** `feedbacks.md` (src/session/README.md): feedback from people about iteration N, which starts iteration N + 1. */
export interface Feedback {
  /** The iteration that this feedback starts. */
  readonly iteration: number | null;
  readonly timestamp: string | null;
  readonly previous_iteration: number | null;
  readonly critical: readonly Issue[];
  readonly quality: readonly Issue[];
  readonly requirements: readonly string[];
  readonly artifacts: readonly { readonly file: string; readonly description: string }[];
  /** Text outside the known sections, for the agents. */
  readonly other: string;
}

export interface Issue {
  /** `ISS-001`, `Q-001` */
  readonly id: string;
  readonly text: string;
  readonly evidence: string;
  readonly fix: string;
}

/** Reads issues as bullets (`- [ ] **ISS-001**: …` with sub-bullets) and as headings (`### ISS-001: …`, as in the Ralph template). */
export const parseFeedback = (text: string, file = 'feedbacks.md'): Parsed<Feedback> => {
  const { value: matter, problems } = parseFrontMatter(text, file);
  const sections = splitSections(matter.body, 2);
  const bodyOf = (pattern: RegExp): string =>
    sections.sections
      .filter(({ title }) => pattern.test(title))
      .map(({ body }) => body)
      .join('\n');
  const known = /^(critical|quality|new requirement|artifacts)/i;
  return {
    value: {
      iteration: whole(matter.data['iteration']),
      timestamp: textOf(matter.data['timestamp']),
      previous_iteration: whole(matter.data['previous_iteration']),
      critical: parseIssues(bodyOf(/^critical/i), 'ISS'),
      quality: parseIssues(bodyOf(/^quality/i), 'Q'),
      requirements: parseRequirements(bodyOf(/^new requirement/i)),
      artifacts: parseArtifacts(bodyOf(/^artifacts/i)),
      other: unescapeText(
        [
          sections.preamble.replace(/^[ \t]*#[^#\n].*$/m, ''),
          ...sections.sections.filter(({ title }) => !known.test(title)).map((it) => it.heading + it.body),
        ].join(''),
      ),
    },
    problems,
  };
};

const issueLine =
  /^(?:[-*]\s+(?:\[[ \w/-]\]\s+)?|#{3,4}\s+)\*{0,2}([A-Z]{1,6}-[\w-]{1,20})\*{0,2}\s*[:—-]?\*{0,2}\s*(.*)$/;

const parseIssues = (body: string, prefix: string): readonly Issue[] => {
  const issues: {
    id: string;
    text: string;
    evidence: string;
    fix: string;
    field: 'text' | 'evidence' | 'fix';
  }[] = [];
  for (const line of splitLines(body).map(bare)) {
    const start =
      issueLine.exec(line) ?? plainBullet(line, `${prefix}-${String(issues.length + 1).padStart(3, '0')}`);
    const current = issues.at(-1);
    if (start) {
      issues.push({
        id: start[1] ?? '',
        text: (start[2] ?? '').trim(),
        evidence: '',
        fix: '',
        field: 'text',
      });
    } else if (current && line.trim() !== '' && line.trim() !== '---') {
      const detail =
        /^\s*[-*]\s+\*{0,2}(Evidence|Suggested (?:Fix|Improvement))\*{0,2}\s*:\*{0,2}\s*(.*)$/i.exec(line);
      if (detail) current.field = /^evidence/i.test(detail[1] ?? '') ? 'evidence' : 'fix';
      const more = (detail ? (detail[2] ?? '') : line).trim();
      current[current.field] = `${current[current.field]}\n${more}`.trim();
    }
  }
  return issues.map(({ id, text, evidence, fix }) => ({ id, text, evidence, fix }));
};

/** An unindented bullet without an id is an issue too, unless it is a detail of an issue in heading form. */
const plainBullet = (line: string, id: string): readonly string[] | null => {
  const bullet = /^[-*]\s+(?:\[[ \w/-]\]\s+)?(.+)$/.exec(line);
  return bullet && !/^\*{0,2}[A-Z][\w /]{2,30}\*{0,2}\s*:/.test(bullet[1] ?? '')
    ? ['', id, bullet[1] ?? '']
    : null;
};

const parseRequirements = (body: string): readonly string[] => {
  const headed = splitSections(body, 3).sections;
  return headed.length > 0
    ? headed.map((it) => `${it.title}\n${it.body}`.replace(/\n---\s*$/, '').trim())
    : bullets(body);
};

const parseArtifacts = (body: string): Feedback['artifacts'] => {
  const rows = tableRows(body);
  if (rows.length > 0) {
    return rows.map(([file = '', description = '']) => ({ file: file.replaceAll('`', ''), description }));
  }
  return bullets(body).map((item) => {
    const match = /^`?([^`\s:]+)`?\s*[:—-]?\s*(.*)$/.exec(item);
    return { file: match?.[1] ?? item, description: match?.[2] ?? '' };
  });
};

/** Formats the file for `feedback add`, with a known iteration and timestamp. */
export const formatFeedback = (
  feedback: Feedback & { readonly iteration: number; readonly timestamp: string },
): string => {
  const issue = (it: Issue): string =>
    [
      `- [ ] **${it.id}**: ${oneLine(it.text)}`,
      ...(it.evidence === '' ? [] : [`  - Evidence: ${oneLine(it.evidence)}`]),
      ...(it.fix === '' ? [] : [`  - Suggested Fix: ${oneLine(it.fix)}`]),
    ].join('\n');
  const part = (title: string, lines: readonly string[]): string =>
    `## ${title}\n${lines.length === 0 ? 'None\n' : `${lines.join('\n')}\n`}`;
  const artifacts = feedback.artifacts.map(({ file, description }) => formatRow([file, description]));
  const matter = {
    iteration: feedback.iteration,
    timestamp: feedback.timestamp,
    previous_iteration: feedback.previous_iteration ?? undefined,
  };
  const parts = [
    `# Feedback\n${feedback.other === '' ? '' : `\n${escapeText(feedback.other)}\n`}`,
    part('Critical Issues', feedback.critical.map(issue)),
    part('Quality Issues', feedback.quality.map(issue)),
    part(
      'New Requirements',
      feedback.requirements.map((it) => `- ${oneLine(it)}`),
    ),
    part(
      'Artifacts Index',
      artifacts.length === 0 ? [] : [formatRow(['File', 'Description']), '| --- | --- |', ...artifacts],
    ),
  ];
  return formatFrontMatter(matter, parts.join('\n'));
};

/** A feedback directory that waits for its iteration. */
interface UnprocessedFeedback {
  /** Absolute. */
  readonly directory: string;
  readonly feedback: Feedback;
}

/**
 * Unprocessed feedback: complete, parseable `feedbacks.md` under `iterations/<N+1>/feedbacks/*` while the session is in iteration N (`iteration`).
 * An unreadable or empty file, or one of another iteration, is a problem and waits for its author.
 */
export const readUnprocessedFeedback = (
  disk: Disk,
  paths: SessionPaths,
  iteration: number,
): Parsed<readonly UnprocessedFeedback[]> => {
  const root = paths.iteration(iteration + 1).feedbacks;
  const found: UnprocessedFeedback[] = [];
  const problems: Fault[] = [];
  for (const name of names(disk, root)) {
    const directory = join(root, name);
    const file = join(directory, 'feedbacks.md');
    const problem = (what: string): void => {
      problems.push({ code: 'feedback', what, where: file, hint: 'correct the file; it will be read again' });
    };
    try {
      const text = readText(disk, file);
      if (text === null) continue;
      const { value: feedback, problems: inside } = parseFeedback(text, file);
      if (inside.length > 0) problems.push(...inside);
      else if (feedback.iteration !== null && feedback.iteration !== iteration + 1) {
        problem(`is for iteration ${feedback.iteration}, but the next one is ${iteration + 1}`);
      } else if (isEmpty(feedback)) problem('says nothing yet');
      else found.push({ directory, feedback });
    } catch (error) {
      problem(`cannot be read (${diskCode(error) || 'unexpected'})`);
    }
  }
  return { value: found, problems };
};

const isEmpty = (feedback: Feedback): boolean =>
  feedback.critical.length + feedback.quality.length + feedback.requirements.length === 0 &&
  feedback.other === '';

const names = (disk: Disk, directory: string): readonly string[] => {
  try {
    return disk
      .readdir(directory)
      .filter((name) => /^\d{8}-\d{6}$/.test(name) && disk.lstat(join(directory, name))?.kind === 'directory')
      .sort();
  } catch (error) {
    // Most sessions have no feedback directory.
    if (diskCode(error) === 'ENOENT') return [];
    throw error;
  }
};
