import { ask, linesOf } from '../../session/forms/question.ts';
import { ideaText } from '../documents/idea.ts';
import { approval, type DocumentForm } from './form.ts';

interface DraftIdeaFacts {
  /** The words of the command line; '' without. */
  readonly topic: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly author: string;
  /** Documents and issues about the same, as Markdown list items. */
  readonly related: (topic: string) => readonly string[];
}

const clarify = 'What should it make possible that is not possible now?';
const prompted = 'What prompted it?';
const scope = 'What is in scope, and what is not?';

/** The questions of `draft-idea`: the topic and three that can be skipped. A skipped one stays in the idea as an open question. */
export const draftIdeaForm = ({ topic, date, author, related }: DraftIdeaFacts): DocumentForm => ({
  questions: () => [
    ...(topic === ''
      ? [ask('topic', 'words', 'What is the idea?', { help: 'A few words; they become its title.' })]
      : []),
    ask('clarify', 'lines', clarify, { optional: true }),
    ask('prompted', 'lines', prompted, {
      optional: true,
      help: 'An incident, a wish, something you noticed.',
    }),
    ask('scope', 'lines', scope, { optional: true, help: 'A rough shape is enough.' }),
    ask(approval, 'approve', 'Keep this idea?', { offered: 'yes' }),
  ],
  document: (answers) => {
    const title = topic || (answers['topic'] ?? '');
    const open = [
      [clarify, answers['clarify']],
      [prompted, answers['prompted']],
      [scope, answers['scope']],
    ].flatMap(([question = '', answer]) => (linesOf(answer).length === 0 ? [question] : []));
    return ideaText({
      title,
      date,
      author,
      idea: linesOf(answers['clarify']),
      why: linesOf(answers['prompted']),
      shape: linesOf(answers['scope']),
      open,
      related: related(title),
    });
  },
});
