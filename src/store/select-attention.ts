import { safe } from '../base/safe.ts';
import { selectNeeds } from './select-needs.ts';
import type { ViewState } from './view.ts';

/** Something a person is called for; `key` tells whether they were already. */
export interface Call {
  readonly key: string;
  readonly text: string;
}

/** What needs a person now, each once: gates and questions, and a session that ended while nobody may have looked. */
export const selectCalls = (view: ViewState): readonly Call[] =>
  selectNeeds(view).map((need) => ({ key: `${need.kind} ${need.since}`, text: need.text }));

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
