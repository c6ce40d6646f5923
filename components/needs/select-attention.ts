import { safe } from '../../src/base/safe.ts';
import { isComplete } from '../../src/session/status.ts';
import type { Call } from '../compose/call.ts';
import type { ViewState } from '../view.ts';
import { selectNeeds } from './select-needs.ts';

/** Everything that waits for a person: in the session on the screen, and in this program's hidden sessions. */
export const selectCalls = (view: ViewState): readonly Call[] => [
  ...callsHere(view),
  ...view.ui.alsoHosted.flatMap(({ session, calls }) =>
    calls.map(({ key, text }) => ({ key, text: `${safe(session)}: ${text}` })),
  ),
];

/** Gates and questions of the session on the screen. Without a host none of them waits. */
export const callsHere = (view: ViewState): readonly Call[] =>
  view.connection === 'stopped'
    ? []
    : selectNeeds(view).map((need) => ({
        key: [view.session?.session, need.kind, need.since, need.kind === 'knowledge' ? '' : need.text].join(
          ' ',
        ),
        text: need.text,
      }));

/** Hidden sessions that wait for a person, in full and in short. `null` while none does. */
export const selectOthersWaiting = ({
  ui,
}: ViewState): { readonly text: string; readonly short: string } | null => {
  const [first, ...more] = ui.alsoHosted.filter(({ calls }) => calls.length > 0);
  if (first === undefined) return null;
  return more.length === 0
    ? {
        text: `session ${safe(first.session)} is waiting for you: {session.list}`,
        short: 'another is waiting: {session.list}',
      }
    : {
        text: `${more.length + 1} other sessions are waiting for you: {session.list}`,
        short: `${more.length + 1} others waiting: {session.list}`,
      };
};

/** The window's title: the number of waiting items in all sessions, the session's id, and its state. */
export const selectTitle = (view: ViewState): string => {
  const { session } = view;
  const needs = selectNeeds(view).length + view.ui.alsoHosted.flatMap(({ calls }) => calls).length;
  const badge = needs > 0 ? `(${needs}) ` : '';
  if (session === null || session.session === '') return `${badge}ralph-tui`;
  return `${badge}ralph-tui ${safe(session.session)} · ${wordOf(view)}`;
};

const wordOf = ({ session, connection }: ViewState): string => {
  if (connection === 'replay') return 'replay';
  if (session && isComplete(session)) return session.status === 'aborted' ? 'aborted' : 'complete';
  if (session?.drain) return 'draining';
  if (session?.hold) return session.hold.stage;
  return session?.running ? 'running' : 'stopped';
};
