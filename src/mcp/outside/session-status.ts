import { z } from 'zod';
import { defineTool } from '../tool.ts';
import type { OutsideCalls } from './outside-calls.ts';

/** The state of the session, what could start now, and what waits. */
export const sessionStatus = defineTool({
  name: 'session_status',
  description:
    'Returns the status of the session: goal, state, counts of tasks, the tasks that could start now, failed tasks with their reason, the open gate, questions and pending signals.',
  input: z.strictObject({}),
  readOnly: true,
  run: (calls: Pick<OutsideCalls, 'status'>) => calls.status(),
});
