import type { ForeignWorks } from '../../agents/backends/foreign/create-foreign-backend.ts';
import type { ForeignWork } from '../../agents/backends/foreign/foreign-worker.ts';
import type { Message } from '../../agents/port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { Door } from '../../issues/team/door.ts';

export interface TeamPorts {
  /** `null`: the session has not begun. */
  readonly door: () => Door | null;
  readonly works: ForeignWorks;
  /** Calls back after each event of the session. Returns the end of it. */
  readonly watch: (changed: () => void) => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly token: string;
}

/** What is known of one connection of a worker. */
export interface LineState {
  readonly ports: TeamPorts;
  /** The worker's name; `null` until its first call. */
  worker: string | null;
  hangUp: () => void;
  /** The task whose outcome it has handed in. */
  handed: string | null;
  /** Messages in answers that the worker has not confirmed, by their ids. */
  readonly unconfirmed: Map<string, { readonly message: Message; readonly work: ForeignWork }>;
}

/** The session's door. Throws a sentence for the worker when the session has not begun. */
export const doorOf = ({ ports }: LineState): Door => {
  const open = ports.door();
  if (open === null) throw new Error('the session has not begun yet; try again');
  return open;
};
