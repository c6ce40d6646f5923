import { permissionTitle } from '../../../components/permission/select-permission.ts';
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

/** The same among all open requests: the whole question, everything that the decision depends on. */
export interface PermissionRequest
  extends Pick<
    OpenPermission,
    'request' | 'task' | 'agent' | 'command' | 'directory' | 'paths' | 'diffs' | 'notes'
  > {
  readonly kind: 'permission';
  readonly text: string;
  readonly options: readonly { readonly id: 'once' | 'session' | 'no'; readonly label: string }[];
  /** ISO 8601. */
  readonly since: string;
  /** Why it can only be allowed once; `null`: it can be for the session. */
  readonly once: string | null;
}

export const permissionRequest = (permission: OpenPermission): PermissionRequest => {
  const { request, task, agent, command, directory, paths, diffs, notes, once, asked: since } = permission;
  return {
    request,
    kind: 'permission',
    text: `${permissionTitle(permission)} ${askWords(permission)}`,
    options: [
      { id: 'once', label: 'allow once' },
      ...(once === null ? [{ id: 'session', label: 'allow for the session' } as const] : []),
      { id: 'no', label: 'refuse' },
    ],
    since,
    task,
    agent,
    command,
    directory,
    paths,
    diffs,
    notes,
    once,
  };
};
