import { z } from 'zod';
import type { TaskBrief } from '../../agents/port.ts';
import { taskStatusSchema } from '../../tasks/task.ts';
import { flowFields } from '../flow-fields.ts';
import { defineTool, type TaskReads, type ToolAnswer } from '../tool.ts';

/** What the spellings of Claude Code's task tools mean here (seed 003, section 1.2). */
const spellings: Readonly<Record<string, readonly string[]>> = {
  pending: ['open', 'failed'],
  in_progress: ['running'],
  completed: ['review', 'done'],
  deleted: ['cancelled'],
};

const statusFilter = z.enum([...taskStatusSchema.options, 'pending', 'in_progress', 'completed', 'deleted']);

const inBrief = (tasks: readonly TaskBrief[], status: string | undefined) =>
  tasks
    .filter((task) => status === undefined || (spellings[status] ?? [status]).includes(task.status))
    .map((task) => ({
      id: task.definition.id,
      title: task.definition.title,
      status: task.status,
      depends_on: task.definition.blockedBy,
      files: task.definition.files,
      ...flowFields(task, tasks),
    }));

/** All tasks in brief. */
export const taskList = defineTool({
  name: 'task_list',
  description:
    'Returns all tasks of this iteration with status and dependencies; for issues also role, phase, owner, blockedBy and blocks.',
  input: z.strictObject({
    status: statusFilter
      .optional()
      .describe('only tasks in this status; pending is open or to be tried again'),
  }),
  readOnly: true,
  run: async (calls: TaskReads, { status }): Promise<ToolAnswer> => ({
    body: {
      tasks: inBrief(await calls.tasks(), status),
    },
  }),
});
