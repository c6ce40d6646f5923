import { safe } from '../../src/base/safe.ts';
import { list } from '../../src/base/sentence.ts';
import { questionKinds } from '../../src/signals/question-kinds.ts';
import { count } from '../../src/words/local-time.ts';
import { wholeWords, widthOf, wrap } from '../../src/words/width.ts';
import { overlayRows } from '../draw/page.ts';
import { lessonWords, listedTitles } from '../knowledge/lesson-words.ts';
import { chooses, choosesLessons } from '../need-overlay.ts';
import type { Overlay } from '../overlay.ts';
import {
  answersPermissions,
  type PermissionRow,
  permissionRows,
  permissionTitle,
  selectPermission,
} from '../permission/select-permission.ts';
import { planSummary } from '../plan/plan-facts.ts';
import { wordsFor } from '../question/answer-words.ts';
import { selectChoices, selectQuestion } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';
import { queuedNeeds } from './needs-queue.ts';
import type { Need } from './select-needs.ts';

/** An item of the queue as it is drawn. */
export interface QueueItem {
  /** The task it is about; '' for the session. */
  readonly task: string;
  /** Who asks for what: "gemini asks to run". */
  readonly asks: string;
  /** What is asked, as rows. */
  readonly body: readonly string[];
  /** What is asked in one row, for an item that is not under the cursor. */
  readonly brief: string;
  /** What `1`, `2`, … do with it. */
  readonly choices: readonly QueueChoice[];
}

export interface QueueChoice {
  readonly label: string;
  /** `true`, or the reason why not. */
  readonly able: true | string;
  readonly does: QueueAnswer;
}

export type QueueAnswer =
  | { readonly kind: 'permit'; readonly request: string; readonly decision: 'once' | 'session' | 'no' }
  | { readonly kind: 'answer'; readonly request: string; readonly option: string }
  /** Asks further: for words, or whether it is meant. */
  | { readonly kind: 'open'; readonly overlays: readonly Overlay[] };

/** Cells of the queue's box, and of the text of an item in it. */
export const queueBox = (columns: number): number => Math.min(96, columns - 4);
export const queueWidth = ({ ui }: ViewState): number => queueBox(ui.size.columns) - 4 - itemIndent - 1;

/** Cells before the text of an item. */
export const itemIndent = 2;

/** Rows and cells of what is asked. What does not fit into the rows is not answered from the list. */
interface Room {
  readonly width: number;
  readonly most: number;
}

/** The item under the cursor is shown whole where the screen has room for it: besides its rows each item takes three, and the foot at most two and one for each answer that is remembered. */
const mostRows = (view: ViewState): number => {
  const foot = 2 + (view.session?.remembered.size ?? 0);
  return Math.max(leastRows, overlayRows(view.ui.size.rows) - foot - 3 * queuedNeeds(view).length);
};

const leastRows = 5;

/** The item as it is drawn in rows of `width` cells. */
export const queueItem = (view: ViewState, need: Need, width: number): QueueItem => {
  const drawn = drawnItem(view, need, { width, most: mostRows(view) });
  const { body, brief = body.join(' ') } = drawn;
  return { ...drawn, brief: wholeWords(brief, width, '…') };
};

const drawnItem = (view: ViewState, need: Need, room: Room): Drawn => {
  const { width, most } = room;
  switch (need.kind) {
    case 'permission':
      return permissionItem(view, need.request, room);
    case 'question':
      return questionItem(view, need, room);
    case 'knowledge': {
      const ask = (asking: 'approve' | 'skip') =>
        ({ kind: 'open', overlays: [choosesLessons(asking)] }) as const;
      return {
        task: '',
        asks: `${count(view.session?.gate?.files.length ?? 0, 'lesson')} to keep?`,
        body: cut(lessonRows(view, view.session?.gate?.files ?? [], width), most),
        brief: list(listedTitles(view, view.session?.gate?.files ?? []), 3),
        choices: [
          { label: 'keep all', able: true, does: ask('approve') },
          { label: 'keep none', able: true, does: ask('skip') },
        ],
      };
    }
    case 'issue':
      return {
        task: safe(need.issue),
        asks: 'needs you to move it forward',
        body: cut(wrap(need.text, width), most),
        choices: [],
      };
    case 'unproven':
      return {
        task: '',
        asks: 'A file in the mailbox',
        body: cut(wrap(need.text, width), most),
        choices: [],
      };
  }
};

const lessonRows = (view: ViewState, files: readonly string[], width: number): readonly string[] => {
  const titles = listedTitles(view, files);
  return files.map((file, index) => {
    const { category, title, says } = lessonWords(view, file);
    const parts = [category, titles[index] ?? title, says].filter((part) => part !== '');
    return wholeWords(parts.join(' · '), width, '…');
  });
};

