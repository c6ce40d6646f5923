import type { Store } from '../../../components/create-store.ts';
import type { SessionPort } from './screen.tsx';

/** Adds to the notice of a sent signal that the stopped session must resume to read it, and which key does that. */
export const untilResume = (port: SessionPort, store: Store): SessionPort => ({
  ...port,
  perform: async (intent) => {
    const said = await port.perform(intent);
    const { connection } = store.getState();
    const sends = intent.type === 'publish' || intent.type === 'replace';
    return connection === 'stopped' && sends && said !== null
      ? `${said} · no process is running the session; the signal will be read after {session.resume} resumes it`
      : said;
  },
});
