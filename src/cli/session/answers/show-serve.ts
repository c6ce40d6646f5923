import type { Store } from '../../../../components/create-store.ts';
import type { ServeIntent } from '../../../../components/ports/intent.ts';
import { safe } from '../../../base/safe.ts';
import type { Cli } from '../../cli.ts';
import { askDesk } from './ask-desk.ts';

/** Shows the `serve` of this workspace on the screen: its address and code, and its devices. Returns a sentence where there is none. */
export const showServe = async (
  env: Cli['env'],
  workspace: string,
  store: Pick<Store, 'act' | 'getState'>,
  { ask, device }: ServeIntent,
): Promise<string | null> => {
  const shown = await askDesk(
    env,
    workspace,
    ask === 'revoke' ? { type: ask, device: device ?? '' } : { type: ask },
  );
  if (typeof shown === 'string') return safe(shown);
  const top = store.getState().ui.overlays.at(-1);
  if (top?.kind === 'serve') store.act({ type: 'overlay-closed' });
  store.act({ type: 'overlay-opened', overlay: { kind: 'serve', ...shown, cursor: 0 } });
  return ask === 'revoke' ? 'Revoked: its pages are gone' : null;
};
