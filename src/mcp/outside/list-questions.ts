import { z } from 'zod';
import { defineTool } from '../tool.ts';
import type { OutsideCalls } from './outside-calls.ts';

/** The open questions of the session, each with who may answer it. */
export const listQuestions = defineTool({
  name: 'list_questions',
  description:
    'Returns the open questions of the session with their options. `answered_by` says whether a program may answer, or only a person.',
  input: z.strictObject({}),
  readOnly: true,
  run: (calls: Pick<OutsideCalls, 'questions'>) => calls.questions(),
});
