import { askWords } from '../../agents/permissions.ts';
import type { OpenPermission } from '../../pipeline/open-permission.ts';

/** An agent's request that waits for a person, in `status --json`. */
export interface WaitingPermission {
  readonly request: string;
  readonly agent: string;
  readonly task: string | null;
  readonly kind: OpenPermission['kind'];
  /** The command, or what the agent calls its request. */
  readonly asks: string;
  readonly directory: string;
  /** ISO 8601. */
  readonly since: string;
}

export const waitingPermission = (permission: OpenPermission): WaitingPermission => {
  const { request, agent, task, kind, directory, asked: since } = permission;
  return { request, agent, task, kind, asks: askWords(permission), directory, since };
};
