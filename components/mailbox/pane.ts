import { pageOf } from '../draw/page.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { wheelList } from '../pane/wheel-list.ts';
import { stepBy } from '../step.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { copySignal } from './copy-signal.ts';
import { selectChosenSignal, selectSignals, unseenRejections } from './select-signals.ts';

type SignalList = 'inbox' | 'processed';

/** Selects the signal in its list. */
export const selectsSignal = (view: ViewState, list: SignalList, id: string | null): ViewState =>
  withUi(view, {
    selected: { ...view.ui.selected, [list]: id },
    tops: { ...view.ui.tops, [list]: null },
  });

const signalsPane = <Name extends SignalList>(name: Name, empty: string) =>
  ({
    ...plainPane,
    kind: 'list',
    name,
    note: (view) => {
      const { length } = selectSignals(view)[name];
      return length === 0 ? [] : [{ text: String(length), tone: 'secondary' }];
    },
    empty: (view) => (selectSignals(view)[name].length === 0 ? empty : null),
    copy: (view) => copySignal(view, selectChosenSignal(view, name)),
    move: (view, by) => {
      const ids = selectSignals(view)[name].map((row) => row.id);
      const at = ids.indexOf(selectChosenSignal(view, name) ?? '');
      if (by === 'wheel-up' || by === 'wheel-down')
        return wheelList(view, name, { count: ids.length, at: Math.max(0, at) }, by);
      return selectsSignal(view, name, ids[stepBy(at, by, ids.length, pageOf(view.ui.size.rows))] ?? null);
    },
    open: (view) => {
      const id = selectChosenSignal(view, name);
      if (id === null) return 'Nothing is chosen here';
      return [{ type: 'overlay-opened', overlay: { kind: 'signal', id, top: 0 } }];
    },
  }) as const satisfies Omit<Pane<Name>, 'inLines' | 'keys' | 'short' | 'title'>;

/** Signals that are not finished yet. */
export const inboxPane = {
  ...signalsPane('inbox', 'No signal is waiting.'),
  title: 'Inbox',
  short: 'In',
  inLines: { word: 'signals' },
  keys: ['look.open', 'steer.edit', 'steer.cancel', 'look.copy-text'],
  badge: (view: ViewState) => {
    const pending = selectSignals(view).inbox.length;
    return pending > 0 ? ` ${pending}` : '';
  },
} as const satisfies Pane<'inbox'>;

const finished = signalsPane('processed', 'No signal has been handled yet.');

/** Finished signals. Rejected ones are counted until the pane was focused. */
export const processedPane = {
  ...finished,
  title: 'Processed',
  short: 'Past',
  inLines: { word: 'signals' },
  keys: ['look.open', 'look.copy-text'],
  badge: (view: ViewState) => {
    const unseen = unseenRejections(view);
    return unseen > 0 ? ` !${unseen}` : '';
  },
  note: (view: ViewState) => {
    const unseen = unseenRejections(view);
    return [
      ...(unseen > 0 ? [{ text: `${unseen} rejected`, tone: 'held' } as const] : []),
      ...finished.note(view),
    ];
  },
} as const satisfies Pane<'processed'>;
