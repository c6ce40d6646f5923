import type { Store } from '../../store/create-store.ts';
import { selectNeeds } from '../../store/signals/select-needs.ts';
import type { SessionPort } from './screen.tsx';

/** Opens the end screen unless an overlay is in use; `E` opens it otherwise. A queue in which nothing waits is not in use. */
export const showEnd = (store: Store): void => {
  const view = store.getState();
  const { ui, notice } = view;
  const isEmptyQueue = selectNeeds(view).length === 0;
  if (ui.overlays.some(({ kind }) => kind !== 'settled' && !(kind === 'needs-you' && isEmptyQueue))) return;
  for (const _ of ui.overlays) store.act({ type: 'overlay-closed' });
  store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  // Keeps the notice of missed events below it.
  if (notice?.stays) store.act({ type: 'noticed', notice });
};

/** Adds to the notice of a sent signal that the stopped session must resume to read it, and which key does that. */
export const untilResume = (port: SessionPort, store: Store): SessionPort => ({
  ...port,
  perform: async (intent) => {
    const said = await port.perform(intent);
    const { connection } = store.getState();
    const sends = intent.type === 'publish' || intent.type === 'replace';
    return connection === 'stopped' && sends && said !== null
      ? `${said} · no process is running the session: {session.resume} resumes it, and then it is read`
      : said;
  },
});
