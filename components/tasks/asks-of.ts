import { reviewRequestOf } from '../../src/pipeline/changes/person-review.ts';
import type { Question } from '../../src/pipeline/questions/question.ts';
import type { SessionState } from '../../src/pipeline/state.ts';

/** The tasks that wait for a person, each since its first open request: a permission, a question, a review. */
export const asksOf = (session: SessionState, cutOff: boolean): ReadonlyMap<string, string> => {
  if (cutOff) return new Map();
  const requests = [
    ...[...session.permissions.values()].map(({ task, asked }) => [task, asked] as const),
    ...[...session.questions.values()].flatMap((question) =>
      question.answer === null ? [[taskOf(session, question), question.asked] as const] : [],
    ),
  ];
  const asks = new Map<string, string>();
  for (const [task, asked] of requests)
    if (task !== null && asked < (asks.get(task) ?? '~')) asks.set(task, asked);
  return asks;
};

const taskOf = (session: SessionState, { request, invocation, task: about }: Question): string | null => {
  if (about !== null) return about;
  const asking = invocation === null ? undefined : session.invocations.get(invocation);
  if (asking?.task != null) return asking.task;
  const reviewed = [...session.tasks.values()].find((task) => reviewRequestOf(task) === request);
  return reviewed?.definition.id ?? null;
};

/** Since when an agent at work waits for a person, in a permission or a question of its own; `null`: it does not. */
export const askingSince = (session: SessionState, id: string): string | null => {
  const requests = [
    ...session.permissions.values(),
    ...[...session.questions.values()].filter(({ answer }) => answer === null),
  ];
  const since = requests.flatMap(({ invocation, asked }) => (invocation === id ? [asked] : []));
  return since.sort()[0] ?? null;
};
