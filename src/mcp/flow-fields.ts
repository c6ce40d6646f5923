import type { TaskBrief } from '../agents/port.ts';
import { flowTaskOf } from '../issues/task-list/stored-task.ts';

/** What a task of mode `flow` has beside the fields of every task (src/issues/README.md, The upfront task list); nothing for another one. */
export const flowFields = (
  { definition, owner }: TaskBrief,
  tasks: readonly TaskBrief[],
): Readonly<Record<string, unknown>> => {
  const listed = flowTaskOf(definition);
  if (listed === null) return {};
  return {
    subject: listed.subject,
    activeForm: listed.activeForm,
    role: listed.role,
    phase: listed.phase,
    issues: listed.issues,
    owner: owner ?? null,
    blockedBy: listed.blockedBy,
    blocks: tasks.flatMap((other) =>
      other.definition.blockedBy.includes(listed.id) ? [other.definition.id] : [],
    ),
  };
};
