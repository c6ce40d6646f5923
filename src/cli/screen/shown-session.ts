import type { Store } from '../../../components/create-store.ts';
import type { QuitChoice } from '../../../components/ports/intent.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Staying } from '../host/stay-without-terminal.ts';
import type { Flags } from '../options.ts';
import type { FarSession } from '../runners/far-sessions.ts';
import type { Machine } from '../runners/machine.ts';
import type { SessionPort } from './screen.tsx';

/** One session on the screen, hosted by this program or only read. */
export interface ShownSession {
  /** `null` before the session exists. */
  readonly paths: SessionPaths | null;
  /** The session of another machine that this is; absent for one of this machine. */
  readonly far?: { readonly machine: Machine; readonly session: FarSession };
  readonly store: Store;
  readonly port: SessionPort;
  /** This program hosts the engine, which keeps running while the screen shows another session. */
  readonly hosted: boolean;
  /** Flags from this program's command line, repeated in the words that continue the session. */
  readonly flags: Flags;
  /** Obeys the choice at leaving; the screen closes when it resolves. `reason` is recorded as why the session stopped. */
  readonly quit: (choice: QuitChoice, reason?: string) => Promise<void>;
  /** Ends the session however the screen closed, so that no engine keeps running unseen. Safe to call again. */
  readonly close: () => Promise<Ending>;
}

/** The session's last words on the normal screen, and the exit code. */
export interface Ending {
  readonly exitCode: number;
  readonly text: string;
  /** The session that continues in this program without a terminal; absent for one that has ended, or that another process runs. */
  readonly staying?: Staying;
}
