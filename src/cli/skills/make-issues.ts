import { readText, replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import type { Tracker } from '../../issues/trackers/tracker.ts';
import { ask } from '../../session/forms/question.ts';
import { readIdea } from '../../skills/documents/idea.ts';
import {
  type IssueDraftDocument,
  isSimilar,
  issueBody,
  readIssueDraft,
} from '../../skills/documents/issue-draft.ts';
import { editFrontMatter } from '../../tasks/front-matter.ts';
import { failure, usage, valueOrExit } from '../cli.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { answerTo } from './exchange.ts';
import type { SkillMaterial } from './skill-material.ts';
import { documentFile } from './skill-place.ts';
import type { SkillRun } from './skill-run.ts';

/**
 * Makes the issue of a draft that an agent handed in, after the person saw similar ones and said yes to the whole draft. Sentences about it; `null`: the
 * person left.
 */
export const makeFromDraft = async (run: SkillRun): Promise<readonly string[] | null> => {
  const { journal } = run;
  const { document, problems, about } = journal.talk();
  if (problems.length > 0)
    return ['No issue was created: the draft is not complete.', ...problems.map((each) => `- ${each}`)];
  const { tracker } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const reading = await tracker.list();
  if (!reading.ok) throw failure(reading.error);
  const draft = readIssueDraft(document);
  const ids = new Set(journal.talk().made.map(({ id }) => id));
  const similar = reading.issues.filter(({ id, title }) => !ids.has(id) && isSimilar(title, draft.title));
  const question = ask(`make-${journal.talk().turns.length}`, 'choice', 'Create this in your tracker?', {
    help: [
      ...similar.slice(0, 5).map(({ id, title, state }) => `Similar: ${safe(id)}: ${safe(title)} (${state})`),
      safe(draft.title),
      ...draft.parts.map(({ title, estimate }, at) => `${at + 1}. ${estimate}: ${safe(title)}`),
    ].join('\n'),
    options: [
      { id: 'make', label: 'yes, create it', detail: '' },
      { id: 'no', label: 'no', detail: 'back to the conversation' },
    ],
  });
  const answer = await answerTo(run, question);
  if (answer === null) return null;
  if (answer !== 'make') return ['Nothing was created.'];
  const id = await makeIssues(run, tracker, draft);
  const isIdea = about !== null && readIdea(about.text, about.path).idea.data['type'] === 'idea';
  return madeLines(run, id, isIdea ? markFormed(run, about.path, id) : []);
};

/** An idea that became an issue already makes no second one. */
export const refuseFormed = ({ texts }: SkillMaterial): void => {
  for (const { source, text } of texts) {
    const { data } = readIdea(text, source).idea;
    if (data['type'] === 'idea' && data['status'] === 'formed')
      throw usage(
        `${safe(source)} has already been turned into ${data['github_issue'] == null ? 'an issue' : `issue ${safe(String(data['github_issue']))}`}`,
        'see it with `ralph-tui issues`',
      );
  }
};

/** What was made, and what comes next. */
export const madeLines = (
  { journal }: SkillRun,
  id: string,
  marked: readonly string[],
): readonly string[] => [
  ...journal.talk().made.map((made) => `Created: ${safe(`${made.id}: ${made.title}`)}`),
  ...marked,
  `Next: ralph-tui issues show ${safe(id)}`,
];

/** Makes the issue and its parts, each once: what an earlier program made is in the journal. Returns the id of the first. */
export const makeIssues = async (
  { journal }: SkillRun,
  tracker: Tracker,
  draft: IssueDraftDocument,
): Promise<string> => {
  const make = async (at: number, of: Parameters<Tracker['create']>[0]): Promise<string> => {
    const known = journal.talk().made[at];
    if (known !== undefined) return known.id;
    const { id, title } = valueOrExit(await tracker.create(of));
    journal.add({ type: 'made', issue: { id, title } });
    return id;
  };
  const { title, estimate, parts, ordered } = draft;
  const first = await make(0, { title, body: issueBody(draft), ...(estimate === null ? {} : { estimate }) });
  let before: string | null = null;
  for (const [index, part] of parts.entries())
    before = await make(index + 1, {
      ...part,
      parent: first,
      ...(ordered && before !== null ? { blockedBy: [before] } : {}),
    });
  return first;
};

/** Notes the issue in the idea's front matter and keeps every other byte, also what was edited meanwhile. */
export const markFormed = (run: SkillRun, path: string, id: string): readonly string[] => {
  const { world } = run;
  const file = documentFile(run, path);
  const text = readText(world.disk, file);
  if (text === null) return [`${safe(path)} was removed in the meantime; the issue remains.`];
  const issue = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id;
  replaceFile(
    world.disk,
    world.random,
    file,
    editFrontMatter(text, { status: 'formed', github_issue: issue }),
  );
  return [`${safe(path)} now names the issue.`];
};
