import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { issuesNeedingPerson } from '../../src/pipeline/modes/flow/needs-person.ts';
import { openQuestions } from '../../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { questionKinds } from '../../src/signals/question-kinds.ts';
import { count } from '../../src/words/local-time.ts';
import { questionWords } from '../../src/words/question-words.ts';
import { selectUnproven, unprovenQuestion } from '../../src/words/unproven.ts';
import { permissionWords } from '../permission/select-permission.ts';
import type { ViewState } from '../view.ts';

/** An item that waits for a person. */
export type Need =
  | { readonly kind: 'knowledge'; readonly text: string; readonly since: string }
  | { readonly kind: 'permission'; readonly request: string; readonly text: string; readonly since: string }
  | {
      readonly kind: 'question';
      readonly request: string;
      readonly text: string;
      readonly since: string;
      /** What several are counted by: "2 reviews". */
      readonly noun: string;
    }
  /** An issue of a flow that only a person can move on. */
  | { readonly kind: 'issue'; readonly issue: string; readonly text: string; readonly since: string }
  /** A file in the mailbox that decides, and that nobody is known to have written. */
  | { readonly kind: 'unproven'; readonly id: string; readonly text: string; readonly since: string };

/** The needs-you queue. Without a host an answer waits in the mailbox for the resume. */
export const selectNeeds = ({ session, connection }: ViewState): readonly Need[] =>
  session === null || session.abort !== null || connection === 'replay' ? [] : needsOf(session);

/** What waits for a person, oldest first, and before all a worker that asks to join: its program waits in a call. */
export const needsOf = memoise((session: SessionState): readonly Need[] => {
  const asked = openQuestions(session);
  const questions = asked.map(
    (question): Need => ({
      kind: 'question',
      request: question.request,
      text: safe(questionWords(question)),
      since: question.since,
      noun: questionKinds[question.kind].noun,
    }),
  );
  const gate: readonly Need[] =
    session.gate?.gate === 'knowledge'
      ? [
          {
            kind: 'knowledge',
            text: `Keep ${count(session.gate.files.length, 'lesson')}?`,
            since: session.gate.opened,
          },
        ]
      : [];
  const permissions = [...session.permissions.values()].map(
    (permission): Need => ({
      kind: 'permission',
      request: permission.request,
      text: permissionWords(permission),
      since: permission.asked,
    }),
  );
  const files = selectUnproven(session).map(
    ({ id, signal, since }): Need => ({ kind: 'unproven', id, text: unprovenQuestion(signal), since }),
  );
  // After the end the issue is in the tracker, and the end names it.
  const issues = isComplete(session)
    ? []
    : issuesNeedingPerson(session).map(
        ({ issue, title, reason, since }): Need => ({
          kind: 'issue',
          issue,
          text: safe(reason === '' ? `${issue} ${title}` : `${issue} ${title}: ${reason}`),
          since,
        }),
      );
  const joins = new Set(questions.filter((_, at) => asked[at]?.kind === 'join'));
  const rest = [...gate, ...questions, ...permissions, ...files, ...issues].filter(
    (need) => !joins.has(need),
  );
  return [...joins, ...rest.sort((a, b) => (a.since < b.since ? -1 : 1))];
});
