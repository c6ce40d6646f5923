import { safe } from '../../src/base/safe.ts';
import { planRequest } from '../../src/pipeline/questions/open-questions.ts';
import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import { count, formatTimeOfDay, formatTimeSoon, type LocalTime } from '../../src/words/local-time.ts';
import { shortQuestion } from '../../src/words/question-words.ts';
import { callWords } from '../../src/words/work-words.ts';
import { hereCommand, hereLine, permissionLine, selectAskedHere, waitingNeed } from '../answer/asked-here.ts';
import type { HeldAnswer } from '../answer/here-answer.ts';
import { type Need, needsOf } from '../needs/select-needs.ts';
import type { OverlayKind } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import type { NowLine } from './now-line.ts';

/** The now line while a gate, a question or a permission waits for a person: what has waited longest, as in the queue. */
export const waitsForYou = (view: ViewState, session: SessionState, now: LocalTime): NowLine | null => {
  const need = waitingNeed(session);
  if (need === null) return null;
  // Keys of the panes are not those of what is open over them.
  const takesKeys = view.ui.overlays.length === 0;
  if (view.ui.held !== null) return heldLine(view.ui.held, takesKeys);
  // The dialog says it all.
  if (view.ui.overlays.some(({ kind }) => asking.has(kind)))
    return { tone: 'you', text: `Waiting for your answer${more(session)}${meanwhile(session)}` };
  const here = selectAskedHere(view);
  if (here !== null && here.choices.length > 0) {
    const line = hereLine(here);
    return {
      tone: 'you',
      text: `Waiting for you: ${line}${more(session)}${meanwhile(session)}`,
      short: line,
    };
  }
  return need.kind === 'knowledge' || (need.kind === 'question' && need.request === planRequest)
    ? gateLine(session, now, takesKeys)
    : openedLine(session, need, takesKeys);
};

/** Dialogs in which a person answers. */
const asking: ReadonlySet<string> = new Set([
  'permission',
  'answer',
  'needs-you',
  'knowledge',
  'plan-review',
] satisfies readonly OverlayKind[]);

/** The answer that waits to be sent. */
const heldLine = ({ label, words, index }: HeldAnswer, takesKeys: boolean): NowLine => {
  const last = takesKeys ? ` · {${hereCommand(index)}} now · {here.take-back} takes it back` : '';
  const text = `Sends "${label}" in 5 s: ${words}${last}`;
  return { tone: 'you', text, short: text, last };
};

const gateLine = (session: SessionState, now: LocalTime, takesKeys: boolean): NowLine | null => {
  const { gate } = session;
  if (gate === null) return null;
  const deadline =
    gate.deadlineMs === null
      ? ''
      : ` · if unanswered by ${formatTimeOfDay(gate.deadlineMs, now)}, kept for the next iteration`;
  const lessons = count(gate.files.length, 'lesson');
  const [what, short] =
    gate.gate === 'knowledge' ? [`keep ${lessons}?`, lessons] : ['approve the plan', 'approve the plan'];
  const key = takesKeys ? ' · {here.first}' : '';
  const opens = takesKeys ? `${key} opens it` : '';
  const until = gate.deadlineMs === null ? opens : `${key} · until ${formatTimeOfDay(gate.deadlineMs, now)}`;
  return {
    tone: 'you',
    text: `Waiting for you: ${what}${more(session)}${opens}${deadline}`,
    short: `Waiting for you: ${short}${more(session)}${until}`,
  };
};

/** What is seen whole only in its dialog. */
const openedLine = (session: SessionState, need: Need, takesKeys: boolean): NowLine => {
  const permission = need.kind === 'permission' ? session.permissions.get(need.request) : undefined;
  const words = permission === undefined ? need.text : permissionLine(permission);
  const last = `${more(session)}${takesKeys ? ' · {here.first} opens it' : ''}`;
  const text = `Waiting for you: ${words}${last}${meanwhile(session)}`;
  return { tone: 'you', text, short: `Waiting for you: ${shortQuestion(words)}${last}`, last };
};

/** How many others the badge counts. */
const more = (session: SessionState): string => {
  const others = needsOf(session).length - 1;
  return others > 0 ? ` · ${others} more waiting` : '';
};

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
