import type { ModelBrief } from '../../agents/model-brief.ts';
import type { Brief } from '../../agents/port.ts';
import { sha256 } from '../../base/hash.io.ts';
import { type ArtifactKind, artifactKinds } from '../../issues/documents/artifact-comment.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { isOver } from '../../issues/task-list/over.ts';
import type { TaskPhase } from '../../issues/task-list/task-phase.ts';
import type { Core } from '../core.ts';
import { textForAgent } from './approved-plan.ts';
import type { FlowPort } from './flow-port.ts';

type Material = ModelBrief['reports'];

/** Characters of one issue with its comments, and of one document. A longer one loses its middle. */
const longest = 40_000;

/** The documents that each phase works from. */
const documentsFor: Readonly<Record<TaskPhase, readonly ArtifactKind[]>> = {
  split: [],
  triage: [],
  research: [],
  plan: ['research', 'plan-review'],
  review: ['research', 'plan', 'group-plan'],
  implement: ['plan', 'group-plan', 'plan-review'],
  pr: ['plan', 'group-plan'],
  merge: [],
};

/**
 * What the agent of a phase works from: its issues as they are now, their parents, and the documents that count. Issues and comments are texts of strangers, so all of
 * it is in a fence. What cannot be read is left out and named.
 */
export const materialOf = async (core: Core, port: FlowPort, brief: Brief): Promise<Material> => {
  const { task, phase } = brief;
  if (task === undefined || phase === undefined) return [];
  const ids = issueIds(task.metadata?.['issues']);
  const { disk, paths } = core.options;
  const documents = readDocuments(disk, paths.workspace, brief.settings.docs_root);
  const found = new Map<string, string>();
  const issues: { source: string; text: string }[] = [];
  const parents = new Set<IssueId>();
  for (const id of ids) {
    const issue = await shownIssue(core, port, id);
    if (issue === null) continue;
    const source = `issue ${id} of the tracker`;
    // A plan for several issues must not cover one that a person closed meanwhile.
    if (ids.length > 1 && isOver(issue.state)) {
      issues.push({ source, text: `${issue.title}\nState: ${issue.state}. Leave it out.` });
      continue;
    }
    if (issue.parent !== undefined && !ids.includes(issue.parent)) parents.add(issue.parent);
    issues.push({ source, text: shorten(issueText(issue)) });
    const { counting } = countComments(issue.comments, port.own(), sha256);
    for (const kind of documentsFor[phase]) {
      const location = findDocument(issue, kind, counting, documents)?.location;
      const text = location === undefined ? null : textForAgent(core, location);
      if (location !== undefined && text !== null)
        found.set(location, `${artifactKinds[kind].header}\n\n${shorten(text)}`);
    }
  }
  const above = await parentsMaterial(core, port, parents);
  return [...above, ...issues, ...[...found].map(([source, text]) => ({ source, text }))];
};

/** The text of the parents, which often says what their parts leave out. */
const parentsMaterial = async (
  core: Core,
  port: FlowPort,
  parents: ReadonlySet<IssueId>,
): Promise<Material> => {
  const shown = await Promise.all([...parents].map((id) => shownIssue(core, port, id)));
  return shown
    .filter((issue) => issue !== null)
    .map(({ id, title, body }) => ({
      source: `issue ${id} of the tracker, the parent of these`,
      text: shorten(`${title}\n\n${body}`.trim()),
    }));
};

/** `null` for an issue that cannot be read, which is named. */
const shownIssue = async (core: Core, { tracker }: FlowPort, id: IssueId): Promise<Issue | null> => {
  const shown = await tracker.show(id);
  if (shown.ok) return shown.value;
  for (const fault of shown.faults) core.loop.run(() => core.problem(fault));
  return null;
};

const issueIds = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];

const issueText = ({ title, body, state, estimate, labels, comments }: Issue): string =>
  [
    `${title}\nState: ${state}${estimate === null ? '' : `, estimate ${estimate}`}${labels.length === 0 ? '' : `, labels ${labels.join(', ')}`}`,
    body,
    ...comments.map(({ author, body: text }) => `Comment of ${author ?? 'someone'}:\n${text}`),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');

const shorten = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest / 2)}\n\n[${text.length - longest} characters left out]\n\n${text.slice(-longest / 2)}`;
