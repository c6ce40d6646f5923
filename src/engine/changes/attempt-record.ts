import type { Brief } from '../../agents/port.ts';
import type { Attempt, SessionChanges, Snapshot } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { type AttemptChanges, attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';

/** A snapshot is taken before or after the work of an attempt. */
type Moment = 'before' | 'after';

/** The attempt that a brief is about, or another one of its task, as git knows it. */
export const attemptOf = ({ iteration, task, attempt }: Brief, number = attempt ?? 1): Attempt =>
  gitAttempt(iteration, task?.id ?? '', number);

/** The key of the same attempt in the session's state. */
export const keyOf = ({ iteration, task, attempt }: Brief, number = attempt ?? 1): string =>
  attemptKey(iteration, task?.id ?? '', number);

/** What the journal holds of an attempt. */
export const recorded = ({ loop }: Core, brief: Brief, number?: number): AttemptChanges | undefined =>
  loop.state().changes.attempts.get(keyOf(brief, number));

/** Commits what became known of a live invocation; it counts as a sign of life. */
export const record = ({ loop, options }: Core, active: Active, body: EventBody): void => {
  active.alive = options.clock.monotonic();
  if (loop.isOpen() && !active.over) loop.run(() => loop.commit(body));
};

/** What git found odd, each as a problem of the session. */
export const say = (core: Core, code: string, problems: readonly string[]): void => {
  if (problems.length > 0 && core.loop.isOpen())
    core.loop.run(() => {
      for (const what of problems) core.problem({ code, what: what.replace(/\.$/, '') });
    });
};

/** Takes a snapshot of an attempt. What git found odd becomes problems with the code `odd`. */
export const takeSnapshot = async (
  core: Core,
  brief: Brief,
  changes: SessionChanges,
  { moment, number, odd }: { readonly moment: Moment; readonly number?: number; readonly odd: string },
): Promise<Result<Snapshot>> => {
  const taken = await changes.snapshot(attemptOf(brief, number), moment);
  if (taken.ok) say(core, odd, taken.value.problems);
  return taken;
};

/** Commits a snapshot; `files`: what the attempt changed, where that is known. */
export const recordSnapshot = (
  core: Core,
  active: Active,
  brief: Brief,
  snapshot: {
    readonly moment: Moment;
    readonly commit: string;
    readonly number?: number;
    readonly files?: readonly string[];
    readonly undeclared?: readonly string[];
    readonly beside?: readonly string[];
    readonly claimed?: readonly string[];
  },
): void =>
  record(core, active, {
    type: 'attempt.snapshotted',
    task: brief.task?.id ?? '',
    attempt: snapshot.number ?? brief.attempt ?? 1,
    moment: snapshot.moment,
    commit: snapshot.commit,
    ...(snapshot.files === undefined ? {} : { files: [...snapshot.files] }),
    ...(filled(snapshot.undeclared) ? { undeclared: [...snapshot.undeclared] } : {}),
    ...(filled(snapshot.beside) ? { beside: [...snapshot.beside] } : {}),
    ...(filled(snapshot.claimed) ? { claimed: [...snapshot.claimed] } : {}),
  });

const filled = (list: readonly string[] | undefined): list is readonly string[] =>
  list !== undefined && list.length > 0;
