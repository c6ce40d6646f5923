import type { SessionPaths } from '../session/paths.ts';
import type { Store } from '../store/create-store.ts';
import type { QuitChoice } from '../store/intent.ts';
import type { Flags } from './options.ts';
import type { SessionPort } from './screen.tsx';

/** One session as the screen shows it, whether this program hosts its engine or only reads along. */
export interface Showing {
  /** `null` while there is no session yet. */
  readonly paths: SessionPaths | null;
  readonly store: Store;
  readonly port: SessionPort;
  /** This program hosts the engine: it goes on while the screen shows another session. */
  readonly hosted: boolean;
  /** What a person said of it on the command line of this program; it is said again where the session goes on. */
  readonly flags: Flags;
  /** `reason` is what the session is told to have stopped for. Does what a choice at leaving asks; the screen goes when it resolves. */
  readonly quit: (choice: QuitChoice, reason?: string) => Promise<void>;
  /** However the screen went: no engine stays behind unseen. Safe to call again. */
  readonly close: () => Promise<Ending>;
}

/** What is left of a session on the normal screen. */
export interface Ending {
  readonly exitCode: number;
  readonly text: string;
}
