import { formatTimestamp } from '../../base/clock.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { ask } from '../../session/forms/question.ts';
import { type DocumentName, documentSchemas } from '../../skills/documents/document-schema.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import { approval } from '../../skills/forms/form.ts';
import { editFrontMatter } from '../../tasks/front-matter.ts';
import { documentFile, writeDocument } from './skill-place.ts';
import type { SkillRun } from './skill-run.ts';

/**
 * Writes the document that a person agreed to: a new file, or in place of the one that the conversation is about. One that misses something is kept with
 * `status: draft`. A file that was edited meanwhile is replaced only after another yes, with the difference in sight.
 */
export const keepDocument = async (run: SkillRun, name: DocumentName): Promise<readonly string[]> => {
  const { journal, world } = run;
  const { document, problems, about } = journal.talk();
  const text = problems.length === 0 ? document : editFrontMatter(document, { status: 'draft' });
  const status = problems.length === 0 ? 'kept' : 'draft';
  if (text !== document) journal.add({ type: 'drafted', text, problems: [...problems] });
  const path = about?.edits === true ? about.path : newDocument(run, name, text);
  if (about?.edits === true) {
    const file = documentFile(run, path);
    const present = readText(world.disk, file) ?? '';
    if (present !== about.text && !(await replaceAnyway(run, path, present)))
      return [`${safe(path)} was edited in the meantime and stays as it is.`];
    replaceFile(world.disk, world.random, file, text);
  }
  journal.add({ type: 'about', path, text, edits: true });
  journal.add({ type: 'kept', path, status });
  return [
    status === 'kept' ? `Kept: ${safe(path)}` : `Kept as a draft: ${safe(path)}`,
    ...problems.map((problem) => `- ${problem}`),
  ];
};

const newDocument = (run: SkillRun, name: DocumentName, text: string): string => {
  const { idea } = readIdea(text, 'document');
  const date = formatTimestamp(run.world.clock).slice(0, 10);
  return writeDocument(run, documentSchemas[name].folder, date, idea.title, text);
};

const replaceAnyway = async (run: SkillRun, path: string, present: string): Promise<boolean> => {
  run.journal.add({ type: 'about', path, text: present, edits: true });
  const question = ask(
    approval,
    'approve',
    `${safe(path)} was edited in the meantime. Replace it with this version?`,
  );
  return (await run.ask(question)) === 'yes';
};