const cut = (rows: readonly string[], most: number): readonly string[] =>
  rows.length <= most ? rows : [...rows.slice(0, most - 1), '…'];

type Drawn = Omit<QueueItem, 'brief'> & Partial<Pick<QueueItem, 'brief'>>;

const permissionItem = (view: ViewState, request: string, { width, most }: Room): Drawn => {
  const permission = selectPermission(view, request);
  if (permission === null) return { task: '', asks: 'This request is no longer open', body: [], choices: [] };
  const isFile = permission.kind === 'task-file';
  const rows = permissionRows(permission, view.session?.workspace ?? '', view.ui.size.columns);
  const head = permissionTitle(permission);
  const told = toldOf(rows.filter(({ label, text }) => !inHead(label, text, head)));
  const body = told.flatMap(({ text }) => wrap(text, width));
  const whole = body.length <= most;
  const seen = answersPermissions(view);
  const allow = seen === true && !whole ? 'read all of it first: {decide.choose}' : seen;
  const session = isFile
    ? 'press {needs.first} to run these commands, {needs.third} for the previous ones'
    : permission.once;
  const choice = (label: string, decision: 'once' | 'session' | 'no', able: true | string): QueueChoice => ({
    label,
    able,
    does: { kind: 'permit', request, decision },
  });
  return {
    task: safe(permission.task ?? ''),
    asks: isFile ? 'commands were edited' : head,
    body: cut(body, most),
    brief: briefOf(told, width),
    choices: [
      choice(isFile ? 'run as edited' : 'once', 'once', allow),
      choice('this session', 'session', allow === true && session !== null ? session : allow),
      choice(isFile ? 'run as before' : 'no', 'no', seen),
    ],
  };
};

/** What the head of the item says already. */
const inHead = (label: string, text: string, head: string): boolean =>
  label === 'Agent' || label === 'Task' || (label === 'Wants' && head.endsWith(` ${text}`));

/** A row of what is asked. `begins`: another part begins with it. */
interface Told {
  readonly text: string;
  readonly begins: boolean;
}

/** What would run comes first, then where and why. */
const toldOf = (rows: readonly PermissionRow[]): readonly Told[] => {
  const isCommand = ({ kind }: PermissionRow): boolean => kind === 'command';
  const ordered = [...rows.filter(isCommand), ...rows.filter((row) => !isCommand(row))];
  return ordered.map(({ kind, label, text }, index) => {
    const sign = kind === 'added' ? '+ ' : kind === 'removed' ? '- ' : '';
    const lead = kind === 'label' && label !== '' ? `${label.toLowerCase()} ` : '';
    return { text: `${lead}${sign}${text}`, begins: label !== '' || kind !== ordered[index - 1]?.kind };
  });
};

/** The parts in one row, apart from each other. One that does not fit is left out whole, but the first. */
const briefOf = (told: readonly Told[], width: number): string => {
  const parts: string[] = [];
  for (const { text, begins } of told) parts.push(begins ? text : `${parts.pop() ?? ''} ${text}`);
  return parts
    .filter((part) => part.trim() !== '')
    .reduce((line, part) => {
      const longer = line === '' ? part : `${line} · ${part}`;
      return line !== '' && widthOf(longer) > width ? line : longer;
    }, '');
};

const questionItem = (
  view: ViewState,
  need: Extract<Need, { kind: 'question' }>,
  { width, most }: Room,
): Drawn => {
  const question = selectQuestion(view.session, need.request);
  if (question === null) return { task: '', asks: 'The question is no longer open', body: [], choices: [] };
  const { kind, task, agent, text } = question;
  const isPlan = kind === 'plan' || kind === 'plan-review';
  const told = isPlan && view.session !== null ? planSummary(view.session, question) : [safe(text)];
  const rows = told.flatMap((each) => wrap(each, width));
  const whole = rows.length <= most;
  const choices = selectChoices(question).map(({ id, name, words }, cursor): QueueChoice => {
    const isWritten = words !== undefined && wordsFor(view, need.request) !== '';
    const further = words === 'must' || isWritten || !whole || isPlan;
    return {
      label: safe(name),
      able: true,
      does: further
        ? { kind: 'open', overlays: chooses(need, view, cursor) }
        : { kind: 'answer', request: need.request, option: id },
    };
  });
  return {
    task: safe(task ?? ''),
    asks: kind === 'ask' ? `${safe(agent ?? 'an agent')} asks` : questionKinds[kind].title,
    body: cut(rows, most),
    ...(isPlan ? { brief: told.slice(0, 2).join(' · ') } : {}),
    choices,
  };
};
