import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatKnowledge,
  formatKnowledgeIndex,
  type Knowledge,
  markPromoted,
  parseKnowledge,
  parseKnowledgeIndex,
} from '../../src/session/knowledge.ts';
import { formatQuestions, parseQuestions, type Questions, questionId } from '../../src/session/questions.ts';
import { formatReview, parseReview } from '../../src/session/review.ts';

const knowledge: Knowledge = {
  category: 'how-to',
  source_session: '260215-101500',
  source_iteration: 1,
  source_artifacts: ['iterations/1/reports/task-1-report.md'],
  staged_at: '2026-02-15T10:15:00+07:00',
  carried_from_iteration: null,
  original_staged_at: null,
  carry_reason: null,
  promoted_at: null,
  body: '# How to\n\n## Steps\n',
};

describe('a knowledge file', () => {
  it('reads back as it was written', () => {
    expect(parseKnowledge(formatKnowledge(knowledge), 'k.md')).toEqual({ value: knowledge, problems: [] });
  });

  it('keeps its text and foreign keys when it is promoted', () => {
    const theirs = formatKnowledge(knowledge).replace('category:', 'mine: 1 # keep\ncategory:');
    const promoted = markPromoted(theirs, 'now');
    expect(promoted.replace('promoted_at: now\n', '')).toBe(theirs);
  });

  it('of a later Ralph version opens, with its wider index', () => {
    const root = join(import.meta.dirname, '../fixtures/sessions/v2.3/260217-090000/knowledge');
    expect(parseKnowledge(readFileSync(join(root, 'reference/form.md'), 'utf8'), 'k.md').value).toMatchObject(
      {
        category: 'reference',
        promoted_at: '2026-02-17T09:50:00Z',
      },
    );
    expect(parseKnowledgeIndex(readFileSync(join(root, 'index.md'), 'utf8'))).toEqual([
      {
        file: 'reference/form.md',
        category: 'reference',
        sourceArtifacts: [],
        stagedAt: '2026-02-17T09:40:00Z',
        carried: false,
      },
    ]);
  });

  it('is listed in an index that reads back, carried items marked', () => {
    const entries = [
      {
        file: 'how-to/a.md',
        category: 'how-to',
        sourceArtifacts: ['x.md', 'y.md'],
        stagedAt: 'now',
        carried: false,
      },
      { file: 'reference/b.md', category: 'reference', sourceArtifacts: [], stagedAt: 'then', carried: true },
    ];
    const text = formatKnowledgeIndex(entries);
    expect(text).toContain('| reference/b.md (carried) |');
    expect(parseKnowledgeIndex(text)).toEqual(entries);
  });

  it('of nobody we know has no source session and a problem for its category', () => {
    const { value, problems } = parseKnowledge('---\ncategory: novel\n---\nx', 'k.md');
    expect(value).toMatchObject({ source_session: null, category: null, body: 'x' });
    expect(problems[0]?.where).toBe('k.md:2');
  });
});

describe('a questions file', () => {
  const item = {
    question: 'Which parser?',
    priority: 'High',
    impact: 'all',
    answer: '',
    source: '',
    confidence: '',
  };
  const questions: Questions = {
    category: 'technical',
    iteration: 1,
    cycle: 2,
    created_at: 'a',
    updated_at: 'b',
    questions: [
      {
        ...item,
        id: questionId('technical', 1),
        cycle: 1,
        answer: 'Ours.',
        source: 'src',
        confidence: 'High',
      },
      { ...item, id: questionId('technical', 2), cycle: 2 },
    ],
  };

  it('reads back as it was written, with the answers of each cycle', () => {
    const text = formatQuestions(questions);
    expect(text).toContain('# Questions: Technical (Iteration 1, Cycle 2)');
    expect(parseQuestions(text, 'technical.md')).toEqual({ value: questions, problems: [] });
  });

  it('is read when questions are headings by id and were answered in place', () => {
    const text = '## Cycle 1\n### Q-FDB-001 (from ISS-001)\n- **Question**: Why?\n- Answer: So.\n';
    expect(parseQuestions(text, 'q/feedback-driven.md').value).toMatchObject({
      category: 'feedback-driven',
      questions: [{ id: 'Q-FDB-001', question: 'Why?', answer: 'So.', cycle: 1 }],
    });
  });
});

describe('the review of an iteration', () => {
  it('reads back as it was written', () => {
    const review = {
      session_id: '260215-101500',
      iteration: 1,
      review_date: 'now',
      complete: false,
      assessment: 'Two of three.\n# hm',
      tasks: [{ task: 'task-1', title: 'One', verdict: '✅ Qualified', note: '' }],
      gaps: ['no docs'],
      nextAction: 'Give feedback.',
    };
    const { session_id: _, ...read } = review;
    expect(parseReview(formatReview(review))).toEqual({ value: read, problems: [] });
    expect(parseReview(formatReview({ ...review, complete: true, gaps: [] })).value).toMatchObject({
      complete: true,
      gaps: [],
    });
  });
});

it('no document throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const body of [
        text,
        `---\n${text}\n---\n${text}`,
        `## Cycle 1\n### ${text}\n- ${text}: ${text}`,
        `| File |\n|---|\n| ${text} |`,
      ]) {
        parseKnowledge(body, 'k.md');
        parseKnowledgeIndex(body);
        parseQuestions(body, 'q.md');
        parseReview(body);
      }
    }),
  );
});
