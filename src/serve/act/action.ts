import { safe } from '../../base/safe.ts';
import { noLongerHolds } from '../../pipeline/no-longer-holds.ts';
import { type OpenQuestion, openQuestion } from '../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { isComplete } from '../../session/status.ts';
import { checkAnswer } from '../../signals/check-answer.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import type { Signal } from '../../signals/signal.ts';
import { covers, type Scope } from '../access/scope.ts';
import type { Fields } from './fields.ts';

/** What a form asks for. */
export type Wanted =
  | { readonly kind: 'signal'; readonly signal: Signal; readonly says: string }
  | {
      readonly kind: 'permit';
      readonly request: string;
      readonly decision: 'once' | 'no';
      readonly why?: string;
      readonly says: string;
    }
  /** Begins to hold the button that aborts. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'abort' }
  /** Asks a screen of the session to confirm the device. */
  | { readonly kind: 'confirm-me' }
  | { readonly kind: 'refused'; readonly why: string };

/** Characters of a message; a signal has 16 kB. */
const longestMessage = 8_000;
/** Milliseconds for which the button is held, and after which a begun hold counts no more. */
const holdMs = 2_000;
const holdLastsMs = 15_000;

/** Whether a button that began to be held then has been held long enough now, and not too long ago. */
export const isHeldEnough = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= holdMs && now - since <= holdLastsMs;

type Read = (state: SessionState, fields: Fields) => Wanted;

interface Action {
  /** The least scope; of an answer it depends on its question. */
  readonly needs: Scope | ((state: SessionState, fields: Fields) => Scope);
  readonly read: Read;
}

/** The words of a message are for the task that the page names, else for the whole session. */
const message =
  (type: 'INFO' | 'STEER' | 'RETRY'): Read =>
  (state, fields) => {
    const words = textOf(fields, 'message');
    const task = fields.get('task') ?? '';
    if (task !== '' && !state.tasks.has(task)) return refused('There is no such task.');
    if (words === '' && type !== 'RETRY') return refused('Write the message first.');
    if (task === '' && type === 'RETRY') return refused('A retry needs a task.');
    const about = { ...(task === '' ? {} : { task }), ...(words === '' ? {} : { message: words }) };
    return signalled(state, { type, target: 'ALL', ...about }, `Sent: ${type}`);
  };

const plain =
  (type: 'PAUSE' | 'RESUME' | 'APPROVE' | 'SKIP', target: Signal['target']): Read =>
  (state) =>
    signalled(state, { type, target }, `Sent: ${type}`);

/** An answer that only a person may give needs a device that a key has confirmed. */
const scopeOfAnswer = (state: SessionState, fields: Fields): Scope => {
  const question = openQuestion(state, fields.get('request') ?? '');
  return question !== null && questionKinds[question.kind].onlyPerson ? 'approve' : 'steer';
};

/** Every action by the value of the field `do`. */
const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['info', { needs: 'steer', read: message('INFO') }],
  ['steer', { needs: 'steer', read: message('STEER') }],
  ['retry', { needs: 'steer', read: message('RETRY') }],
  ['pause', { needs: 'steer', read: plain('PAUSE', 'ALL') }],
  ['resume', { needs: 'steer', read: plain('RESUME', 'ALL') }],
  ['answer', { needs: scopeOfAnswer, read: (state, fields) => answered(state, fields) }],
  ['approve', { needs: 'approve', read: plain('APPROVE', 'Orchestrator') }],
  ['skip', { needs: 'approve', read: plain('SKIP', 'Orchestrator') }],
  ['cancel', { needs: 'approve', read: (state, fields) => cancelled(state, fields) }],
  ['permit', { needs: 'approve', read: (_state, fields) => permitted(fields) }],
  ['hold', { needs: 'approve', read: () => ({ kind: 'hold' }) }],
  ['abort', { needs: 'approve', read: () => ({ kind: 'abort' }) }],
  ['confirm-me', { needs: 'steer', read: () => ({ kind: 'confirm-me' }) }],
]);

