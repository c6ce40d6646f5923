import type { Parsed } from '../base/fault.ts';
import { formatFrontMatter, parseFrontMatter } from '../tasks/front-matter.ts';
import { oneLine, type Section, splitSections } from '../tasks/sections.ts';
import { textOf, whole } from './metadata-file.ts';

/** Categories of `questions/<category>.md`, in the order of a Questioner. */
export const questionCategories = [
  'technical',
  'requirements',
  'constraints',
  'assumptions',
  'risks',
  'feedback-driven',
] as const;
export type QuestionCategory = (typeof questionCategories)[number];

/** One question of a Questioner and, once researched, its answer. */
interface QuestionItem {
  /** `Q-TECH-001` */
  readonly id: string;
  readonly question: string;
  readonly priority: string;
  readonly impact: string;
  readonly cycle: number;
  /** '' while it is unanswered. */
  readonly answer: string;
  readonly source: string;
  readonly confidence: string;
}

export interface Questions {
  readonly category: string;
  readonly iteration: number | null;
  readonly cycle: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly questions: readonly QuestionItem[];
}

/** Builds a question's id: `Q-TECH-001`. */
export const questionId = (category: QuestionCategory, number: number): string => {
  const short = {
    technical: 'TECH',
    requirements: 'REQ',
    constraints: 'CON',
    assumptions: 'ASM',
    risks: 'RISK',
    'feedback-driven': 'FDB',
  };
  return `Q-${short[category]}-${String(number).padStart(3, '0')}`;
};

/** Formats a whole `questions/<category>.md`: cycles with their questions, then the answers of each cycle. */
export const formatQuestions = (file: Questions): string => {
  const { category, iteration, cycle, created_at, updated_at } = file;
  const name = category.replaceAll(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());
  const cycles = [...new Set(file.questions.map((it) => it.cycle))].sort((a, b) => a - b);
  const parts = cycles.map((number) => {
    const own = file.questions.filter((it) => it.cycle === number);
    const answered = own.filter((it) => it.answer !== '');
    const asked = own.map((it, index) => {
      const status = it.answer === '' ? 'Unanswered' : 'Answered';
      return `### Question ${index + 1}\n${fields({ ID: it.id, Question: it.question, Priority: it.priority, Status: status, Impact: it.impact })}`;
    });
    const answers = answered.map(
      (it) => `### ${it.id}\n${fields({ Answer: it.answer, Source: it.source, Confidence: it.confidence })}`,
    );
    return [
      `## Cycle ${number}\n`,
      ...asked,
      ...(answers.length === 0 ? [] : [`## Answers (Cycle ${number})\n`, ...answers]),
      `## Cycle ${number} Summary\n- Questions Generated: ${own.length}\n- Answered: ${answered.length}\n`,
    ].join('\n');
  });
  const matter = { category, iteration, cycle, created_at, updated_at };
  const body = parts.length === 0 ? 'No questions.\n' : parts.join('\n');
  return formatFrontMatter(
    matter,
    `# Questions: ${name} (Iteration ${iteration ?? 1}, Cycle ${cycle ?? 1})\n\n${body}`,
  );
};

const fields = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `- **${name}**: ${oneLine(value)}\n`)
    .join('');

/** Reads questions and answers in any order of their headings. A question answered in place counts as answered too. */
export const parseQuestions = (text: string, file: string): Parsed<Questions> => {
  const { value: matter, problems } = parseFrontMatter(text, file);
  const found = new Map<string, QuestionItem>();
  const answers = new Map<string, ReadonlyMap<string, string>>();
  for (const part of splitSections(matter.body, 2).sections) {
    const cycle = Number(/cycle\s*(\d{1,4})/i.exec(part.title)?.[1] ?? whole(matter.data['cycle']) ?? 1);
    for (const section of splitSections(part.body, 3).sections) {
      const read = readFields(section);
      const id = read.get('id') ?? /^(Q-[A-Z]+-\d+)/.exec(section.title)?.[1];
      if (id === undefined) continue;
      if (/^answers/i.test(part.title)) answers.set(id, read);
      else found.set(id, toItem(id, cycle, read));
    }
  }
  for (const [id, read] of answers)
    found.set(id, { ...toItem(id, 1, read), ...without(found.get(id)), ...answerOf(read) });
  return {
    value: {
      category: textOf(matter.data['category']) ?? file.replace(/^.*\//, '').replace(/\.md$/, ''),
      iteration: whole(matter.data['iteration']),
      cycle: whole(matter.data['cycle']),
      created_at: textOf(matter.data['created_at']),
      updated_at: textOf(matter.data['updated_at']),
      questions: [...found.values()],
    },
    problems,
  };
};

const toItem = (id: string, cycle: number, read: ReadonlyMap<string, string>): QuestionItem => ({
  id,
  question: read.get('question') ?? '',
  priority: read.get('priority') ?? '',
  impact: read.get('impact') ?? '',
  cycle,
  ...answerOf(read),
});

const answerOf = (
  read: ReadonlyMap<string, string>,
): Pick<QuestionItem, 'answer' | 'source' | 'confidence'> => ({
  answer: read.get('answer') ?? '',
  source: read.get('source') ?? '',
  confidence: read.get('confidence') ?? '',
});

const without = (item: QuestionItem | undefined): Partial<QuestionItem> => {
  if (item === undefined) return {};
  const { id, question, priority, impact, cycle } = item;
  return { id, question, priority, impact, cycle };
};

const readFields = (section: Section): ReadonlyMap<string, string> =>
  new Map(
    [
      ...section.body.matchAll(
        /^[ \t]*[-*][ \t]+\*{0,2}([A-Za-z][A-Za-z ]{0,30}?)\*{0,2}\s*:\*{0,2}[ \t]*(.*)$/gm,
      ),
    ].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]),
  );
