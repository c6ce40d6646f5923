import { taskUpdateSchema } from '../../agents/tool-inputs.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';

/** Reports the state of the work, and at its end the outcome. */
export const taskUpdate = defineTool({
  name: 'task_update',
  description:
    'Reports where your work stands. When it is done (or failed, or blocked), call it with `outcome`, the JSON object that the section "Answer" of your prompt asks for. The last valid one is your result.',
  input: taskUpdateSchema,
  readOnly: false,
  run: (calls, update): ToolAnswer => {
    const answer = calls.update(update);
    switch (answer.kind) {
      case 'noted':
        return { body: { noted: true } };
      case 'accepted':
        return { body: { accepted: true, next: 'Your result is recorded. End your turn.' } };
      case 'refused':
        return {
          failed: true,
          body: {
            error: 'This is not the outcome that the section "Answer" asks for; nothing was recorded.',
            wrong: answer.wrong,
            next: 'Call task_update again with the whole outcome, after fixing the fields named in `wrong`.',
          },
        };
    }
  },
});