export const actionNames: readonly string[] = [...actions.keys()];

/** What the form asks for, as far as this scope may; otherwise a sentence why not. */
export const readAction = (state: SessionState, fields: Fields, scope: Scope): Wanted => {
  const action = actions.get(fields.get('do') ?? '');
  if (action === undefined) return refused('This page does not know what to do: load it again.');
  const needs = typeof action.needs === 'string' ? action.needs : action.needs(state, fields);
  if (covers(scope, needs)) return action.read(state, fields);
  return refused(
    needs === 'approve'
      ? 'This needs a device that a key on a screen of the session has confirmed.'
      : `This device may only ${scope}.`,
  );
};

const signalled = (state: SessionState, signal: Signal, says: string): Wanted => {
  const late = noLongerHolds(signal, state);
  if (late !== null) return refused(`Not sent: ${safe(late)}`);
  return isComplete(state) && signal.type !== 'RETRY'
    ? refused('Not sent: the session has ended.')
    : { kind: 'signal', signal, says };
};

const cancelled = (state: SessionState, fields: Fields): Wanted => {
  const task = fields.get('task') ?? '';
  return state.tasks.has(task)
    ? signalled(state, { type: 'CANCEL', target: 'ALL', task }, 'Sent: CANCEL')
    : refused('There is no such task.');
};

const answered = (state: SessionState, fields: Fields): Wanted => {
  const request = fields.get('request') ?? '';
  const settled = state.questions.get(request);
  if (settled !== undefined && settled.answer !== null)
    return refused(`Already answered by ${safe(settled.answeredBy ?? 'someone')}.`);
  const question = openQuestion(state, request);
  if (question === null) return refused('This question is no longer open.');
  const option = fields.get('option') ?? '';
  const words = [textOf(fields, 'message'), ...commentsIn(fields, question)]
    .filter((line) => line !== '')
    .join('\n');
  const checked = checkAnswer(question, {
    ...(option === '' ? {} : { option }),
    ...(words === '' ? {} : { message: words }),
  });
  if (typeof checked === 'string') return refused(`Not sent: ${safe(checked)}`);
  const answer = {
    ...(checked.option === null ? {} : { option: checked.option }),
    ...(checked.words === '' ? {} : { message: checked.words }),
  };
  return signalled(state, { type: 'ANSWER', target: 'ALL', request, ...answer }, 'Sent: your answer');
};

/** Comments on the tasks of a plan (`on:english`), or on lines of a text (`line:12`) or of a diff (`diff:12:src/a.ts`), each as the screen writes it. */
const commentsIn = (fields: Fields, { document, kind }: OpenQuestion): readonly string[] =>
  [...fields].flatMap(([name, value]) => {
    const text = value
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .slice(0, longestMessage);
    if (text === '') return [];
    if (kind === 'plan') return name.startsWith('on:') ? [`${name.slice(3)}: ${text}`] : [];
    const line = /^line:(\d{1,6})$/.exec(name)?.[1];
    if (line !== undefined && document !== undefined) return [`${document}:${line}: ${text}`];
    const [, at, file] = /^diff:(\d{1,7}):(.+)$/.exec(name) ?? [];
    return kind === 'review' && file !== undefined ? [`${file}:${at}: ${text}`] : [];
  });

/** Whether the request is still open, and who answered it first, its host knows. */
const permitted = (fields: Fields): Wanted => {
  const request = fields.get('request') ?? '';
  const why = textOf(fields, 'message').slice(0, 4_000);
  if (request === '' || request.length > 200) return refused('This request is no longer open.');
  if (fields.get('option') === 'once')
    return { kind: 'permit', request, decision: 'once', says: 'Allowed once' };
  if (fields.get('option') !== 'no') return refused('A device may allow once, or refuse.');
  return { kind: 'permit', request, decision: 'no', ...(why === '' ? {} : { why }), says: 'Refused' };
};

const textOf = (fields: Fields, name: string): string =>
  (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim().slice(0, longestMessage);

const refused = (why: string): Wanted => ({ kind: 'refused', why });
