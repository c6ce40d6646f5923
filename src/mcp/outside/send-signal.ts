import { z } from 'zod';
import { isMessage } from '../../signals/kinds.ts';
import { targetSchema } from '../../signals/signal.ts';
import { taskIdSchema } from '../../tasks/task.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import { type OutsideCalls, sentTypes } from './outside-calls.ts';

/** Drops a signal like a key or a script would. */
export const sendSignal = defineTool({
  name: 'send_signal',
  description:
    'Sends a signal to the running work: INFO adds context, STEER is an order to the agents, PAUSE and RESUME hold and continue the session, RETRY reopens a task, CANCEL stops one. A sent signal is not yet handled: session_status shows the outcome. Only a person may decide on gates, permissions and limits.',
  input: z.strictObject({
    type: z.enum(sentTypes),
    message: z.string().trim().min(1).max(8_000).optional().describe('required for INFO and STEER'),
    target: targetSchema.default('ALL').describe('INFO and STEER: the recipient'),
    task: taskIdSchema
      .optional()
      .describe('required for RETRY and CANCEL; INFO and STEER: only the agent that works on it'),
  }),
  readOnly: false,
  run: (calls: OutsideCalls, signal): ToolAnswer => {
    const missing = missingIn(signal);
    if (missing === null) return calls.send(signal);
    return {
      failed: true,
      body: { error: `${signal.type} needs a ${missing}.`, wrong: [`${missing}: missing`] },
    };
  },
});

const missingIn = ({
  type,
  message,
  task,
}: {
  readonly type: (typeof sentTypes)[number];
  readonly message?: string | undefined;
  readonly task?: string | undefined;
}): 'message' | 'task' | null => {
  if (isMessage(type) && message === undefined) return 'message';
  return (type === 'RETRY' || type === 'CANCEL') && task === undefined ? 'task' : null;
};
