import type { QuitChoice } from './intent.ts';
import type { ViewState } from './view.ts';

export interface QuitOption {
  readonly how: QuitChoice | 'stay';
  readonly label: string;
  /** What it means for the work. */
  readonly consequence: string;
}

/** Whether the session on the screen would notice that one leaves. */
export const isAtStake = ({ session, connection }: ViewState): boolean =>
  session?.running === true &&
  session.state !== 'COMPLETE' &&
  connection !== 'replay' &&
  connection !== 'stopped';

/** What `q` asks; empty where nothing is at stake and one is let go at once. */
export const selectQuitChoices = (view: ViewState): readonly QuitOption[] => {
  const own = isAtStake(view);
  const others = view.ui.alsoHosted;
  if (!own && others.length === 0) return [];
  const who = others.length === 1 ? others[0] : `${others.length} more sessions`;
  const [goes, stops] = others.length === 1 ? ['goes on', 'stops'] : ['go on', 'stop'];
  const choice = (how: QuitChoice, label: string, consequence: string): QuitOption => {
    const also = how === 'leave' ? goes : stops;
    if (!own) {
      const where = how === 'leave' ? 'in the background' : 'until a resume';
      return { how, label, consequence: `${who}, run by this program, ${also} ${where}` };
    }
    return {
      how,
      label,
      consequence: others.length === 0 ? consequence : `${consequence} · ${who} ${also} too`,
    };
  };
  const attached = view.connection === 'attached';
  const leave = choice(
    'leave',
    'Leave it running',
    attached
      ? 'agents go on; come back with ralph-tui attach'
      : 'goes on in the background; running attempts start again',
  );
  const pause = choice(
    'pause',
    'Pause and leave',
    attached
      ? 'held at the next boundary; its program keeps it until a resume'
      : 'agents stop; open attempts start again on resume',
  );
  const abort = choice('abort', 'Abort the session', 'everything is stopped; the session is over');
  const stay: QuitOption = { how: 'stay', label: 'Stay', consequence: 'back to the screen' };
  return [...(view.ui.canLeaveRunning || !own ? [leave] : []), pause, ...(own ? [abort] : []), stay];
};
