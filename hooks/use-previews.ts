import { useEffect } from 'react';
import type { Store } from '../components/create-store.ts';
import type { IntentPort } from '../components/ports/intent.ts';
import type { ViewState } from '../components/view.ts';

/** Requests the staged files while a person decides on them, each once: the one under the knowledge gate's cursor first. */
export const usePreviews = (store: Store, port: IntentPort, view: ViewState): void => {
  const overlay = view.ui.overlays.at(-1);
  const files = view.session?.gate?.gate === 'knowledge' ? view.session.gate.files : [];
  const wanted =
    overlay?.kind === 'knowledge'
      ? [...files.slice(overlay.cursor), ...files.slice(0, overlay.cursor)]
      : overlay?.kind === 'needs-you'
        ? files
        : [];
  const missing = wanted.find((file) => view.ui.previews[file] === undefined) ?? null;
  useEffect(() => {
    if (missing === null) return;
    port.preview(missing).then(
      (text) => store.act({ type: 'previewed', file: missing, text }),
      () => store.act({ type: 'previewed', file: missing, text: null }),
    );
  }, [store, port, missing]);
};
