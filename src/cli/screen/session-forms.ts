import { openForm } from '../../../components/form/form-view.ts';
import type { Intent } from '../../../components/ports/intent.ts';
import { guidanceEnd } from '../../session/guidance/guidance-form.ts';
import { obeyGuidance } from '../discovery/save-guidance.ts';
import { scanForWizard } from '../discovery/wizard-offers.ts';
import { setupOffers, writeSetup } from '../setup/write-setup.ts';
import { untilNothingIsOpen } from './begin-session.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** Scans the workspace and opens the form for guidance over a session, once the overlays opened meanwhile are closed. */
export const openGuidance = async (sessions: ScreenSessions, from: ShownSession): Promise<null> => {
  const { cli, world, leaving } = sessions;
  const { store } = from;
  const depth = store.getState().ui.overlays.length;
  const tell = (text: string): void =>
    store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
  tell('Scanning for risks here…');
  const offers = await scanForWizard(cli, world, workspaceOf(sessions, from), { loop: false, tell });
  await untilNothingIsOpen(store, depth, leaving.signal);
  if (!leaving.signal.aborted)
    store.act({ type: 'overlay-opened', overlay: openForm({ kind: 'guidance', offers }) });
  return null;
};

/** Opens the questions of `init` over the start screen. */
export const openSetup = (sessions: ScreenSessions, from: ShownSession): string | null => {
  const offers = setupOffers(sessions.cli, sessions.world, workspaceOf(sessions, from));
  if (offers.agents.length === 0) return 'No agent is installed yet: install one first';
  from.store.act({ type: 'overlay-opened', overlay: openForm({ kind: 'setup', offers }) });
  return null;
};

/** Saves what the answers come to and closes the form. On a failure it stays open with its answers. */
export const saveForm = async (
  sessions: ScreenSessions,
  from: ShownSession,
  { form, answers }: Extract<Intent, { readonly type: 'filled-in' }>,
  readStartAgain: () => Promise<unknown>,
): Promise<string> => {
  const { cli, world } = sessions;
  const workspace = workspaceOf(sessions, from);
  const sentence =
    form.kind === 'guidance'
      ? obeyGuidance(cli, world, workspace, guidanceEnd(form.offers, answers))
      : writeSetup(cli, world, workspace, form.offers, answers);
  from.store.act({ type: 'overlay-closed' });
  if (form.kind === 'setup') await readStartAgain();
  return sentence;
};
