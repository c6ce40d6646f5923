import type { z } from 'zod';

/**
 * One configuration key with all of its properties. Configuration files, SET signals, `config show`, `config check`, the trust
 * question, the README and completion read this entry; none of them keeps a list of its own.
 */
export interface Setting<K extends string = string, S extends z.ZodType = z.ZodType> {
  /** Dotted: `timeouts.stall`. A key whose schema is a record holds a map of free keys. */
  readonly key: K;
  /** The value in memory: durations in milliseconds, `null` for no limit. The written forms derive from it and `unit`. */
  readonly schema: S;
  readonly default: z.output<S>;
  /** Defaults for certain situations, known before any file is read. The first match counts. */
  readonly defaultsWhen?: readonly SituationDefault<z.output<S>>[];
  /** `ms`: a duration, written `30s`, `5m` or `24h`. The other units only explain the number. `null` without a unit. */
  readonly unit: 'ms' | 'minutes' | 'USD' | null;
  /** Whether a SET signal may change it while the session runs. A SET arrives through the mailbox, so no setting that lets them do more is live. */
  readonly live: boolean;
  /** Whether a value from a repository's own file needs a person's trust: it runs something, or lets agents do, cost or hide more. */
  readonly widens: 'never' | 'always' | { readonly unless: readonly z.output<S>[] };
  /** Its effect, for the README and `config show`. */
  readonly sentence: string;
}

/** The situation before any file is read. */
export interface Situation {
  /** Whether a person is in front of a screen. */
  readonly attended: boolean;
  /** Whether a process without a terminal runs the session, and a person attaches to it. */
  readonly background: boolean;
  /** Whether agents use a model, in contrast to the script backend. */
  readonly modelAgents: boolean;
  /** Whether the plan is the person's own: a file, asked about before the start. */
  readonly ownPlan: boolean;
}

/** A default that depends on the situation. */
interface SituationDefault<V> {
  readonly when: (situation: Situation) => boolean;
  /** For people: `with model agents`. */
  readonly words: string;
  readonly value: V;
}

/** Keeps the key as a literal and the type of the schema, from which the type `Settings` derives. */
export const setting = <const K extends string, S extends z.ZodType>(entry: Setting<K, S>): Setting<K, S> =>
  entry;
