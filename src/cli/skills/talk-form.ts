import type { AskedField, ElicitPorts } from '../../agents/backends/acp/elicitation/elicit.ts';
import { safe } from '../../base/safe.ts';
import { ask, type Question } from '../../session/forms/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { SkillRun } from './skill-run.ts';

/** Puts a form of an agent to the person of a conversation, one question per field, and shows all answers before they are sent. `over`: the agent withdrew it. */
export const formQuestions = (run: SkillRun, over: AbortSignal): ElicitPorts => ({
  ask: async (_, field) => {
    const answer = await run.ask((talk) => fieldQuestion(talk, field), { over, means: 'decline' });
    if (answer === null || field.choices.length === 0) return answer;
    const ids = answer.split('\n').filter((id) => id !== '');
    if (ids.includes('decline')) return 'decline';
    if (ids.includes('skip') || (ids.length === 0 && !field.isRequired)) return 'skip';
    return ids.map((id) => field.choices[Number(id)] ?? id).join('\n');
  },
  review: async (answers) => {
    const question = ({ turns }: Talk): Question =>
      ask(`form-${turns.length}`, 'choice', 'Send these answers?', {
        help: answers
          .map(({ question: asked, answer }) => `${safe(asked)}: ${safe(answer) || '(empty)'}`)
          .join('\n'),
        options: [
          { id: 'send', label: 'yes', detail: '' },
          { id: 'again', label: 'no, ask again', detail: '' },
          decline,
        ],
      });
    const answer = await run.ask(question, { over, means: 'decline' });
    return answer === 'send' || answer === 'again' || answer === 'decline' ? answer : null;
  },
});

const decline = { id: 'decline', label: 'skip this form', detail: '' };

const fieldQuestion = (
  { turns }: Talk,
  { question, choices, several, isRequired, help }: AskedField,
): Question => {
  const id = `form-${turns.length}`;
  // A number is an answer of its own where no choices are named.
  if (choices.length === 0)
    return ask(id, 'words', question, {
      help: [...help, `Or answer ${isRequired ? '' : 'skip or '}decline.`].join('\n'),
    });
  return ask(id, several ? 'choices' : 'choice', question, {
    help: help.join('\n'),
    optional: several && !isRequired,
    options: [
      ...choices.map((label, at) => ({ id: String(at), label, detail: '' })),
      ...(isRequired || several ? [] : [{ id: 'skip', label: 'leave it empty', detail: '' }]),
      decline,
    ],
  });
};
