import type { SessionMode, StateName } from '../../session/status.ts';
import type { TaskId } from '../../tasks/task.ts';
import type { EventOf } from '../event.ts';
import type { Patch } from '../handler.ts';
import type { Owned } from '../maps.ts';
import type { SessionState } from '../state.ts';
import type { Part } from '../step.ts';
import type { Stage } from './stage.ts';

/** One way to run a session: its states, their strip in the header, and the changes on entering them. */
export interface PipelineMode {
  readonly name: SessionMode;
  /** The first state of a session. */
  readonly first: StateName;
  /** The state after an ABORT. */
  readonly last: StateName;
  /** Every state of the mode. Each mode builds it from a record that is total over its own states. */
  readonly stages: Readonly<Partial<Record<StateName, Stage>>>;
  /** True when a task that cannot be done as planned returns to the Planner. Otherwise it fails. */
  readonly plansAgain: boolean;
  /** True when feedback after the end starts another iteration. A loop has turns instead, a flow new issues. */
  readonly readsFeedback: boolean;
  /** The mode's own part of the state, at the first event of a session. */
  readonly created: (event: EventOf<'session.created'>) => Patch;
  /** Changes at a start of the program; `state` is the one before it. */
  readonly started: (state: SessionState, event: EventOf<'session.started'>) => Patch;
  /** Stops the session softly. Asked before anything starts, after ended work is settled. */
  readonly windDown: Part;
  /** Changes when a person reopens a task, besides the task's own. `state` is the one before it. */
  readonly reopened: (state: SessionState, task: TaskId) => Patch;
  /** The cells of the strip in the header, in order. */
  readonly strip: readonly StripEntry[];
  /** Changes on entering a state, besides its name. */
  readonly entering: (state: SessionState, name: StateName, own: Owned) => Patch;
}

/** One cell of the strip. */
export interface StripEntry {
  readonly state: StateName;
  /** True when the session does not pass the state in this iteration. */
  readonly skipped?: (session: Pick<SessionState, 'iteration' | 'flow'>) => boolean;
}
