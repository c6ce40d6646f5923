import { z } from 'zod';
import { taskStatusSchema } from '../../tasks/task.ts';
import { defineTool, type TaskReads, type ToolAnswer } from '../tool.ts';

/** All tasks in brief. */
export const taskList = defineTool({
  name: 'task_list',
  description: 'Returns all tasks of this iteration with status and dependencies.',
  input: z.strictObject({ status: taskStatusSchema.optional().describe('only tasks in this status') }),
  readOnly: true,
  run: async (calls: TaskReads, { status }): Promise<ToolAnswer> => ({
    body: {
      tasks: (await calls.tasks())
        .filter((task) => status === undefined || task.status === status)
        .map(({ definition, status: now }) => ({
          id: definition.id,
          title: definition.title,
          status: now,
          depends_on: definition.blockedBy,
          files: definition.files,
        })),
    },
  }),
});
