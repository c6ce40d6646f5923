import type { Clock } from '../../../base/clock.ts';
import type { Disk } from '../../../base/disk.ts';
import type { Random } from '../../../base/random.ts';
import type { Redact } from '../../../base/redact.ts';
import type { Child, Spawn } from '../../../base/spawn.ts';
import type { BackendHost, Brief, Directive, TurnAsk, TurnResult } from '../../port.ts';

/** What the scripted agent is built from. */
export interface ScriptDeps {
  readonly disk: Disk;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly random: Random;
  /** The environment of the program; commands inherit what `childEnvironment` lets through. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes secrets out of what is written outside of the session: commit messages. */
  readonly redact?: Redact;
}

/** One kind of turn of the scripted agent. */
export type ScriptTurn = (context: ScriptContext, ask: TurnAsk) => Promise<TurnResult>;

/** What a turn works with; `track` is how the worker knows which process to stop. */
export interface ScriptContext extends Omit<ScriptDeps, 'env'> {
  /** What every command starts from; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly boundary: () => Promise<Directive>;
  readonly stopped: () => 'abort' | 'cancel' | null;
  readonly track: (child: Child | null) => void;
}

export const answered = (answer: unknown): TurnResult => ({ kind: 'answered', answer });
