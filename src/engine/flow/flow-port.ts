import type { Fault } from '../../base/fault.ts';
import type { OwnComments } from '../../issues/documents/counting-comments.ts';
import type { Holder, IssueComment } from '../../issues/issue.ts';
import type { Liveness } from '../../issues/lock.ts';
import type { PullRequests } from '../../issues/pull-requests/pull-requests.ts';
import type { FlowRole, TaskPhase } from '../../issues/task-list/task-phase.ts';
import type { WorkerDefinition } from '../../issues/team/worker-definition.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';

/** The instructions of a phase: its skill, as accepted. */
export interface PhaseInstructions {
  readonly text: string | null;
  /** Why a skill of the repository for this phase does not count; `null` when none is left out. */
  readonly refused: Fault | null;
}

/** What the workers of a role are, as accepted. */
export interface RoleDefinition {
  readonly definition: WorkerDefinition;
  /** Why the repository's own definition does not count; `null` when none is left out. */
  readonly refused: Fault | null;
}

/** The code of a fault of this port that names what a person has to look at first. */
export const unseenCode = 'hooks-unseen';

/** What mode `flow` needs beside a session's own ports. */
export interface FlowPort {
  readonly tracker: Tracker;
  /** What is known of the session of a lock. */
  readonly liveness: (holder: Holder) => Liveness;
  /** The comments that this program posted, kept outside the workspace. */
  readonly own: () => OwnComments;
  readonly remember: (comment: Pick<IssueComment, 'id' | 'body'>) => void;
  /** Where branches are reviewed; `null`: their text is a document, and this program merges. */
  readonly pullRequests: PullRequests | null;
  readonly instructions: (phase: TaskPhase) => PhaseInstructions;
  readonly worker: (role: FlowRole) => RoleDefinition;
}
