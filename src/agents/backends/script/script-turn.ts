import type { Child } from '../../../base/process/spawn.ts';
import type { BackendHost, Brief, Directive, Message, TurnAsk, TurnResult } from '../../port.ts';
import type { ProgramDeps } from '../program-deps.ts';

/** One kind of turn of the script backend. */
export type ScriptTurn = (context: ScriptContext, ask: TurnAsk) => Promise<TurnResult>;

/** The context of a turn. `track` tells the worker which process to stop. */
export interface ScriptContext extends Omit<ProgramDeps, 'env'> {
  /** The complete environment that every command starts from. */
  readonly env: Readonly<Record<string, string>>;
  /** The person's whole environment: what `env` of a command may name. */
  readonly personal: Readonly<Record<string, string | undefined>>;
  /** What git gets beside that: it commits for the person. */
  readonly gitEnv: Readonly<Record<string, string>>;
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly boundary: () => Promise<Directive>;
  readonly stopped: () => 'abort' | 'cancel' | null;
  readonly track: (child: Child | null) => void;
  /** Reports messages that a process has in its environment, each once. */
  readonly carried: (messages: readonly Message[], detail: string) => void;
}

export const answered = (answer: unknown): TurnResult => ({ kind: 'answered', answer });
