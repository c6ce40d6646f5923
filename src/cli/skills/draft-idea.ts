import { formatTimestamp } from '../../base/clock.ts';
import { safe } from '../../base/safe.ts';
import { isSimilar } from '../../skills/documents/issue-draft.ts';
import { draftIdeaForm } from '../../skills/forms/draft-idea.ts';
import { approval } from '../../skills/forms/form.ts';
import { nextCommands } from './after-keeping.ts';
import { runForm } from './run-form.ts';
import { writeDocument } from './skill-place.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { storedIdeas } from './stored-documents.ts';

/** `draft-idea` without a model: three questions, and the idea as a file. */
export const draftIdea = async (run: SkillRun): Promise<SkillEnd> => {
  const { journal, cli, world } = run;
  const topic = journal.talk().argument;
  const date = formatTimestamp(world.clock).slice(0, 10);
  const ideas = storedIdeas(run);
  const form = draftIdeaForm({
    topic,
    date,
    author: cli.env['USER'] ?? '',
    related: (title) =>
      ideas.filter((idea) => isSimilar(idea.title, title)).map((idea) => `[${idea.title}](${idea.path})`),
  });
  const answers = await runForm(run, () => form);
  if (answers === null) return { ended: 'left', lines: [] };
  if (answers[approval] !== 'yes') {
    journal.add({ type: 'ended', why: 'done' });
    return { ended: 'done', lines: ['Nothing was kept.'] };
  }
  const title = topic || (answers['topic'] ?? '');
  const path = writeDocument(run, 'ideas', date, title, journal.talk().document);
  journal.add({ type: 'kept', path, status: 'kept' });
  journal.add({ type: 'ended', why: 'done' });
  return {
    ended: 'done',
    lines: [`Kept: ${safe(path)}`, ...nextCommands('idea', path)],
  };
};
