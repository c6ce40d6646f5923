import type { Clock } from '../../../base/clock.ts';
import type { Spawn, SpawnCommand } from '../../../base/process/spawn.ts';
import type { PromptReason } from '../../agent-facts.ts';
import type { BackendHost, Brief, TurnResult } from '../../port.ts';

/** A prompt for one run of the program. `index` counts the runs of the invocation from 0. */
interface ProgramPrompt {
  readonly text: string;
  readonly index: number;
  readonly why: PromptReason;
  /** Called once, at the first sign that the program works with the prompt. */
  readonly begun: () => void;
}

/** The reply of one run, or why there is none. */
export type Ran =
  | { readonly kind: 'replied'; readonly text: string }
  | Extract<TurnResult, { kind: 'failed' }>;

/** Runs a program once for each prompt. */
export interface ProgramRuns {
  run(prompt: ProgramPrompt): Promise<Ran>;
  /** Stops the current run and resolves once that is verified. */
  stop(graceMs: number): Promise<void>;
}

export interface ProgramRunPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly spawn: Spawn;
  /** The command to start for a prompt. */
  readonly call: (prompt: string) => Omit<SpawnCommand, 'marker'>;
}

/** The program of a command, without its arguments: a prompt may be in these. */
export const programOf = ({ command }: Pick<SpawnCommand, 'command'>): string =>
  (typeof command === 'string' ? command : command[0]) ?? '';
