import { useEffect } from 'react';
import type { Store } from '../src/store/create-store.ts';
import { selectOutputSubject, selectRaw } from '../src/store/select-output.ts';
import type { ViewState } from '../src/store/view.ts';
import type { ViewerPort } from '../src/store/viewer-port.ts';

/** Has the pieces read that the panes want: the log file in sight, and what is searched for in all of it. */
export const useReading = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  useLogPage(store, viewer, view);
  useLogSearch(store, viewer, view);
};

const useLogPage = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const { log, tab } = view.ui;
  const { ref } = selectOutputSubject(view);
  const known = log.page?.ref.subject === ref?.subject && log.page?.ref.attempt === ref?.attempt;
  const shown = ref !== null && tab === 'output' && selectRaw(view);
  const following = log.pageTop === null;
  const at = log.wanted ?? (following || !known ? (log.pageTop ?? 'end') : null);
  const wanted = shown && at !== null;
  // At its end the file is read again whenever something was printed.
  const version = following ? view.outputVersion : 0;
  const [subject, attempt] = [ref?.subject ?? '', ref?.attempt ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when to read again
  useEffect(() => {
    if (!wanted) return;
    const asked = { subject, attempt };
    viewer.readLog(asked, at).then(
      (page) => store.act({ type: 'log-read', ref: asked, page }),
      () => store.act({ type: 'log-read', ref: asked, page: null }),
    );
  }, [store, viewer, wanted, subject, attempt, at, version]);
};

const useLogSearch = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const { ref } = selectOutputSubject(view);
  const { search } = view.ui.log;
  const text = search?.status === 'looking' ? search.text : '';
  const [subject, attempt] = [ref?.subject ?? '', ref?.attempt ?? 0];
  useEffect(() => {
    if (text === '') return;
    return viewer.searchLog({ subject, attempt }, text, (found) =>
      store.act({ type: 'search-found', text, found }),
    );
  }, [store, viewer, text, subject, attempt]);
};
