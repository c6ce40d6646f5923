import type { FlowRole } from '../../../issues/task-list/task-phase.ts';
import type { Agent } from '../../../signals/signal.ts';
import type { HookEvent, HookEventName } from './hook-event.ts';

/** Who asks, and about what. */
export interface HookCall {
  readonly name: HookEventName;
  readonly event: HookEvent;
  readonly workspace: string;
  readonly session: string | undefined;
  readonly role: Agent;
  /** Its role in a team, as for `ralph-tui mcp --as builder`; `null`: none. */
  readonly team: FlowRole | null;
}

/** What Claude Code reads: JSON or a line on stdout, or exit 2 with a line on stderr. */
export interface HookAnswer {
  readonly says?: string;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly blocks?: string;
}
