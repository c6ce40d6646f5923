import { z } from 'zod';
import { defineTool } from '../tool.ts';

/** Looks into the mailbox. Waiting messages are in its result, as in every tool's. */
export const checkSignals = defineTool({
  name: 'check_signals',
  description:
    'Returns the messages that the person in charge has sent since your last call to one of these tools. Call it after each step of your work.',
  input: z.strictObject({}),
  readOnly: true,
  run: (_calls: object) => ({ body: { checked: true } }),
});
