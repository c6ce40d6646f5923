import { type Checked, type Fault, FaultError, toFault } from '../../base/fault.ts';
import type { Reading } from './tracker.ts';

/** Runs the body of a tracker's call. What a disk or a program throws becomes the fault of the answer. */
export const guarded = async <T>(body: () => Promise<Checked<T>>): Promise<Checked<T>> => {
  try {
    return await body();
  } catch (error) {
    return { ok: false, faults: [toFault(error)] };
  }
};

/** The value, or its first fault thrown for `guarded` to catch. */
export const unwrapped = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  throw new FaultError(
    checked.faults[0] ?? { code: 'unexpected', what: 'a call failed without giving a reason' },
  );
};

/** A reading that failed. */
export const failed = (faults: readonly Fault[]): Reading => ({
  ok: false,
  error: faults[0] ?? { code: 'unexpected', what: 'the tracker cannot be read' },
});
