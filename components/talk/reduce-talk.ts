import type { UiAction } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { scrollTalk, showTalk, type TalkOverlay } from './talk-view.ts';

type TalkAction = Extract<UiAction, { type: 'talk-shown' | 'talk-closed' | 'talk-turned' | 'talk-scrolled' }>;

/** What happens to the conversation on the screen, wherever it is under other overlays. */
export const reduceTalk = (view: ViewState, action: TalkAction): ViewState => {
  const { overlays } = view.ui;
  if (action.type === 'talk-closed')
    return withUi(view, { overlays: overlays.filter(({ kind }) => kind !== 'talk') });
  return withUi(view, {
    overlays: overlays.map((overlay) => (overlay.kind === 'talk' ? changed(overlay, action) : overlay)),
  });
};

const changed = (overlay: TalkOverlay, action: Exclude<TalkAction, { type: 'talk-closed' }>): TalkOverlay => {
  if (action.type === 'talk-shown') return showTalk(overlay, action.talk);
  if (action.type === 'talk-scrolled') return scrollTalk(overlay, action.by);
  return action.what === 'fold'
    ? { ...overlay, unfolded: !overlay.unfolded }
    : { ...overlay, side: overlay.side === 'talk' ? 'document' : 'talk' };
};
