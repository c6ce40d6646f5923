import type { InvocationId } from '../../agents/port.ts';
import type { Answerable } from '../../signals/check-answer.ts';
import type { TaskId } from '../../tasks/task.ts';

/** A question that was asked, with its answer once there is one. */
export interface Question extends Answerable {
  readonly text: string;
  readonly asked: string;
  readonly invocation: InvocationId | null;
  readonly task: TaskId | null;
  readonly attempt: number | null;
  /** `no-result`: the purpose of the turns that ended without one. */
  readonly slot: string | null;
  /** `plan-review`: the plan, and the validator's critique, relative to the workspace. */
  readonly document: string | null;
  readonly critique: string | null;
  /** The words of the answer, else the id of the choice. */
  readonly answer: string | null;
  /** The id of the choice; `null` for words alone. */
  readonly option: string | null;
  readonly answeredBy: string | null;
}
