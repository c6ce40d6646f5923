import type { Fault } from '../base/fault.ts';

/** What every function of this room returns: a value, or the one fault that forbids it. Nothing throws. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };
