import { isComplete } from '../../src/session/status.ts';
import type { QuitChoice } from '../ports/intent.ts';
import type { ViewState } from '../view.ts';

interface QuitOption {
  readonly how: QuitChoice | 'stay';
  readonly label: string;
  /** The consequence for the work. */
  readonly consequence: string;
}

/** Whether leaving affects the session on the screen. Another program's has a host before its start is in the journal. */
export const isAtStake = ({ session, connection }: ViewState): boolean =>
  session !== null &&
  !isComplete(session) &&
  (connection === 'attached' || (connection === 'live' && session.running));

/** The choices of `q`. Empty when nothing is at stake and the program ends at once. */
export const selectQuitChoices = (view: ViewState): readonly QuitOption[] => {
  const own = isAtStake(view);
  const others = view.ui.alsoHosted.map(({ session }) => session);
  if (!own && others.length === 0) return [];
  const attached = view.connection === 'attached';
  const held = view.session?.hold != null;
  const choice = (how: QuitChoice, label: string, consequence: string): QuitOption => {
    const parts = [...(own ? [consequence] : []), ...othersWords(others, how)];
    return { how, label, consequence: parts.join(' · ') };
  };
  const leave = choice('leave', 'Leave it running', leaveWords(attached, held));
  const pause = choice(
    'pause',
    'Pause and leave',
    attached
      ? 'pauses after the current command and stays paused until you resume'
      : 'agents stop; unfinished attempts restart on resume',
  );
  const abort = choice('abort', 'Abort the session', 'everything stops and the session ends');
  const stay: QuitOption = { how: 'stay', label: 'Stay', consequence: 'back to the screen' };
  return [...(view.ui.canLeaveRunning || !own ? [leave] : []), pause, ...(own ? [abort] : []), stay];
};

const leaveWords = (attached: boolean, held: boolean): string => {
  if (held) return attached ? 'stays paused until you resume' : 'stays paused, in the background';
  return attached
    ? 'agents continue; the command to return is printed'
    : 'agents continue, in the background';
};

/** What happens to this program's hidden sessions. They are only paused: an ABORT was confirmed for the shown one alone. */
const othersWords = (others: readonly string[], how: QuitChoice): readonly string[] => {
  if (others.length === 0) return [];
  const who = others.length === 1 ? others[0] : `${others.length} more (${others.join(', ')})`;
  const one = others.length === 1;
  if (how === 'leave')
    return [`${who}, run by this program, ${one ? 'continues' : 'continue'} in the background`];
  const only = how === 'abort' ? 'only ' : '';
  return [
    `${who}, run by this program, ${one ? 'is' : 'are'} ${only}paused until you resume ${one ? 'it' : 'them'}`,
  ];
};
