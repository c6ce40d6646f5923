import { DiskError } from './disk.ts';
import { diskReason } from './disk-reason.ts';
import { asSentence } from './sentence.ts';

/**
 * A problem as a value: errors are values at the edges and events in the engine. `formatFault` alone builds the sentence for
 * people, from `what`, `where` and `hint`.
 */
export interface Fault {
  /** Stable and machine-readable, kebab-case: `plan-cycle`, `lock-held`, `disk-full`. */
  readonly code: string;
  /** The problem, as one clause without a full stop. */
  readonly what: string;
  /** The location: file, line, field or pid. */
  readonly where?: string;
  /** The remedy. */
  readonly hint?: string;
  /** The fingerprint of the state that this fault tells of, where a person may accept it: their consent counts for no other. */
  readonly state?: string;
}

/** The result of a reader of files made by people or agents: always a value, and the problems of the text. */
export interface Parsed<T> {
  readonly value: T;
  readonly problems: readonly Fault[];
}

/** Either a value or the faults that forbid one, for input that may be refused (plans, configuration, command lines). */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** One sentence: `where: what; hint`. The full stop of a sentence of its own gives way to the hint. A fault read back from the journal may hold absent parts as `undefined`. */
export const formatFault = (fault: {
  readonly what: string;
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
}): string => {
  const what = fault.hint ? `${fault.what.replace(/(?<!\.)\.\s*$/, '')}; ${fault.hint}` : fault.what;
  return `${fault.where ? `${fault.where}: ` : ''}${what}`;
};

/** The same as a whole sentence. What a program printed may end in a full stop of its own. */
export const faultSentence = (fault: Parameters<typeof formatFault>[0]): string =>
  asSentence(formatFault(fault));

/** Thrown only at the edge between async library code and ours. Carries the fault to the place that shows it. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(formatFault(fault));
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** The fault inside any thrown value. Describes a failed system call in words; an unknown error gets the code `unexpected`. */
export const toFault = (error: unknown, where?: string): Fault => {
  if (error instanceof FaultError) return error.fault;
  if (error instanceof DiskError) {
    const { code, clause, hint } = diskReason(error);
    return { code, what: clause, where: where ?? error.path, hint };
  }
  const what = error instanceof Error ? error.message : String(error);
  return where === undefined ? { code: 'unexpected', what } : { code: 'unexpected', what, where };
};
