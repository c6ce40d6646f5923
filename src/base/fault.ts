import { DiskError } from './disk.ts';
import { diskReason } from './disk-reason.ts';

/**
 * What went wrong, as a value: errors are values at the edges and events in the engine. The sentence a person reads is made in
 * one place, `formatFault`, out of what, where and what to do.
 */
export interface Fault {
  /** Stable and machine-readable, kebab-case: `plan-cycle`, `lock-held`, `disk-full`. */
  readonly code: string;
  /** What is wrong, one clause without a full stop. */
  readonly what: string;
  /** File, line, field, pid: where. */
  readonly where?: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** What a reader of files made by people or agents gives: always a value, and what was odd about the text. */
export interface Parsed<T> {
  readonly value: T;
  readonly problems: readonly Fault[];
}

/** Either a value or the faults that forbid one; for input we may refuse (plans, configuration, command lines). */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** One sentence: `where: what; mend`. A fault that was read back from the journal may hold absent parts as `undefined`. */
export const formatFault = (fault: {
  readonly what: string;
  readonly where?: string | undefined;
  readonly mend?: string | undefined;
}): string => `${fault.where ? `${fault.where}: ` : ''}${fault.what}${fault.mend ? `; ${fault.mend}` : ''}`;

/** Thrown only at the edge between async library code and us; carries the fault to where it is shown. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(formatFault(fault));
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** The fault inside any thrown value; a failed system call in words, and unknown ones become code `unexpected`. */
export const toFault = (error: unknown, where?: string): Fault => {
  if (error instanceof FaultError) return error.fault;
  if (error instanceof DiskError) {
    const { code, clause, mend } = diskReason(error);
    return { code, what: clause, where: where ?? error.path, mend };
  }
  const what = error instanceof Error ? error.message : String(error);
  return where === undefined ? { code: 'unexpected', what } : { code: 'unexpected', what, where };
};
