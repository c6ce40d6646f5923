import { useEffect, useRef } from 'react';
import type { CommandEffect } from '../components/command.ts';
import type { Store } from '../components/create-store.ts';
import type { Mouse } from '../components/keys/mouse.ts';
import { click, turn } from '../components/point.ts';
import { selectPreferences } from '../components/ports/select-preferences.ts';
import type { ViewState } from '../components/view.ts';
import type { HitMap } from './hit-map.ts';

/** The one place that reads the mouse. The target under it passes through the command table, as a key does. */
export const useMouse = (
  store: Store,
  mouse: Mouse,
  hits: HitMap,
  view: ViewState,
  doAll: (effects: readonly CommandEffect[]) => void,
): void => {
  const on = selectPreferences(view).mouse;
  useEffect(() => {
    mouse.turn(on);
    return () => mouse.turn(false);
  }, [mouse, on]);

  const dragging = useRef(false);
  const perform = useRef(doAll);
  perform.current = doAll;
  useEffect(
    () =>
      mouse.listen(({ what, column, row }) => {
        if (what === 'release') {
          dragging.current = false;
          return;
        }
        if (what === 'drag') {
          if (dragging.current) store.act({ type: 'divider-moved', column });
          return;
        }
        const target = hits.at(column, row);
        if (what === 'press') dragging.current = target?.kind === 'divider';
        if (what !== 'press')
          return perform.current(turn(store.getState(), target, what === 'wheel-up' ? 'up' : 'down'));
        if (store.getState().notice !== null) store.act({ type: 'noticed', notice: null });
        if (target !== null) perform.current(click(store.getState(), target));
      }),
    [store, mouse, hits],
  );
};
