import { memoise } from '../../src/base/memoise.ts';
import { safe, visibleLines } from '../../src/base/safe.ts';
import type { OpenPermission } from '../../src/pipeline/open-permission.ts';
import { openQuestion } from '../../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { questionKinds } from '../../src/signals/question-kinds.ts';
import { questionWords } from '../../src/words/question-words.ts';
import { widthOf } from '../../src/words/width.ts';
import { type Need, needsOf } from '../needs/select-needs.ts';
import { permissionTitle, permissionWords } from '../permission/select-permission.ts';
import { selectChoices } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';
import type { HereAnswer } from './here-answer.ts';

/** What the now line asks of a person, and what the digits over the panes do with it. */
export interface AskedHere {
  readonly need: Need;
  /** The question with all that the answer depends on, in one line. */
  readonly words: string;
  /** What may be answered without opening it. Empty: the first digit opens it, so that it is seen before it is decided. */
  readonly choices: readonly HereChoice[];
}

interface HereChoice {
  /** From 0: the same digit as in its dialog. */
  readonly index: number;
  readonly label: string;
  readonly answer: HereAnswer;
}

/** What has waited longest among all that the session cannot do without. */
export const waitingNeed = memoise((session: SessionState): Need | null =>
  needsOf(session)
    .filter((need) => holdsUp(session, need))
    .reduce<Need | null>((first, each) => (first !== null && first.since <= each.since ? first : each), null),
);

const holdsUp = (session: SessionState, need: Need): boolean => {
  if (need.kind !== 'question') return need.kind === 'knowledge' || need.kind === 'permission';
  const question = openQuestion(session, need.request);
  return question !== null && questionKinds[question.kind].holdsUp;
};

/** What the now line asks on this screen; `null` where it says something else, or a dialog has the keys. */
export const selectAskedHere = (view: ViewState): AskedHere | null => {
  const { session, connection, ui } = view;
  if (session === null || ui.overlays.length > 0 || (connection !== 'live' && connection !== 'attached'))
    return null;
  if (!session.running || session.abort !== null || isComplete(session)) return null;
  const need = waitingNeed(session);
  if (need === null) return null;
  const asked = askedIn(session, need);
  // Braces name keys in a line of the screen: what contains some is not shown letter for letter.
  const isWhole =
    isAlone(session) &&
    widthOf(hereLine(asked).replaceAll(hereKey, '1')) <= ui.size.columns - lineFrame &&
    !asked.words.includes('{');
  return isWhole ? asked : { ...asked, choices: [] };
};

/** Whether the now line says nothing but the question: a hold or a failure stands before it, and may push a part of it out of sight. */
const isAlone = ({ hold, drain, tasks }: SessionState): boolean =>
  hold === null && drain === null && ![...tasks.values()].some(({ status }) => status === 'failed');

/** A digit, in the line as it is drawn. */
const hereKey = /\{here\.[a-z]+\}/g;

/** Cells of the now line before and after its words. */
const lineFrame = 4;

/** The question with the keys that answer it here. */
export const hereLine = ({ words, choices }: AskedHere): string =>
  [words, ...choices.map(({ index, label }) => `{${hereCommand(index)}} ${label}`)].join(' · ');

/** The command of the digit with this index over the panes. */
export const hereCommand = (index: number): string => `here.${names[index] ?? 'first'}`;
const names = ['first', 'second', 'third', 'fourth', 'fifth'];

const askedIn = (session: SessionState, need: Need): AskedHere => {
  if (need.kind === 'permission') {
    const permission = session.permissions.get(need.request);
    return permission === undefined
      ? { need, words: need.text, choices: [] }
      : { need, words: permissionLine(permission), choices: permissionChoices(session, permission) };
  }
  if (need.kind !== 'question') return { need, words: need.text, choices: [] };
  const question = openQuestion(session, need.request);
  if (question === null || question.kind !== 'ask') return { need, words: need.text, choices: [] };
  const choices = selectChoices(question);
  return {
    need,
    words: safe(questionWords(question)),
    // A choice that takes words gets them in the dialog.
    choices: choices.some(({ words }) => words !== undefined)
      ? []
      : choices.slice(0, names.length).map(({ id, name }, index) => ({
          index,
          label: safe(name),
          answer: { kind: 'answer', request: need.request, option: id },
        })),
  };
};

/** "docs: gemini asks to run `npm publish`". */
export const permissionLine = (permission: OpenPermission): string => {
  const { kind, task, command } = permission;
  if (kind === 'task-file') return permissionWords(permission);
  const whose = task === null ? '' : `${safe(task)}: `;
  if (kind !== 'command' || command === null) return `${whose}${permissionWords(permission)}`;
  const [line = '', ...more] = visibleLines(command);
  return `${whose}${permissionTitle(permission)} \`${line}${more.length > 0 ? ' …' : ''}\``;
};

/** A request whose reason, place, difference or second line does not stand in one line is opened first, and one that may be more than it shows. */
const permissionChoices = (session: SessionState, permission: OpenPermission): readonly HereChoice[] => {
  const { request, kind, command, diffs, notes, once } = permission;
  const isOneLine = command !== null && visibleLines(command).length === 1;
  if (kind !== 'command' || !isOneLine || diffs.length > 0 || notes.length > 0 || once !== null) return [];
  if (!isAtTop(session, permission)) return [];
  const choice = (index: number, label: string, decision: 'once' | 'session' | 'no'): HereChoice => ({
    index,
    label,
    answer: { kind: 'permit', request, decision },
  });
  // What would allow more than this call is in the dialog.
  return [choice(0, 'yes', 'once'), choice(2, 'no', 'no')];
};

/** Whether it runs where the files of its task begin. */
const isAtTop = ({ workspace, changes }: SessionState, { directory, task }: OpenPermission): boolean =>
  directory === workspace ||
  [...changes.attempts.values()].some((each) => each.task === task && each.directory === directory);
