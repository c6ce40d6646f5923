import type { Question } from '../../session/forms/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { TalkIo } from '../../skills/talk/talk-io.ts';
import type { TalkJournal } from '../../skills/talk/talk-journal.ts';

/** How the one who asks may take a question back, and the answer that the journal then gets. */
interface Withdrawal {
  readonly over: AbortSignal;
  readonly means: string;
}

/** Puts a question to the person and keeps it with its answer. `null`: the person left, or the question was taken back. */
export type AskPerson = (
  question: Question | ((talk: Talk) => Question),
  withdrawal?: Withdrawal,
) => Promise<string | null>;

/** One question is open at a time, because an agent may ask for several things at once. A question that waits is made when its turn comes. */
export const createAskPerson = (journal: TalkJournal, io: TalkIo): AskPerson => {
  let last: Promise<unknown> = Promise.resolve();
  const put: AskPerson = async (asked, withdrawal) => {
    if (withdrawal?.over.aborted) return null;
    const question = typeof asked === 'function' ? asked(journal.talk()) : asked;
    journal.add({ type: 'asked', question });
    io.show(journal.talk());
    const answered = io.ask(question, journal.talk());
    const answer = await (withdrawal === undefined
      ? answered
      : Promise.race([answered, takenBack(withdrawal.over)]));
    const kept = answer ?? withdrawal?.means ?? null;
    if (kept !== null) journal.add({ type: 'answered', id: question.id, answer: kept });
    // The screen would keep a question that was taken back.
    if (answer === null) io.show(journal.talk());
    return answer;
  };
  return (asked, withdrawal) => {
    const answer = last.then(() => put(asked, withdrawal));
    // A question that failed does not stop the next one; its own caller gets the error.
    last = answer.catch(() => {});
    return answer;
  };
};

const takenBack = (over: AbortSignal): Promise<null> =>
  new Promise((resolve) => over.addEventListener('abort', () => resolve(null), { once: true }));
