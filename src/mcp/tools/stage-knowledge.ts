import { knowledgeNoteSchema } from '../../agents/tool-inputs.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';

/** Stages a document for the knowledge gate, at which a person decides whether to keep it. */
export const stageKnowledge = defineTool({
  name: 'stage_knowledge',
  description:
    'Offers a document (tutorials, how-to, reference or explanation) about something you learned that will help the next person who works here. A person decides at the end of the session whether it is kept.',
  input: knowledgeNoteSchema,
  readOnly: false,
  run: async (calls, note): Promise<ToolAnswer> => {
    const staged = await calls.stage(note);
    return staged.kind === 'staged'
      ? { body: { staged: staged.file } }
      : { failed: true, body: { error: staged.wrong } };
  },
});
