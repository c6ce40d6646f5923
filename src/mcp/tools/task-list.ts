import { z } from 'zod';
import type { TaskBrief } from '../../agents/port.ts';
import { taskStatusSchema } from '../../tasks/task.ts';
import { flowFields } from '../flow-fields.ts';
import { defineTool, type TaskReads, type ToolAnswer } from '../tool.ts';

const inBrief = (tasks: readonly TaskBrief[], status: string | undefined) =>
  tasks
    .filter((task) => status === undefined || task.status === status)
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
  description: 'Returns all tasks of this iteration with status and dependencies.',
  input: z.strictObject({ status: taskStatusSchema.optional().describe('only tasks in this status') }),
  readOnly: true,
  run: async (calls: TaskReads, { status }): Promise<ToolAnswer> => ({
    body: {
      tasks: inBrief(await calls.tasks(), status),
    },
  }),
});
