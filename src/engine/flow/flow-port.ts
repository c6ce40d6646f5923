import type { OwnComments } from '../../issues/documents/counting-comments.ts';
import type { Holder, IssueComment } from '../../issues/issue.ts';
import type { Liveness } from '../../issues/lock.ts';
import type { PullRequests } from '../../issues/pull-requests/pull-requests.ts';
import type { FlowRole, TaskPhase } from '../../issues/task-list/task-phase.ts';
import type { WorkerDefinition } from '../../issues/team/worker-definition.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';

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
  /** The instructions of a phase: its skill, as accepted. */
  readonly instructions: (phase: TaskPhase) => string | null;
  /** The definition of a role's workers, as accepted. */
  readonly worker: (role: FlowRole) => WorkerDefinition;
}
