import type { Brief } from '../../agents/port.ts';

/** The names of one work of a session. */
export interface WorkNames {
  readonly session: string;
  readonly invocation: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly repository: string;
  readonly base: string;
}

export const workNames = ({
  brief: { session, invocation, task, attempt },
  repository,
  base,
}: {
  readonly brief: Brief;
  readonly repository: string;
  readonly base: string;
}): WorkNames => ({
  session,
  invocation,
  ...(task === undefined ? {} : { task: task.id }),
  ...(attempt === undefined ? {} : { attempt }),
  repository,
  base,
});
