import type { ModelBrief } from '../../agents/model-brief.ts';
import type { Brief } from '../../agents/port.ts';
import { sha256 } from '../../base/hash.io.ts';
import { type ArtifactKind, artifactKinds } from '../../issues/documents/artifact-comment.ts';
import { countComments } from '../../issues/documents/counting-comments.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import type { Issue } from '../../issues/issue.ts';
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
 * What the agent of a phase works from: its issues as they are now, and the documents that count. Issues and comments are texts of strangers, so all of
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
  for (const id of ids) {
    const shown = await port.tracker.show(id);
    if (!shown.ok) {
      for (const fault of shown.faults) core.loop.run(() => core.problem(fault));
      continue;
    }
    const source = `issue ${id} of the tracker`;
    // A plan for several issues must not cover one that a person closed meanwhile.
    if (ids.length > 1 && isOver(shown.value.state)) {
      issues.push({ source, text: `${shown.value.title}\nState: ${shown.value.state}. Leave it out.` });
      continue;
    }
    issues.push({ source, text: shorten(issueText(shown.value)) });
    const { counting } = countComments(shown.value.comments, port.own(), sha256);
    for (const kind of documentsFor[phase]) {
      const location = findDocument(shown.value, kind, counting, documents)?.location;
      const text = location === undefined ? null : textForAgent(core, location);
      if (location !== undefined && text !== null)
        found.set(location, `${artifactKinds[kind].header}\n\n${shorten(text)}`);
    }
  }
  return [...issues, ...[...found].map(([source, text]) => ({ source, text }))];
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
