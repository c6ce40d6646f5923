import { safe } from '../../base/safe.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import { count } from '../../words/local-time.ts';
import { truncate, wrap } from '../../words/width.ts';
import type { Overlay } from '../overlay.ts';
import { type Need, selectNeeds } from '../signals/select-needs.ts';
import {
  type PermissionRow,
  permissionRows,
  permissionTitle,
  selectPermission,
} from '../signals/select-permission.ts';
import { selectChoices, selectQuestion } from '../signals/select-question.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { lessonWords } from './lesson-words.ts';
import { choosesLessons, needOverlay } from './need-overlay.ts';

/** An item of the queue as it is drawn. */
export interface QueueItem {
  readonly need: Need;
  readonly key: string;
  /** The task it is about; '' for the session. */
  readonly task: string;
  /** Who asks for what: "gemini asks to run". */
  readonly asks: string;
  /** What is asked, as rows. */
  readonly body: readonly string[];
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
  | { readonly kind: 'open'; readonly overlay: Overlay };

type QueueOverlay = Extract<Overlay, { kind: 'needs-you' }>;

const queueOverlay = ({ ui }: ViewState): QueueOverlay | null =>
  ui.overlays.findLast((overlay): overlay is QueueOverlay => overlay.kind === 'needs-you') ?? null;

/** What is still to answer: an item answered here leaves at once, and the next one is under the cursor. */
export const queuedNeeds = (view: ViewState): readonly Need[] => {
  const answered = queueOverlay(view)?.answered ?? [];
  const needs = selectNeeds(view);
  return answered.length === 0 ? needs : needs.filter((need) => !answered.includes(keyOf(need)));
};

/** The item under the cursor; `null` when the one there was settled meanwhile. */
export const needUnderCursor = (view: ViewState): Need | null => {
  const overlay = queueOverlay(view);
  return overlay === null ? null : (queuedNeeds(view)[overlay.cursor] ?? null);
};

const keyOf = (need: Need): string => {
  if (need.kind === 'knowledge') return 'knowledge';
  if (need.kind === 'issue') return `issue ${need.issue}`;
  return need.kind === 'unproven' ? need.id : need.request;
};

/** The view with the item under the cursor answered. */
export const answerNeed = (view: ViewState): ViewState => {
  const need = needUnderCursor(view);
  const overlay = queueOverlay(view);
  if (need === null || overlay === null) return view;
  return holdNeed(withQueue(view, { ...overlay, answered: [...(overlay.answered ?? []), keyOf(need)] }));
};

/** Remembers which item is under the cursor, after a person moved it. */
export const holdNeed = (view: ViewState): ViewState => {
  const overlay = queueOverlay(view);
  if (overlay === null) return view;
  const needs = queuedNeeds(view);
  const cursor = Math.min(overlay.cursor, needs.length - 1);
  const at = needs[cursor];
  const key = at === undefined ? undefined : keyOf(at);
  if (cursor === overlay.cursor && key === overlay.at) return view;
  const { at: _, ...others } = overlay;
  return withQueue(view, { ...others, cursor, ...(key === undefined ? {} : { at: key }) });
};

/**
 * The cursor stays on its item while the list changes. When that one was settled elsewhere no item is under it, because the next key was meant for
 * the settled one. An empty queue closes.
 */
export const followNeed = (view: ViewState): ViewState => {
  const overlay = queueOverlay(view);
  if (overlay === null) return view;
  const needs = queuedNeeds(view);
  if (needs.length === 0 && (view.session?.remembered.size ?? 0) === 0)
    return withUi(view, { overlays: view.ui.overlays.filter((each) => each !== overlay) });
  if (overlay.at === undefined) return view;
  const cursor = needs.findIndex((need) => keyOf(need) === overlay.at);
  return cursor === overlay.cursor ? view : withQueue(view, { ...overlay, cursor });
};

const withQueue = (view: ViewState, overlay: QueueOverlay): ViewState =>
  withUi(view, {
    overlays: view.ui.overlays.map((each) => (each.kind === 'needs-you' ? overlay : each)),
  });

/** Cells of the queue's box, and of the text of an item in it. */
export const queueBox = (columns: number): number => Math.min(96, columns - 4);
export const queueWidth = ({ ui }: ViewState): number => queueBox(ui.size.columns) - 4 - itemIndent - 1;

/** Cells before the text of an item. */
export const itemIndent = 2;

/** Rows of an item at most. What does not fit into them is not answered from the list. */
const mostRows = 5;

/** The item as it is drawn in rows of `width` cells. */
export const queueItem = (view: ViewState, need: Need, width: number): QueueItem => {
  const shared = { need, key: keyOf(need) };
  switch (need.kind) {
    case 'permission':
      return { ...shared, ...permissionItem(view, need.request, width) };
    case 'question':
      return { ...shared, ...questionItem(view, need, width) };
    case 'knowledge': {
      const ask = (asking: 'approve' | 'skip') =>
        ({ kind: 'open', overlay: choosesLessons(asking) }) as const;
      return {
        ...shared,
        task: '',
        asks: `${count(view.session?.gate?.files.length ?? 0, 'lesson')} to keep?`,
        body: cut((view.session?.gate?.files ?? []).map((file) => lessonLine(view, file, width))),
        choices: [
          { label: 'keep all', able: true, does: ask('approve') },
          { label: 'keep none', able: true, does: ask('skip') },
        ],
      };
    }
    case 'issue':
      return {
        ...shared,
        task: safe(need.issue),
        asks: 'needs you to move it on',
        body: cut(wrap(need.text, width)),
        choices: [],
      };
    case 'unproven':
      return {
        ...shared,
        task: '',
        asks: 'A file in the mailbox',
        body: cut(wrap(need.text, width)),
        choices: [],
      };
  }
};

const lessonLine = (view: ViewState, file: string, width: number): string => {
  const { category, title, says } = lessonWords(view, file);
  return truncate([category, title, says].filter((part) => part !== '').join(' · '), width, '…');
};

const cut = (rows: readonly string[]): readonly string[] =>
  rows.length <= mostRows ? rows : [...rows.slice(0, mostRows - 1), '…'];

type Drawn = Omit<QueueItem, 'need' | 'key'>;

const permissionItem = (view: ViewState, request: string, width: number): Drawn => {
  const permission = selectPermission(view, request);
  if (permission === null) return { task: '', asks: 'The request has ended', body: [], choices: [] };
  const isFile = permission.kind === 'task-file';
  const rows = permissionRows(permission, view.session?.workspace ?? '', view.ui.size.columns);
  const body = bodyOf(
    rows.filter(({ label, text }) => !inHead(label, text, permission.kind)),
    width,
  );
  const whole = body.length <= mostRows;
  const seen =
    view.connection === 'live' ? true : 'Only the screen that hosts the session answers permissions';
  const allow = seen === true && !whole ? '{decide.choose} shows all of it first' : seen;
  const session = isFile
    ? '{needs.first} runs these commands, {needs.third} the previous ones'
    : permission.once;
  const choice = (label: string, decision: 'once' | 'session' | 'no', able: true | string): QueueChoice => ({
    label,
    able,
    does: { kind: 'permit', request, decision },
  });
  return {
    task: safe(permission.task ?? ''),
    asks: isFile ? 'commands were edited' : permissionTitle(permission),
    body: cut(body),
    choices: [
      choice(isFile ? 'run as edited' : 'once', 'once', allow),
      choice('this session', 'session', allow === true && session !== null ? session : allow),
      choice(isFile ? 'run as before' : 'no', 'no', seen),
    ],
  };
};

/** What the head of the item says already. */
const inHead = (label: string, text: string, kind: string): boolean =>
  label === 'Agent' || label === 'Task' || (label === 'Wants' && text === kind);

/** What would run comes first, then where and why. */
const bodyOf = (rows: readonly PermissionRow[], width: number): readonly string[] => {
  const isCommand = ({ kind }: PermissionRow): boolean => kind === 'command';
  return [...rows.filter(isCommand), ...rows.filter((row) => !isCommand(row))].flatMap(
    ({ kind, label, text }) => {
      const sign = kind === 'added' ? '+ ' : kind === 'removed' ? '- ' : '';
      const lead = kind === 'label' && label !== '' ? `${label.toLowerCase()} ` : '';
      return wrap(`${lead}${sign}${text}`, width);
    },
  );
};

const questionItem = (view: ViewState, need: Extract<Need, { kind: 'question' }>, width: number): Drawn => {
  const question = selectQuestion(view.session, need.request);
  if (question === null) return { task: '', asks: 'The question is settled', body: [], choices: [] };
  const { kind, task, agent, text } = question;
  const rows = wrap(safe(text), width);
  const whole = rows.length <= mostRows;
  const choices = selectChoices(question).map(({ id, words }, cursor): QueueChoice => {
    const overlay = { ...needOverlay(need, view), cursor };
    const further = words === 'must' || !whole || kind === 'plan';
    return {
      label: safe(id),
      able: true,
      does: further ? { kind: 'open', overlay } : { kind: 'answer', request: need.request, option: id },
    };
  });
  return {
    task: safe(task ?? ''),
    asks: kind === 'ask' ? `${safe(agent ?? 'an agent')} asks` : questionKinds[kind].title,
    body: cut(rows),
    // The plan is decided on where it is seen.
    choices: kind === 'plan' ? [] : choices,
  };
};
