import type { SetupAnswers, SetupOffers } from '../../session/setup/questions.ts';
import { openSetup } from '../../store/overlays/setup.ts';
import type { Intent } from '../../store/ports/intent.ts';
import type { Cli } from '../cli.ts';
import { setupOffers, writeSetup } from '../setup/write-setup.ts';
import type { World } from '../world.ts';
import { askOnScreen } from './ask-on-screen.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/** Asks the questions of `init` on a screen of its own and writes the files. Returns the sentence about it, or `null` when the person left. */
export const askSetup = (
  cli: Cli,
  world: World,
  workspace: string,
  { offers, answers }: { readonly offers: SetupOffers; readonly answers: SetupAnswers },
): Promise<string | null> =>
  askOnScreen(cli, world, workspace, openSetup(offers, answers), (intent) =>
    intent.type === 'set-up-with' ? writeSetup(cli, world, workspace, offers, intent.answers) : null,
  );

/** Opens the questions over the start screen, or writes the files by their answers and reads the start screen again. */
export const setUp = async (
  { cli, world, ...rest }: ScreenSessions,
  from: ShownSession,
  intent: Extract<Intent, { readonly type: 'set-up' | 'set-up-with' }>,
  readAgain: () => Promise<unknown>,
): Promise<string | null> => {
  const workspace = workspaceOf({ cli, world, ...rest }, from);
  const offers = setupOffers(cli, world, workspace);
  if (intent.type === 'set-up') {
    if (offers.agents.length === 0) return 'No agent is installed yet: install one first';
    from.store.act({ type: 'overlay-opened', overlay: openSetup(offers) });
    return null;
  }
  const sentence = writeSetup(cli, world, workspace, offers, intent.answers);
  from.store.act({ type: 'overlay-closed' });
  await readAgain();
  return sentence;
};
