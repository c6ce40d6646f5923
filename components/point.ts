import { act, type CommandEffect, type Context, contextOf } from './command.ts';
import { formQuestion } from './form/form-view.ts';
import { bindingsOf } from './keys/bindings.ts';
import type { Target } from './keys/mouse.ts';
import { selectChosenSignal } from './mailbox/select-signals.ts';
import { selectBlock, selectCursor } from './output/select-output.ts';
import { overlayKinds, overlayRule } from './overlay-rules.ts';
import { isTab } from './panes.ts';
import { planGateOf } from './plan/plan-gate.ts';
import { readingOf } from './reading.ts';
import { selectTask } from './tasks/select-tasks.ts';
import { type PaneName, paneNames, type ViewState } from './view.ts';

/** The effect of a click: it selects the thing under it. If that is selected already, the click acts as Enter. */
export const click = (view: ViewState, target: Target): readonly CommandEffect[] => {
  const { focus } = view.ui;
  switch (target.kind) {
    case 'command':
      return run(view, target.id);
    case 'divider':
      return [];
    case 'item':
      return clickItem(view, target.item);
    case 'pane':
      // A pane of the third column opens as a tab, where keys act on it.
      return isTab(target.pane) && target.pane !== view.ui.tab
        ? [act({ type: 'tab-chosen', tab: target.pane })]
        : [act({ type: 'focused', pane: paneOf(target.pane) })];
    case 'tab':
      return isTab(target.pane)
        ? [act({ type: 'tab-chosen', tab: target.pane })]
        : [act({ type: 'focused', pane: paneOf(target.pane) })];
    case 'task':
      if (planGateOf(view) !== null) return [act({ type: 'plan-read', side: 'tasks', task: target.id })];
      return focus === 'tasks' && selectTask(view) === target.id
        ? run(view, 'look.open')
        : [act({ type: 'focused', pane: 'tasks' }), act({ type: 'selected-task', task: target.id })];
    case 'signal':
      return focus === target.list && selectChosenSignal(view, target.list) === target.id
        ? run(view, 'look.open')
        : [
            act({ type: 'focused', pane: target.list }),
            act({ type: 'selected-signal', list: target.list, id: target.id }),
          ];
    case 'row': {
      const { pane, at } = target;
      return focus === 'right' && view.ui.tab === pane && readingOf(view.ui, pane).at === at
        ? run(view, 'look.open')
        : [act({ type: 'tab-chosen', tab: pane }), act({ type: 'read', pane, change: { at, top: null } })];
    }
    case 'line':
      return focus === 'right' && isChosenLine(view, target.line)
        ? run(view, 'look.open')
        : [act({ type: 'tab-chosen', tab: 'output' }), act({ type: 'line-chosen', line: target.line })];
  }
};

/** The effect of a wheel notch: it scrolls the pane under it. With an overlay open, only the overlay scrolls. */
export const turn = (
  view: ViewState,
  target: Target | null,
  way: 'up' | 'down',
): readonly CommandEffect[] => {
  const context = contextOf(view);
  if (view.ui.overlays.length > 0) {
    // A list moves one item a notch, so that every item can be reached. A text moves as far as in a pane.
    const notches = texts.includes(context) ? [1, 2, 3] : [1];
    return notches.flatMap(() => run(view, `${context}.${way}`));
  }
  const pane = target === null ? null : paneUnder(target);
  return pane === null ? [] : [act({ type: 'wheeled', pane, way })];
};

const texts: readonly Context[] = [
  ...overlayKinds.filter((kind) => overlayRule(kind).moves === 'text'),
  'help-filter',
];

/** The command of Enter in each overlay with a list. In the knowledge gate it selects or deselects a file. */
const opens: Partial<Record<Context, string>> = {
  'needs-you': 'decide.choose',
  knowledge: 'knowledge.choose',
  answer: 'answer.send',
  palette: 'palette.run',
  start: 'start.choose',
  sessions: 'sessions.choose',
  end: 'end.open',
  quit: 'quit.choose',
  form: 'form.toggle',
  critical: 'critical.fix',
  'move-issue': 'move-issue.choose',
  'plan-review': 'plan-review.comment',
  'ready-groups': 'ready-groups.choose',
};

const clickItem = (view: ViewState, item: number): readonly CommandEffect[] => {
  const top = view.ui.overlays.at(-1);
  if (planGateOf(view)?.side === 'tasks')
    return [act({ type: 'plan-read', side: 'options' }), act({ type: 'overlay-pointed', item })];
  if (top === undefined || !('cursor' in top)) return [];
  const isOneOf = top.kind === 'form' && formQuestion(top)?.kind === 'choice';
  const id = isOneOf ? 'form.next' : opens[contextOf(view)];
  return top.cursor === item && id !== undefined ? run(view, id) : [act({ type: 'overlay-pointed', item })];
};

/** Runs the command, or shows why it is not available. An unknown id does nothing. */
const run = (view: ViewState, id: string): readonly CommandEffect[] => {
  const command = bindingsOf(view).commands.find((each) => each.id === id);
  if (command === undefined) return [];
  const able = command.available(view);
  return able === true ? command.run(view) : [act({ type: 'noticed', notice: { text: able, tone: 'info' } })];
};

const isChosenLine = (view: ViewState, line: number): boolean => {
  const at = selectCursor(view);
  if (at === null || view.ui.tab !== 'output') return false;
  // While it follows, the cursor stands for the whole last block.
  return at === line || (view.ui.log.at === null && selectBlock(view, at) === line);
};

const paneUnder = (target: Target): string | null => {
  switch (target.kind) {
    case 'pane':
      return target.pane;
    case 'tab':
      return paneOf(target.pane);
    case 'task':
      return 'tasks';
    case 'signal':
      return target.list;
    case 'line':
      return 'right';
    case 'row':
      return target.pane;
    case 'item':
    case 'command':
    case 'divider':
      return null;
  }
};

/** The layout place of the pane with this name. */
const paneOf = (pane: string): PaneName => paneNames.find((name) => name === pane) ?? 'right';
