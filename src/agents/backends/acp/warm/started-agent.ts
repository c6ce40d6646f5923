import type { Child } from '../../../../base/process/spawn.ts';
import type { AgentLink } from '../link.ts';

/** A started agent. The child exists at once, so that it can be stopped while its agent still starts. */
export interface StartedAgent {
  readonly child: Child;
  /** Rejects with a `FaultError` if the agent is not found, crashes, hangs or speaks an unknown protocol. */
  readonly link: Promise<AgentLink>;
  /** Absent: its process ends with its conversation. */
  readonly warm?: WarmAgent;
}

interface WarmAgent {
  /** Its session is open and no prompt was sent: what runs now belongs to the agent itself. */
  opened(): void;
  /** It opens a session again that it left: what it says there is heard. */
  reopens(session: string): void;
  /** Its session has ended or waits for a pause to end. Gives the processes that are left to it, or none: something else runs, and all has to be ended now. */
  leave(session: string, after: AfterWork): readonly number[];
}

/** What becomes of an agent: it `waits` for the next work, `paused` for its own to continue, or `goes` beside what follows. */
export type AfterWork = 'waits' | 'paused' | 'goes';
