import type { PlaceName, Target } from '../store/mouse.ts';
import { selectBlock, selectCursor } from '../store/select-output.ts';
import { selectChosenSignal } from '../store/select-signals.ts';
import { selectTask } from '../store/select-tasks.ts';
import { type PaneName, type TabName, tabNames, type ViewState } from '../store/view.ts';
import { bindingsOf } from './bindings.ts';
import { act, type Context, contextOf, type Doing } from './command.ts';

/** What a click comes to: the thing under it is chosen; where it was chosen already, it is what Enter is. */
export const click = (view: ViewState, target: Target): readonly Doing[] => {
  const { focus } = view.ui;
  switch (target.kind) {
    case 'command':
      return run(view, target.id);
    case 'item':
      return clickItem(view, target.item);
    case 'pane':
      return [act({ type: 'focused', pane: paneOf(target.pane) })];
    case 'tab':
      return isTab(target.pane)
        ? [act({ type: 'tab-chosen', tab: target.pane })]
        : [act({ type: 'focused', pane: paneOf(target.pane) })];
    case 'task':
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
    case 'event':
      return focus === 'right' && view.ui.tab === 'events' && view.ui.eventsAt === target.seq
        ? run(view, 'look.open')
        : [act({ type: 'tab-chosen', tab: 'events' }), act({ type: 'event-chosen', seq: target.seq })];
    case 'line':
      return focus === 'right' && isChosenLine(view, target.line)
        ? run(view, 'look.open')
        : [act({ type: 'tab-chosen', tab: 'output' }), act({ type: 'line-chosen', line: target.line })];
  }
};

/** What a notch of the wheel comes to: the pane under it scrolls; while something lies over the panes, only that does. */
export const turn = (view: ViewState, target: Target | null, way: 'up' | 'down'): readonly Doing[] => {
  const context = contextOf(view);
  if (view.ui.overlays.length > 0) {
    // A list goes item by item, so that one can stop at each; a text as far as in a pane.
    const notches = texts.includes(context) ? [1, 2, 3] : [1];
    return notches.flatMap(() => run(view, `${context}.${way}`));
  }
  const pane = target === null ? null : paneUnder(target);
  return pane === null ? [] : [act({ type: 'wheeled', pane, way })];
};

const texts: readonly Context[] = ['help', 'signal', 'trust'];

/** What Enter is in each list that lies over the panes; in the knowledge gate a file is chosen or dropped. */
const opens: Partial<Record<Context, string>> = {
  'needs-you': 'decide.choose',
  knowledge: 'knowledge.choose',
  answer: 'answer.send',
  palette: 'palette.run',
  start: 'start.choose',
  sessions: 'sessions.choose',
  end: 'end.open',
  quit: 'quit.choose',
};

const clickItem = (view: ViewState, item: number): readonly Doing[] => {
  const top = view.ui.overlays.at(-1);
  if (top === undefined || !('cursor' in top)) return [];
  const id = opens[contextOf(view)];
  return top.cursor === item && id !== undefined ? run(view, id) : [act({ type: 'overlay-pointed', item })];
};

/** The command, or the reason why not; an unknown one is nothing. */
const run = (view: ViewState, id: string): readonly Doing[] => {
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

const paneUnder = (target: Target): PaneName | null => {
  switch (target.kind) {
    case 'pane':
    case 'tab':
      return paneOf(target.pane);
    case 'task':
      return 'tasks';
    case 'signal':
      return target.list;
    case 'line':
    case 'event':
      return 'right';
    case 'item':
    case 'command':
      return null;
  }
};

const paneOf = (pane: PlaceName): PaneName => (isTab(pane) ? 'right' : pane);

const isTab = (pane: PlaceName): pane is TabName => tabNames.some((tab) => tab === pane);
