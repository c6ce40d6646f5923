import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readOwnComments } from '../../issues/documents/own-comments.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import { type Issue, issueName } from '../../issues/issue.ts';
import { isTerminal } from '../../issues/state.ts';
import { ask } from '../../session/forms/question.ts';
import type { Skill } from '../../skills/skill.ts';
import { documentHeld } from '../../skills/talk/talk-journal.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import { failure, usage, valueOrExit } from '../cli.ts';
import { ownCommentsFile } from '../issues/flow-context.ts';
import { formatIssue } from '../issues/format-issue.ts';
import { openIssuesIn } from '../issues/open-issues.ts';
import { answerTo } from './exchange.ts';
import { namedDocument } from './skill-place.ts';
import type { SkillRun } from './skill-run.ts';
import { storedPlans } from './stored-documents.ts';

/** A text for the prompt, with where it is from. */
export interface Material {
  readonly source: string;
  readonly text: string;
}

/** What the argument of a skill names. */
export interface SkillMaterial {
  readonly texts: readonly Material[];
  /** The issue that the conversation is about; `null` for none. */
  readonly issue: Issue | null;
}

/** The skills that work on a plan that is there. */
const onPlan: ReadonlySet<string> = new Set(['iterate-plan', 'implement-plan']);

/**
 * What the argument of a skill names: an issue (`#42`, `42`) with its plan where the skill works on one, or a document of the workspace. Words name
 * nothing. Throws a usage error for an issue that is closed, where a plan is needed and missing, and while another conversation has the document.
 * `null`: the person left instead of choosing a plan.
 */
export const materialOf = async (run: SkillRun, skill: Skill): Promise<SkillMaterial | null> => {
  const { journal } = run;
  const [first = ''] = journal.talk().argument.split(/\s+/);
  const needsPlan = onPlan.has(skill.name);
  const named = await issueNamed(run, first);
  if (named !== null && isTerminal(named.state)) {
    // A conversation may have a document already, and its person decides about that.
    if (journal.talk().session === null)
      throw usage(`issue ${safe(named.id)} is ${named.state}`, 'name an open one; see `ralph-tui issues`');
    journal.add({ type: 'said', by: 'program', text: closedWords(named) });
  }
  const about = journal.talk().about;
  const path = about?.path ?? (await pathOf(run, skill.name, first, named));
  if (path === null) return null;
  const document = needsPlan || (named === null && path !== '') ? namedDocument(run, path) : null;
  if (needsPlan && document === null)
    throw usage(
      first === '' ? `${skill.name} needs a plan` : `there is no plan for ${safe(first)}`,
      `name an issue or a file: \`ralph-tui skill ${skill.name} 42\``,
    );
  if (document !== null) {
    refuseHeld(run, document.path);
    if (about === null && (needsPlan || skill.metadata['document'] === 'issue')) refuseBroken(document);
    if (about === null) journal.add({ type: 'about', ...document, edits: needsPlan });
    if (about === null && needsPlan) journal.add({ type: 'drafted', text: document.text, problems: [] });
    // Another one may have taken it between the look and the entry.
    refuseHeld(run, document.path);
  }
  const issue = named ?? (document === null ? null : await issueOfPlan(run, document.text));
  if (issue !== null && journal.talk().issue?.title !== issue.title)
    journal.add({ type: 'issue', issue: { id: issueName(issue), title: issue.title } });
  return {
    issue,
    texts: [
      ...(issue === null ? [] : [{ source: `issue ${issue.id}`, text: formatIssue(issue) }]),
      ...(document === null ? [] : [{ source: document.path, text: document.text }]),
    ],
  };
};

/** What a skill says of an issue that was open when the conversation began. */
export const closedWords = ({ id, state }: Pick<Issue, 'id' | 'state'>): string =>
  `Issue ${safe(id)} was closed in the meantime: it is ${state}.`;

/** The front matter of these is changed later on: one that cannot be read is for its author. */
const refuseBroken = ({ path, text }: { readonly path: string; readonly text: string }): void => {
  const [problem] = parseFrontMatter(text, path).problems;
  if (problem) throw failure(problem);
};

const refuseHeld = (run: SkillRun, path: string): void => {
  const held = documentHeld({ ...run.world, workspace: run.workspace }, run.journal.id, path);
  if (held !== null) throw failure(held);
};

/** The document that is meant: of the issue, of the words, or the plan that the person chooses. '' for none, `null` when the person left. */
const pathOf = async (
  run: SkillRun,
  skill: string,
  first: string,
  issue: Issue | null,
): Promise<string | null> => {
  if (!onPlan.has(skill)) return issue === null ? first : '';
  if (issue !== null) return planOf(run, issue);
  if (first !== '') return first;
  const plans = storedPlans(run);
  if (plans.length === 0) return '';
  const options = plans.map(({ path, title }) => ({ id: path, label: title, detail: path }));
  return answerTo(run, ask('plan', 'choice', 'Which plan?', { options }));
};

/** The open issue that a plan names in its front matter. One that cannot be read is left out: the plan is worked on all the same. */
const issueOfPlan = async (run: SkillRun, plan: string): Promise<Issue | null> => {
  const id = parseFrontMatter(plan, 'plan').value.data['github_issue'];
  if (typeof id !== 'number' && typeof id !== 'string') return null;
  const shown = await openIssuesIn(run.cli, run.world, run.workspace, {}).tracker.show(String(id));
  return shown.ok && !isTerminal(shown.value.state) ? shown.value : null;
};

/** The issue of an argument that looks like one. A number without an issue is an error; other words are words. */
const issueNamed = async (run: SkillRun, word: string): Promise<Issue | null> => {
  const [, marked, id = ''] = /^(#?)([A-Za-z]{0,10}-?\d[\w.-]*)$/.exec(word) ?? [];
  if (id === '' || /\.md$/.test(word)) return null;
  const { tracker } = openIssuesIn(run.cli, run.world, run.workspace, {});
  const shown = await tracker.show(id);
  return marked === '' && !/^\d+$/.test(id) && !shown.ok ? null : valueOrExit(shown);
};

const planOf = async ({ cli, world, workspace, settings }: SkillRun, issue: Issue): Promise<string> => {
  const { tracker, ports } = openIssuesIn(cli, world, workspace, {});
  const own = readOwnComments(ports, ownCommentsFile(cli.env), tracker.name);
  const { counting } = countComments(issue.comments, own, sha256);
  const files = readDocuments(world.disk, workspace, settings.docs_root);
  const found =
    findDocument(issue, 'plan', counting, files) ?? findDocument(issue, 'group-plan', counting, files);
  return found?.location ?? '';
};
