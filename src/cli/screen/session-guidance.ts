import { openWizard, type WizardEnd } from '../../store/overlays/wizard.ts';
import type { Intent } from '../../store/ports/intent.ts';
import { scanForWizard } from '../discovery/wizard-offers.ts';
import { obeyOrThrow } from './ask-guidance.ts';
import { untilNothingIsOpen } from './begin-session.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** Opens the wizard for guidance over a session, or obeys its end. */
export const guide = (
  sessions: ScreenSessions,
  from: ShownSession,
  intent: Extract<Intent, { readonly type: 'guide' | 'guided' }>,
): Promise<string | null> =>
  intent.type === 'guide' ? openGuidance(sessions, from) : endGuidance(sessions, from, intent.end);

/** Scans the workspace and opens the wizard once the overlays opened meanwhile are closed. */
const openGuidance = async (sessions: ScreenSessions, from: ShownSession): Promise<null> => {
  const { cli, world, leaving } = sessions;
  const { store } = from;
  const depth = store.getState().ui.overlays.length;
  const tell = (text: string): void =>
    store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
  tell('Looks for what could go wrong here …');
  const offers = await scanForWizard(cli, world, workspaceOf(sessions, from), { loop: false, tell });
  await untilNothingIsOpen(store, depth, leaving.signal);
  if (!leaving.signal.aborted) store.act({ type: 'overlay-opened', overlay: openWizard(offers) });
  return null;
};

/** Obeys the end of the wizard and closes it. On a failure the wizard stays open with its answers. */
const endGuidance = async (sessions: ScreenSessions, from: ShownSession, end: WizardEnd): Promise<string> => {
  const sentence = obeyOrThrow(sessions.cli, sessions.world, workspaceOf(sessions, from), end);
  from.store.act({ type: 'overlay-closed' });
  return sentence;
};
