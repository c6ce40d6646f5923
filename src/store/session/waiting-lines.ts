import { safe } from '../../base/safe.ts';
import { openQuestions } from '../../pipeline/questions/open-questions.ts';
import type { Invocation, SessionState } from '../../pipeline/state.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import { count, formatTimeOfDay, formatTimeSoon, type LocalTime } from '../../words/local-time.ts';
import { questionWords } from '../../words/question-words.ts';
import { permissionWords } from '../signals/select-permission.ts';
import type { NowLine } from './now-line.ts';

/** The now line while a gate, a question or a permission waits for a person. */
export const waitsForYou = (session: SessionState, now: LocalTime): NowLine | null => {
  const { gate } = session;
  if (gate !== null) {
    const deadline =
      gate.deadlineMs === null
        ? ''
        : ` · without an answer by ${formatTimeOfDay(gate.deadlineMs, now)}: kept for the next iteration`;
    const what =
      gate.gate === 'knowledge'
        ? `approve knowledge, ${count(gate.files.length, 'file')}`
        : 'approve the plan';
    return {
      tone: 'you',
      text: `Waiting for you: ${what} · {decide.open} opens it${deadline}`,
      short: `Waiting for you: ${what.replace('approve knowledge', 'knowledge')} · {decide.open}${gate.deadlineMs === null ? ' opens it' : ` · until ${formatTimeOfDay(gate.deadlineMs, now)}`}`,
    };
  }
  const asking = new Set([...session.permissions.values()].map(({ invocation }) => invocation));
  const rest = active(session).filter(({ id }) => !asking.has(id)).length;
  const meanwhile = rest > 0 ? ` · ${count(rest, 'agent')} at work` : '';
  const open = openQuestions(session).find(({ kind }) => questionKinds[kind].holdsUp);
  if (open !== undefined)
    return {
      tone: 'you',
      text: `Waiting for you: ${safe(questionWords(open))} · {decide.open} answers${meanwhile}`,
    };
  const [first, ...others] = session.permissions.values();
  if (first === undefined) return null;
  const more = others.length > 0 ? ` · ${count(others.length, 'more waits', 'more wait')}` : '';
  return {
    tone: 'you',
    text: `Waiting for you: ${permissionWords(first)}${more} · {decide.open} answers${meanwhile}`,
    short: `Waiting for you: ${count(others.length + 1, 'permission')} · {decide.open} answers`,
  };
};

/** The now line while an agent's quota is used up. */
export const quota = (session: SessionState, now: LocalTime): NowLine | null =>
  session.quotaUntil === null
    ? null
    : {
        tone: 'wait',
        text: `Quota used up: continues by itself at ${formatTimeOfDay(session.quotaUntil, now)}`,
      };

/** The now line while a failed call waits for its next try. */
export const retrying = (session: SessionState, now: LocalTime): NowLine | null => {
  const waiting = [...session.retries].filter(([, retry]) => !retry.fired);
  const [key, retry] = waiting.sort((a, b) => a[1].atMs - b[1].atMs)[0] ?? [];
  if (key === undefined || retry === undefined) return null;
  const again = `Waiting: ${safe(callOf(key))} is tried again at ${formatTimeSoon(retry.atMs, now)}, try ${retry.tries + 1}`;
  // The reason comes last: it may be long, and a narrow screen cuts it.
  return { tone: 'wait', text: retry.reason === undefined ? again : `${again}: ${safe(retry.reason)}` };
};

/** A failed call in words, by its slot: `IMPLEMENT:lint` is "lint", `SESSION_REVIEW` is "session review". */
const callOf = (slot: string): string => {
  const [mode = slot, task] = slot.split(/:(.*)/);
  return task ?? mode.toLowerCase().replaceAll('_', ' ');
};

/** The invocations that run now. */
export const active = (session: SessionState): readonly Invocation[] =>
  [...session.invocations.values()].filter((invocation) => invocation.stage === 'running');
