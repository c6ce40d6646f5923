import { estimateNamed } from '../../issues/issue.ts';
import { type Answers, ask, linesOf, type Question } from '../../session/forms/question.ts';
import { type IssueDraftDocument, issueDraftText, partOf } from '../documents/issue-draft.ts';
import { approval, type DocumentForm } from './form.ts';

export interface FormIdeaFacts {
  readonly title: string;
  readonly summary: string;
  /** What the idea says of its shape: offered as context. */
  readonly context: string;
  /** The idea's own file, relative to the workspace; `null` for words without one. */
  readonly file: string | null;
  /** Issues of a similar title. */
  readonly similar: (
    title: string,
  ) => readonly { readonly id: string; readonly title: string; readonly state: string }[];
}

const sizes = ['XS', 'S', 'M', 'L', 'XL'].map((id) => ({ id, label: id, detail: '' }));

/** The questions of `form-idea`: confirms what it understood, shows similar issues, and ends with the approval of the draft. */
export const formIdeaForm = (facts: FormIdeaFacts): DocumentForm => ({
  questions: (answers) =>
    answers['similar'] === undefined || answers['similar'] === 'go-on' ? questionsOf(facts, answers) : [],
  document: (answers) => issueDraftText(issueDraftOf(facts, answers)),
});

const questionsOf = (facts: FormIdeaFacts, answers: Answers): readonly Question[] => {
  const similar = facts.similar(answers['title'] ?? facts.title);
  const isTree = answers['becomes'] === 'tree';
  return [
    ask('title', 'words', 'What should be true when it is done, in one line?', {
      help: `As I understand it: ${facts.summary || facts.title}`,
      offered: facts.title,
    }),
    ...(similar.length === 0 ? [] : [similarQuestion(similar)]),
    ask('becomes', 'choice', 'What should it become?', {
      offered: 'issue',
      options: [
        { id: 'issue', label: 'one issue', detail: 'Small enough to plan and build in one go.' },
        { id: 'tree', label: 'an issue with parts', detail: 'A parent issue and small parts, in order.' },
        ...(facts.file === null
          ? []
          : [
              {
                id: 'idea',
                label: 'a better idea',
                detail: 'Your answers go into the idea file; no issue yet.',
              },
            ]),
      ],
    }),
    ask('criteria', 'lines', 'How will you know that it is done?', {
      help: 'One criterion per line.',
      optional: answers['becomes'] === 'idea',
    }),
    ask('context', 'lines', 'What should someone who builds it know?', {
      optional: true,
      offered: facts.context,
      ...(facts.context === '' ? {} : { help: 'If empty, the rough shape of the idea is used.' }),
    }),
    ...(isTree
      ? [
          ask('parts', 'lines', 'Which parts, in order?', {
            help: 'One per line, with XS or S before it, as in "S: store the draft".',
          }),
          ask('ordered', 'choice', 'Does each part wait for the previous one?', {
            offered: 'yes',
            options: [
              { id: 'yes', label: 'one after the other', detail: '' },
              { id: 'no', label: 'in parallel', detail: '' },
            ],
          }),
        ]
      : []),
    ...(answers['becomes'] === 'issue'
      ? [ask('estimate', 'choice', 'How large is it?', { options: sizes, offered: 'S' })]
      : []),
    ask(
      approval,
      'approve',
      answers['becomes'] === 'idea' ? 'Save the idea like this?' : 'Create this in your tracker?',
      {},
    ),
  ];
};

const similarQuestion = (
  similar: readonly { readonly id: string; readonly title: string; readonly state: string }[],
): Question =>
  ask('similar', 'choice', 'There are issues with a similar title. Is yours one of them?', {
    offered: 'go-on',
    options: [
      { id: 'go-on', label: 'no, continue', detail: '' },
      ...similar.slice(0, 5).map(({ id, title, state }) => ({
        id: `is ${id}`,
        label: `${id}: ${title}`,
        detail: `${state}. Choosing it creates nothing.`,
      })),
    ],
  });

/** The draft that the answers so far give. */
export const issueDraftOf = (facts: FormIdeaFacts, answers: Answers): IssueDraftDocument => ({
  title: answers['title'] || facts.title,
  summary: facts.summary || answers['title'] || facts.title,
  criteria: linesOf(answers['criteria']),
  context: linesOf(answers['context']),
  estimate: answers['becomes'] === 'tree' ? null : estimateNamed(answers['estimate'] ?? ''),
  parts: linesOf(answers['parts']).map(partOf),
  ordered: answers['ordered'] !== 'no',
});
