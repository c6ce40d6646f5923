import { safe } from '../base/safe.ts';
import type { Call } from './call.ts';
import { selectNeeds } from './select-needs.ts';
import type { ViewState } from './view.ts';

/** What waits for a person now: in the session on the screen, and in those this program runs behind it. */
export const selectCalls = (view: ViewState): readonly Call[] => [
  ...callsHere(view),
  ...view.ui.alsoHosted.flatMap(({ session, calls }) =>
    calls.map(({ key, text }) => ({ key, text: `${safe(session)}: ${text}` })),
  ),
];

/** Gates and questions of the session on the screen, while it runs. Where nobody runs it, nothing waits but the session itself. */
export const callsHere = (view: ViewState): readonly Call[] =>
  view.connection === 'stopped'
    ? []
    : selectNeeds(view).map((need) => ({
        key: [view.session?.session, need.kind, need.since, need.kind === 'knowledge' ? '' : need.text].join(
          ' ',
        ),
        text: need.text,
      }));

/** Sessions behind the screen that wait for a person, in words and in few; `null` while none does. */
export const selectOthersWaiting = ({
  ui,
}: ViewState): { readonly text: string; readonly short: string } | null => {
  const [first, ...more] = ui.alsoHosted.filter(({ calls }) => calls.length > 0);
  if (first === undefined) return null;
  return more.length === 0
    ? {
        text: `session ${safe(first.session)} waits for you: {arrive.sessions}`,
        short: 'another waits for you: {arrive.sessions}',
      }
    : {
        text: `${more.length + 1} other sessions wait for you: {arrive.sessions}`,
        short: `${more.length + 1} others wait for you: {arrive.sessions}`,
      };
};

/** The window's title: how many things wait, in this session and in those behind it, which session, and how it is. */
export const selectTitle = (view: ViewState): string => {
  const { session } = view;
  const needs = selectNeeds(view).length + view.ui.alsoHosted.flatMap(({ calls }) => calls).length;
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
