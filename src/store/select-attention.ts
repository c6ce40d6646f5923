import { safe } from '../base/safe.ts';
import { selectNeeds } from './select-needs.ts';
import type { ViewState } from './view.ts';

/** Something a person is called for; `key` tells whether they were already. */
export interface Call {
  readonly key: string;
  readonly text: string;
}

/** What waits for a person now: gates and questions of a session that runs. Where nobody runs it, nothing waits but the session itself. */
export const selectCalls = (view: ViewState): readonly Call[] =>
  view.connection === 'stopped'
    ? []
    : selectNeeds(view).map((need) => ({
        key: [view.session?.session, need.kind, need.since, need.kind === 'knowledge' ? '' : need.text].join(
          ' ',
        ),
        text: need.text,
      }));

/** The window's title: how many things wait, which session, and how it is. */
export const selectTitle = (view: ViewState): string => {
  const { session } = view;
  const needs = selectNeeds(view).length;
  const badge = needs > 0 ? `(${needs}) ` : '';
  if (session === null || session.session === '') return `${badge}ralph-tui`;
  return `${badge}ralph-tui ${safe(session.session)} · ${wordOf(view)}`;
};

const wordOf = ({ session, connection }: ViewState): string => {
  if (connection === 'replay') return 'replay';
  if (session?.state === 'COMPLETE') return session.status === 'aborted' ? 'aborted' : 'complete';
  if (session?.hold) return session.hold.stage;
  return session?.running ? 'running' : 'stopped';
};
