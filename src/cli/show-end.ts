import type { Store } from '../store/create-store.ts';
import type { SessionPort } from './screen.tsx';

/** Opens the end screen where nobody is writing or deciding; `E` has it otherwise. */
export const showEnd = (store: Store): void => {
  const { ui, notice } = store.getState();
  if (ui.overlays.length > 0) return;
  store.act({ type: 'overlay-opened', overlay: { kind: 'end', cursor: 0 } });
  // What was missed stays in sight below it.
  if (notice?.stays) store.act({ type: 'noticed', notice });
};

/** What is sent to a session that nobody runs only waits: the sentence says so, and which key has it read. */
export const untilResume = (port: SessionPort, store: Store): SessionPort => ({
  ...port,
  perform: async (intent) => {
    const said = await port.perform(intent);
    const { connection } = store.getState();
    const sends = intent.type === 'publish' || intent.type === 'replace';
    const waits = connection === 'stopped' && sends && said?.startsWith('sent');
    return waits ? `${said} · nobody runs the session: {arrive.resume} resumes it and has it read` : said;
  },
});
