import { z } from 'zod';
import { taskIdSchema } from '../../tasks/task.ts';
import { defineTool } from '../tool.ts';
import type { OutsideCalls } from './outside-calls.ts';

/** Names the task of this agent: what `task_get` gives without an id, and whose messages it takes. */
export const workOn = defineTool({
  name: 'work_on',
  description:
    'Names the task you work on. From then on, only you get the messages for you and this task; before that, you can only see them.',
  input: z.strictObject({ task: taskIdSchema }),
  readOnly: false,
  run: (calls: OutsideCalls, { task }) => calls.workOn(task),
});
