import { safe } from '../../base/safe.ts';
import { openQuestions, planRequest } from '../../pipeline/questions/open-questions.ts';
import type { Invocation, SessionState } from '../../pipeline/state.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import { count, formatTimeOfDay, formatTimeSoon, type LocalTime } from '../../words/local-time.ts';
import { questionWords, shortQuestion } from '../../words/question-words.ts';
import { callWords } from '../../words/work-words.ts';
import { type Need, needsOf } from '../signals/select-needs.ts';
import { permissionWords } from '../signals/select-permission.ts';
import type { NowLine } from './now-line.ts';

/** What waits for a person, with the instant since when. */
interface Waiting {
  readonly since: string;
  readonly line: NowLine;
}

/** The now line while a gate, a question or a permission waits for a person: what has waited longest, as in the queue. */
export const waitsForYou = (session: SessionState, now: LocalTime): NowLine | null =>
  [gateWaits(session, now), questionWaits(session), permissionWaits(session)]
    .flatMap((waiting) => waiting ?? [])
    .reduce<Waiting | null>(
      (first, each) => (first !== null && first.since <= each.since ? first : each),
      null,
    )?.line ?? null;

const gateWaits = (session: SessionState, now: LocalTime): Waiting | null => {
  const { gate } = session;
  if (gate === null) return null;
  const deadline =
    gate.deadlineMs === null
      ? ''
      : ` · if unanswered by ${formatTimeOfDay(gate.deadlineMs, now)}, kept for the next iteration`;
  const what =
    gate.gate === 'knowledge' ? `approve knowledge, ${count(gate.files.length, 'file')}` : 'approve the plan';
  return {
    since: gate.opened,
    line: {
      tone: 'you',
      text: `Waiting for you: ${what}${more(session)} · {decide.open} opens it${deadline}`,
      short: `Waiting for you: ${what.replace('approve knowledge', 'knowledge')}${more(session)} · {decide.open}${gate.deadlineMs === null ? ' opens it' : ` · until ${formatTimeOfDay(gate.deadlineMs, now)}`}`,
    },
  };
};

/** Without the gate of the plan, which is a question too: `gateWaits` names it with its deadline. */
const questionWaits = (session: SessionState): Waiting | null => {
  const open = openQuestions(session).find(
    ({ kind, request }) => questionKinds[kind].holdsUp && request !== planRequest,
  );
  if (open === undefined) return null;
  const words = safe(questionWords(open));
  const last = `${more(session)} · {decide.open} answers`;
  const text = `Waiting for you: ${words}${last}${meanwhile(session)}`;
  const short = `Waiting for you: ${shortQuestion(words)}${last}`;
  return { since: open.since, line: { tone: 'you', text, short, last } };
};

const permissionWaits = (session: SessionState): Waiting | null => {
  const [first] = session.permissions.values();
  if (first === undefined) return null;
  const last = ' · {decide.open} answers';
  const text = `Waiting for you: ${permissionWords(first)}${more(session)}${last}${meanwhile(session)}`;
  const short = `Waiting for you: ${kindsOf(session)}${last}`;
  return { since: first.asked, line: { tone: 'you', text, short, last } };
};

/** How many others the badge counts. */
const more = (session: SessionState): string => {
  const others = needsOf(session).length - 1;
  return others > 0 ? ` · ${others} more waiting` : '';
};

/** "2 permissions, 1 question": everything that waits, as the badge counts it. */
const kindsOf = (session: SessionState): string =>
  [...Map.groupBy(needsOf(session), nounOf)]
    // Lessons wait as one gate.
    .map(([noun, needs]) => (noun === nouns.knowledge ? noun : count(needs.length, noun)))
    .join(', ');

const nounOf = (need: Need): string => (need.kind === 'question' ? need.noun : nouns[need.kind]);

const nouns = { knowledge: 'knowledge', permission: 'permission', issue: 'issue', unproven: 'file' } as const;

/** How many agents work without waiting for an answer. */
const meanwhile = (session: SessionState): string => {
  const asking = new Set<string | null>([
    ...[...session.permissions.values()].map(({ invocation }) => invocation),
    ...[...session.questions.values()]
      .filter(({ answer }) => answer === null)
      .map(({ invocation }) => invocation),
  ]);
  const rest = active(session).filter(({ id }) => !asking.has(id)).length;
  return rest > 0 ? ` · ${count(rest, 'agent')} at work` : '';
};

/** The now line while an agent's quota is used up. */
export const quota = (session: SessionState, now: LocalTime): NowLine | null =>
  session.quotaUntil === null
    ? null
    : {
        tone: 'wait',
        text: `Quota used up: continues automatically at ${formatTimeOfDay(session.quotaUntil, now)} · {session.resume} tries now`,
      };

/** The now line while a failed call waits for its next try. */
export const retrying = (session: SessionState, now: LocalTime): NowLine | null => {
  const waiting = [...session.retries].filter(([, retry]) => !retry.fired);
  const [key, retry] = waiting.sort((a, b) => a[1].atMs - b[1].atMs)[0] ?? [];
  if (key === undefined || retry === undefined) return null;
  const again = `Waiting: ${safe(callWords(key))} will be retried at ${formatTimeSoon(retry.atMs, now)}, try ${retry.tries + 1} · {session.resume} tries now`;
  // The reason comes last: it may be long, and a narrow screen cuts it.
  return { tone: 'wait', text: retry.reason === undefined ? again : `${again} · ${safe(retry.reason)}` };
};

/** The invocations that run now. */
export const active = (session: SessionState): readonly Invocation[] =>
  [...session.invocations.values()].filter((invocation) => invocation.stage === 'running');
