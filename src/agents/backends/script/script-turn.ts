import type { Clock } from '../../../base/clock.ts';
import type { Disk } from '../../../base/disk.ts';
import type { Child, Spawn } from '../../../base/process/spawn.ts';
import type { Random } from '../../../base/random.ts';
import type { Redact } from '../../../base/redact.ts';
import type { BackendHost, Brief, Directive, TurnAsk, TurnResult } from '../../port.ts';

/** The dependencies of the script backend. */
export interface ScriptDeps {
  readonly disk: Disk;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly random: Random;
  /** The program's environment. Commands inherit what `childEnvironment` passes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Redacts secrets in text outside the session: commit messages. */
  readonly redact?: Redact;
}

/** One kind of turn of the script backend. */
export type ScriptTurn = (context: ScriptContext, ask: TurnAsk) => Promise<TurnResult>;

/** The context of a turn. `track` tells the worker which process to stop. */
export interface ScriptContext extends Omit<ScriptDeps, 'env'> {
  /** The complete environment that every command starts from. */
  readonly env: Readonly<Record<string, string>>;
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly boundary: () => Promise<Directive>;
  readonly stopped: () => 'abort' | 'cancel' | null;
  readonly track: (child: Child | null) => void;
}

export const answered = (answer: unknown): TurnResult => ({ kind: 'answered', answer });
