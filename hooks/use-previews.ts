import { useEffect } from 'react';
import type { Store } from '../src/store/create-store.ts';
import type { IntentPort } from '../src/store/ports/intent.ts';
import type { ViewState } from '../src/store/view.ts';

/** Requests the staged file under the knowledge gate's cursor, once. */
export const usePreviews = (store: Store, port: IntentPort, view: ViewState): void => {
  const overlay = view.ui.overlays.at(-1);
  const file = overlay?.kind === 'knowledge' ? (view.session?.gate?.files[overlay.cursor] ?? null) : null;
  const missing = file !== null && view.ui.previews[file] === undefined ? file : null;
  useEffect(() => {
    if (missing === null) return;
    port.preview(missing).then(
      (text) => store.act({ type: 'previewed', file: missing, text }),
      () => store.act({ type: 'previewed', file: missing, text: null }),
    );
  }, [store, port, missing]);
};
