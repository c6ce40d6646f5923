import type { ViewState } from '../../store/view.ts';
import { type Command, perform } from '../command.ts';

/** Keys for coming back and setting out: nothing that costs anything starts without one of them. */
export const arriveCommands: readonly Command[] = (['main', 'end'] as const).flatMap((context) => [
  {
    id: context === 'main' ? 'arrive.resume' : 'end.resume',
    context,
    keys: ['R'],
    label: 'resume',
    description: 'resume a session that nobody runs; at its end: for a retry or feedback',
    group: 'Arrive',
    footer: context === 'main' ? 1 : 4,
    available: (view) => resumable(view),
    offered: (view) => mayGoOn(view),
    run: () => [perform({ type: 'resume' })],
  },
]);

const resumable = (view: ViewState): true | string => {
  const { session, connection, ui } = view;
  if (session === null) return 'There is no session yet';
  if (connection === 'replay') return 'This is a replay: there is nothing to resume';
  if (connection !== 'stopped') return 'The session runs';
  return ui.resumable ? true : 'This session was laid out by another program and can only be read';
};

/** A complete session goes on only by feedback, which comes from outside, or by a task that failed and is opened again. */
const mayGoOn = ({ session }: ViewState): boolean =>
  session?.state !== 'COMPLETE' ||
  session.running ||
  [...session.tasks.values()].some(({ status }) => status === 'failed');
