import { sha256 } from '../../base/hash.io.ts';
import { safe } from '../../base/safe.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readOwnComments } from '../../issues/documents/own-comments.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import type { Issue } from '../../issues/issue.ts';
import { isTerminal } from '../../issues/state.ts';
import type { Skill } from '../../skills/skill.ts';
import { documentHeld } from '../../skills/talk/talk-journal.ts';
import { failure, usage, valueOrExit } from '../cli.ts';
import { ownCommentsFile } from '../issues/flow-context.ts';
import { formatIssue } from '../issues/format-issue.ts';
import { openIssues } from '../issues/open-issues.ts';
import { namedDocument } from './skill-place.ts';
import type { SkillRun } from './skill-run.ts';

/** A text for the prompt, with where it is from. */
export interface Material {
  readonly source: string;
  readonly text: string;
}

/** The skills that work on a plan that is there. */
const onPlan: ReadonlySet<string> = new Set(['iterate-plan', 'implement-plan']);

/**
 * What the argument of a skill names: an issue (`#42`, `42`) with its plan where the skill works on one, or a document of the workspace. Words name
 * nothing. Throws a usage error for an issue that is closed, and where a plan is needed and missing.
 */
export const materialOf = async (run: SkillRun, skill: Skill): Promise<readonly Material[]> => {
  const { journal } = run;
  const [first = ''] = journal.talk().argument.split(/\s+/);
  const needsPlan = onPlan.has(skill.name);
  const issue = await issueNamed(run, first);
  if (issue !== null && isTerminal(issue.state))
    throw usage(`issue ${safe(issue.id)} is ${issue.state}`, 'name an open one; see `ralph-tui issues`');
  const about = journal.talk().about;
  const path = about?.path ?? (issue === null ? first : needsPlan ? await planOf(run, issue) : '');
  const document = needsPlan || (issue === null && path !== '') ? namedDocument(run, path) : null;
  if (needsPlan && document === null)
    throw usage(
      first === '' ? `${skill.name} needs a plan` : `there is no plan for ${safe(first)}`,
      `name an issue or a file: \`ralph-tui skill ${skill.name} 42\``,
    );
  if (document !== null && about === null) {
    const held = documentHeld({ ...run.world, workspace: run.workspace }, journal.id, document.path);
    if (held !== null) throw failure(held);
    journal.add({ type: 'about', ...document, edits: needsPlan });
    if (needsPlan) journal.add({ type: 'drafted', text: document.text, problems: [] });
  }
  return [
    ...(issue === null ? [] : [{ source: `issue ${issue.id}`, text: formatIssue(issue) }]),
    ...(document === null ? [] : [{ source: document.path, text: document.text }]),
  ];
};

/** The issue of an argument that looks like one. A number without an issue is an error; other words are words. */
const issueNamed = async (run: SkillRun, word: string): Promise<Issue | null> => {
  const [, marked, id = ''] = /^(#?)([A-Za-z]{0,10}-?\d[\w.-]*)$/.exec(word) ?? [];
  if (id === '' || /\.md$/.test(word)) return null;
  const { tracker } = openIssues(run.cli, {});
  const shown = await tracker.show(id);
  return marked === '' && !/^\d+$/.test(id) && !shown.ok ? null : valueOrExit(shown);
};

const planOf = async ({ cli, world, workspace, settings }: SkillRun, issue: Issue): Promise<string> => {
  const { tracker, ports } = openIssues(cli, {});
  const own = readOwnComments(ports, ownCommentsFile(cli.env), tracker.name);
  const { counting } = countComments(issue.comments, own, sha256);
  const files = readDocuments(world.disk, workspace, settings.docs_root);
  const found =
    findDocument(issue, 'plan', counting, files) ?? findDocument(issue, 'group-plan', counting, files);
  return found?.location ?? '';
};
