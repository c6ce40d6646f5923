import type { PermissionAsk } from '../agents/permissions.ts';
import type { Role } from '../signals/signal.ts';

/** An agent's request that waits for a person. Part of `SessionState`. */
export interface OpenPermission
  extends Pick<PermissionAsk, 'kind' | 'title' | 'command' | 'directory' | 'paths' | 'diffs' | 'notes'> {
  readonly request: string;
  readonly invocation: string;
  readonly task: string | null;
  readonly agent: string;
  /** Whose work the agent does. `null`: no such invocation is known. */
  readonly role: Role | null;
  /** Why it can only be allowed once, or `null`. */
  readonly once: string | null;
  readonly asked: string;
}

/** Open requests of agents, and permissions remembered while this program runs the session. */
export interface Permissions {
  /** In the order of the requests. */
  readonly permissions: ReadonlyMap<string, OpenPermission>;
  /** Permissions for "this session", by agent and exact command, in words. */
  readonly remembered: ReadonlyMap<string, string>;
}
