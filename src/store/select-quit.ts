import type { QuitChoice } from './intent.ts';
import type { ViewState } from './view.ts';

export interface QuitOption {
  readonly how: QuitChoice | 'stay';
  readonly label: string;
  /** What it means for the work. */
  readonly consequence: string;
}

/** What `q` asks; empty where nothing is at stake and one is let go at once. */
export const selectQuitChoices = (view: ViewState): readonly QuitOption[] => {
  const { session } = view;
  const atStake = session?.running && session.state !== 'COMPLETE' && view.connection !== 'replay';
  if (!atStake || view.connection === 'stopped') return [];
  const leave: QuitOption = {
    how: 'leave',
    label: 'Leave it running',
    consequence:
      view.connection === 'attached'
        ? 'agents go on; come back with ralph-tui attach'
        : 'goes on in the background; running attempts start again',
  };
  const pause: QuitOption = {
    how: 'pause',
    label: 'Pause and leave',
    consequence:
      view.connection === 'attached'
        ? 'held at the next boundary; its program keeps it until a resume'
        : 'agents stop; open attempts start again on resume',
  };
  const abort: QuitOption = {
    how: 'abort',
    label: 'Abort the session',
    consequence: 'everything is stopped; the session is over',
  };
  const stay: QuitOption = { how: 'stay', label: 'Stay', consequence: 'back to the screen' };
  return view.ui.canLeaveRunning ? [leave, pause, abort, stay] : [pause, abort, stay];
};
