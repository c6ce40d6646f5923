import { useEffect, useRef } from 'react';
import { overlayChangesRef } from '../components/changes/end-changes.ts';
import { selectChangesRef } from '../components/changes/select-changes.ts';
import type { Store } from '../components/create-store.ts';
import { selectReport } from '../components/details/select-details.ts';
import { thirdPane } from '../components/layout.ts';
import { selectOutputSubject, selectRaw } from '../components/output/select-output.ts';
import { selectSearch } from '../components/output/select-search.ts';
import { selectUnreadDocuments } from '../components/plan/plan-review.ts';
import type { Changes, ViewerPort } from '../components/ports/viewer-port.ts';
import type { ViewState } from '../components/view.ts';

/** Requests the text that panes need: the visible part of the log file, and the results of a search in all of it. */
export const useReading = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  useLogPage(store, viewer, view);
  useLogSearch(store, viewer, view);
  useReport(store, viewer, view);
  useChanges(store, viewer, view);
  useDocuments(store, viewer, view);
};

const useLogPage = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const { log, tab } = view.ui;
  const { ref } = selectOutputSubject(view);
  const known = log.page?.ref.subject === ref?.subject && log.page?.ref.attempt === ref?.attempt;
  const shown = ref !== null && tab === 'output' && selectRaw(view);
  // A file that did not exist yet is requested again, like one that is followed.
  const following = log.pageTop === null || log.page?.page === null;
  const at = log.wanted ?? (following || !known ? (log.pageTop ?? 'end') : null);
  const wanted = shown && at !== null;
  // At its end the file is read again after each new output.
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
  const search = selectSearch(view);
  const text = search?.status === 'looking' ? search.text : '';
  const [subject, attempt] = [ref?.subject ?? '', ref?.attempt ?? 0];
  useEffect(() => {
    if (text === '') return;
    return viewer.searchLog({ subject, attempt }, text, (found) =>
      store.act({ type: 'search-found', ref: { subject, attempt }, text, found }),
    );
  }, [store, viewer, text, subject, attempt]);
};

const useReport = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const wanted = selectReport(view);
  const key = wanted?.key ?? '';
  const missing =
    wanted !== null &&
    (view.ui.tab === 'details' || thirdPane(view.ui) === 'details') &&
    view.ui.reports[key] === undefined;
  const { task, iteration, attempt } = wanted?.ref ?? { task: '', iteration: 0, attempt: 0 };
  useEffect(() => {
    if (!missing) return;
    viewer.readReport({ task, iteration, attempt }).then(
      (text) => store.act({ type: 'report-read', key, text }),
      () => store.act({ type: 'report-read', key, text: null }),
    );
  }, [store, viewer, missing, key, task, iteration, attempt]);
};

const useDocuments = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const missing = selectUnreadDocuments(view);
  const asked = useRef(missing);
  asked.current = missing;
  const keys = missing.map(({ key }) => key).join('\n');
  useEffect(() => {
    if (keys === '') return;
    for (const { key, path } of asked.current)
      viewer.readDocument(path).then(
        (text) => store.act({ type: 'document-read', key, text }),
        () => store.act({ type: 'document-read', key, text: null }),
      );
  }, [store, viewer, keys]);
};

const useChanges = (store: Store, viewer: ViewerPort, view: ViewState): void => {
  const wanted = overlayChangesRef(view) ?? (view.ui.tab === 'changes' ? selectChangesRef(view) : null);
  const key = wanted?.key ?? '';
  const missing = wanted !== null && view.ui.changes[key] === undefined;
  const ref = useRef(wanted?.ref);
  ref.current = wanted?.ref;
  useEffect(() => {
    if (!missing || ref.current === undefined) return;
    const tell = (changes: Changes): void => store.act({ type: 'changes-read', key, changes });
    viewer.readChanges(ref.current).then(tell, () => tell(unreadable));
  }, [store, viewer, missing, key]);
};

const unreadable: Changes = {
  files: [],
  diff: '',
  cut: false,
  missing: 'git could not show the difference.',
};
