import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import { type Answers, ask } from '../../session/forms/question.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import { isSimilar } from '../../skills/documents/issue-draft.ts';
import { approval, type DocumentForm } from '../../skills/forms/form.ts';
import { type FormIdeaFacts, formIdeaForm, issueDraftOf } from '../../skills/forms/form-idea.ts';
import { documentHeld } from '../../skills/talk/talk-journal.ts';
import { failure, usage } from '../cli.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { madeLines, makeIssues, markFormed } from './make-issues.ts';
import { runForm } from './run-form.ts';
import { documentFile, namedDocument } from './skill-place.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { storedIdeas } from './stored-documents.ts';

/** `form-idea` without a model: an idea becomes an issue or a tree of the workspace's tracker after its draft was approved. */
export const formIdea = async (run: SkillRun): Promise<SkillEnd> => {
  const { tracker } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const formOf = (answers: Answers): DocumentForm => {
    const source = run.journal.talk().argument || answers['source'];
    if (source === undefined || source === '') return sourceForm(run);
    return formIdeaForm(factsOf(run, source, reading.issues));
  };
  const answers = await runForm(run, formOf);
  if (answers === null) return { ended: 'left', lines: [] };
  const lines = await concluded(run, tracker, answers);
  run.journal.add({ type: 'ended', why: 'done' });
  return { ended: 'done', lines };
};

/** The last ten ideas that are still drafts, or words. */
const sourceForm = (run: SkillRun): DocumentForm => {
  const ideas = storedIdeas(run)
    .filter(({ status }) => status !== 'formed')
    .slice(0, 10);
  if (ideas.length === 0)
    throw usage(
      'there are no ideas yet',
      'draft one with `ralph-tui skill draft-idea`, or give a file or a description: `ralph-tui skill form-idea "offline mode"`',
    );
  const options = ideas.map(({ path, title }) => ({ id: path, label: title, detail: path }));
  return { questions: () => [ask('source', 'choice', 'Which idea?', { options })], document: () => '' };
};

const factsOf = (
  run: SkillRun,
  source: string,
  issues: readonly { readonly id: string; readonly title: string; readonly state: string }[],
): FormIdeaFacts => {
  const similar: FormIdeaFacts['similar'] = (title) =>
    issues
      .filter((issue) => isSimilar(issue.title, title))
      .map(({ id, title: name, state }) => ({ id, title: name, state }));
  const about = aboutOf(run, source);
  if (about === null) return { title: source, summary: '', context: '', file: null, similar };
  const { idea, problems } = readIdea(about.text, about.path);
  const [problem] = problems;
  if (problem) throw failure(problem);
  const { data, section, title, summary } = idea;
  if (data['status'] === 'formed')
    throw usage(
      `${safe(about.path)} has already been turned into ${data['github_issue'] == null ? 'an issue' : `issue ${safe(String(data['github_issue']))}`}`,
      'see it with `ralph-tui issues`',
    );
  const isIdea = data['type'] === 'idea';
  return { title, summary, context: section('Rough Shape'), file: isIdea ? about.path : null, similar };
};

/** The file of the idea as it was when the conversation began, so that a later reading asks the same questions. */
const aboutOf = (run: SkillRun, source: string) => {
  const known = run.journal.talk().about;
  if (known !== null) return known;
  const named = namedDocument(run, source);
  if (named === null) return null;
  const held = documentHeld({ ...run.world, workspace: run.workspace }, run.journal.id, named.path);
  if (held !== null) throw failure(held);
  run.journal.add({ type: 'about', ...named, edits: false });
  return named;
};

const concluded = async (run: SkillRun, tracker: Tracker, answers: Answers): Promise<readonly string[]> => {
  const { journal } = run;
  const similar = answers['similar'];
  if (similar !== undefined && similar !== 'go-on')
    return [`Nothing was created: it already exists as ${safe(similar.slice(3))}.`];
  if (answers[approval] !== 'yes') return ['Nothing was created.'];
  const facts = factsOf(run, journal.talk().argument || (answers['source'] ?? ''), []);
  if (answers['becomes'] === 'idea') return refined(run, journal.talk().document);
  const id = await makeIssues(run, tracker, issueDraftOf(facts, answers));
  const marked = facts.file === null ? [] : markFormed(run, facts.file, id);
  return [...madeLines(run, id, marked)];
};

/** Puts the answers below the idea as it is now. */
const refined = (run: SkillRun, draft: string): readonly string[] => {
  const { world, journal } = run;
  const about = journal.talk().about;
  if (about === null) return ['Nothing was kept.'];
  const file = documentFile(run, about.path);
  const text = readText(world.disk, file) ?? about.text;
  replaceFile(
    world.disk,
    world.random,
    file,
    `${text.trimEnd()}\n\n${draft.replace(/^# .*$/m, '# Refined')}`,
  );
  journal.add({ type: 'kept', path: about.path, status: 'kept' });
  return [`Kept: ${safe(about.path)}`];
};
