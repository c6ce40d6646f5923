import type { Note } from '../../src/words/outcome-notes.ts';
import type { TextLine } from './text-line.ts';

/** The output of one attempt, or of one invocation without a task. */
export interface OutputLog {
  /** Kept lines; `lines[0]` has the absolute number `dropped`. */
  readonly lines: readonly OutputLine[];
  /** Lines no longer kept here. The attempt's log file has them all. */
  readonly dropped: number;
  /** Time of the last output, ISO 8601. */
  readonly at: string;
}

/** A `command` line carries the state of its command and is replaced when that ends. A `gap` stands for lines that only the log file has. */
export type OutputLine =
  | TextLine
  | { readonly kind: 'gap'; readonly text: string }
  | {
      readonly kind: 'command';
      readonly text: string;
      /** `execute`: a command that an agent runs. `tool`: any other call of an agent. */
      readonly purpose: 'run' | 'verify' | 'on_steer' | 'setup' | 'execute' | 'tool';
      /** Its start, moved later by its waits for an answer. */
      readonly since: string;
      /**
       * `durationMs` is `null` for a command that was cut off with its program, because nothing measured it, and for one that was refused, because it
       * never ran.
       */
      readonly end: {
        readonly ok: boolean;
        readonly exit: string;
        readonly durationMs: number | null;
        /** Lines it printed, kept here or not. `null` when they were not counted. */
        readonly lines: number | null;
      } | null;
      /** The first line after its output. `null` while it runs. */
      readonly until: number | null;
      /** Of an edit: its first changed lines, `-old` and `+new`, and the number of all others. */
      readonly diff?: { readonly lines: readonly string[]; readonly more: number };
    }
  | ({ readonly kind: 'note' } & Note);
