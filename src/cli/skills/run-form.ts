import { type Answers, firstOpen } from '../../session/forms/question.ts';
import type { DocumentForm } from '../../skills/forms/form.ts';
import { approval } from '../../skills/forms/form.ts';
import { answerTo } from './exchange.ts';
import type { SkillRun } from './skill-run.ts';

/**
 * Asks the questions of a form, each kept as it is answered. `form` gives the form for the answers so far. Returns `null` when the person left; the
 * journal then says where to continue. An approval counts only in the program that asked for it: a journal is a file that others can write.
 */
export const runForm = async (
  run: SkillRun,
  form: (answers: Answers) => DocumentForm,
): Promise<Answers | null> => {
  const { journal } = run;
  let approved: string | null = null;
  for (;;) {
    const answers: Answers = withApproval(journal.talk().answers, approved);
    const now = form(answers);
    const text = now.document(answers);
    if (text !== journal.talk().document) journal.add({ type: 'drafted', text, problems: [] });
    const question = firstOpen(now.questions(answers), answers);
    if (question === null) return answers;
    const answer = await answerTo(run, question);
    if (answer === null) return null;
    if (question.id === approval) approved = answer;
  }
};

const withApproval = (answers: Answers, approved: string | null): Answers => {
  const { [approval]: _, ...others } = answers;
  return approved === null ? others : { ...others, [approval]: approved };
};
