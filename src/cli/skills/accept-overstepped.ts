import { ask } from '../../session/forms/question.ts';
import { acceptanceId } from '../../skills/talk/talk.ts';
import { answerTo } from './exchange.ts';
import type { SkillRun } from './skill-run.ts';

/**
 * Whether the work of an agent is taken: after it did without asking what it was not allowed to, only on the person's word. `null`: the person left.
 */
export const acceptOverstepped = async (run: SkillRun): Promise<boolean | null> => {
  const talk = run.journal.talk();
  if (talk.overstepped.length === 0) return true;
  const question = ask(
    acceptanceId(talk),
    'choice',
    'The agent did something it was not allowed to do. Accept its work?',
    {
      help: talk.overstepped.join('\n'),
      options: [
        { id: 'take', label: 'I checked it: accept the work', detail: '' },
        { id: 'no', label: 'no', detail: 'back to the conversation' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  return answer === null ? null : answer === 'take';
};
