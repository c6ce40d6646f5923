import type { InvocationId } from '../../agents/port.ts';
import type { Redact } from '../../base/redact.ts';
import type { Core } from '../core.ts';
import type { ControlGuard } from '../guards/guard-control-files.ts';
import type { Checkpoints } from '../mailbox/checkpoint.ts';
import type { Deliveries } from '../mailbox/deliveries.ts';
import type { Active } from './active.ts';
import type { CommitTurns } from './commit-turns.ts';
import type { EditedCommands } from './edited-commands.ts';
import type { HookGuard } from './hook-guard.ts';
import type { InvocationGuards } from './invocation-guards.ts';
import type { Permissions } from './permissions.ts';
import type { InvocationTools } from './session-tools.ts';
import type { Worktrees } from './worktrees.ts';

export interface InvocationPorts {
  readonly core: Core;
  readonly checkpoints: Checkpoints;
  readonly deliveries: Deliveries;
  readonly redact: Redact;
  readonly tools: InvocationTools;
  readonly permissions: Permissions;
  readonly edited: EditedCommands;
  readonly worktrees: Worktrees;
  readonly guard: ControlGuard;
}

/** The state and ports that the functions of a running invocation share. */
export interface InvocationContext extends InvocationPorts {
  /** Invocations that have not ended. */
  readonly actives: Map<InvocationId, Active>;
  readonly commits: CommitTurns;
  readonly guards: InvocationGuards;
  readonly hooks: HookGuard;
}
