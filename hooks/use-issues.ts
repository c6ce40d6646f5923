import { useEffect } from 'react';
import type { Store } from '../components/create-store.ts';
import { selectUnreadIssue } from '../components/issues/select-issues.ts';
import type { IssuesPort } from '../components/ports/issues-port.ts';
import type { ViewState } from '../components/view.ts';
import type { Cancel, Clock } from '../src/base/clock.ts';

/**
 * Reads the tracker while the Issues tab or the question about one issue is shown: immediately, when a person asks or the session changes
 * issues, and again after each `flow.poll`. A hidden tab that was read before reads again only for its mark, when the session changes issues.
 */
export const useIssues = (store: Store, port: IssuesPort, clock: Clock, view: ViewState): void => {
  // The queue opens an issue without its tab.
  const shown = view.ui.tab === 'issues' || view.ui.overlays.at(-1)?.kind === 'move-issue';
  const { asked } = view.ui.issues;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another reading is due
  useEffect(() => {
    if (!shown) return;
    let next: Cancel = () => {};
    let isOver = false;
    const read = (): void => {
      void port.list().then((reading) => {
        // A later reading is under way: it is the newer one.
        if (isOver) return;
        store.act({ type: 'issues-read', reading });
        next = clock.after(store.getState().ui.issues.board?.pollMs ?? firstPollMs, read);
      });
    };
    read();
    return () => {
      isOver = true;
      next();
    };
  }, [store, port, clock, shown, asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: hiding the tab makes no reading due
  useEffect(() => {
    if (shown || store.getState().ui.issues.board === null) return;
    let isOver = false;
    void port.list().then((reading) => {
      if (!isOver) store.act({ type: 'issues-read', reading });
    });
    return () => {
      isOver = true;
    };
  }, [store, port, asked]);
  useIssueText(store, port, clock, view);
};

/** Milliseconds until the next try while no reading has succeeded. */
const firstPollMs = 60_000;
/** Milliseconds on an issue before its text is read: passing over a list reads nothing. */
const settlesMs = 150;

const useIssueText = (store: Store, port: IssuesPort, clock: Clock, view: ViewState): void => {
  const missing = selectUnreadIssue(view);
  const [id, revision] = [missing?.id ?? null, missing?.revision ?? ''];
  useEffect(() => {
    if (id === null) return;
    return clock.after(settlesMs, () => {
      void port.show(id).then((reading) => store.act({ type: 'issue-read', id, revision, reading }));
    });
  }, [store, port, clock, id, revision]);
};
