import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { type DocumentFile, filesOfIssue } from '../../issues/documents/find-document.ts';
import { readOwnComments } from '../../issues/documents/own-comments.ts';
import { planOfIssue } from '../../issues/documents/plan-of-issue.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import { type Group, groupOf } from '../../issues/group.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import type { IssueIndex } from '../../issues/issue-index.ts';
import type { FlowPhases } from '../../issues/position/flow-phases.ts';
import type { PlanReview } from '../../issues/position/phase.ts';
import { planReviewOf } from '../../issues/position/plan-review.ts';
import { type Position, positionOf } from '../../issues/position/position.ts';
import { type Stream, streamsOfGroup } from '../../issues/streams/streams.ts';
import { codeReviewer } from '../../pipeline/invoke.ts';
import type { Settings } from '../../session/settings.ts';
import { type Cli, usage, valueOrExit } from '../cli.ts';
import { type CallCost, earlierCallCost } from '../session/earlier-times.ts';
import { stateDirectory } from '../state-directory.ts';
import { type IssueOptions, type OpenIssues, openIssues, readIssues } from './open-issues.ts';

export interface FlowOptions extends IssueOptions {
  readonly issue: string;
  /** Instead of `flow.phases`. */
  readonly phases?: FlowPhases;
  readonly only?: boolean;
  /** As they hold for the session that would start, with the options of its command. Absent: those of the workspace. */
  readonly settings?: Settings;
}

/** Where the group of an issue stands, and what that was worked out from. */
export interface FlowContext {
  readonly index: IssueIndex;
  readonly group: Group;
  /** Empty before research is over, because nothing is known of the files. */
  readonly streams: readonly Stream[];
  readonly position: Position;
  readonly review: PlanReview;
  readonly autoMerge: boolean;
  readonly phases: FlowPhases;
  /** The setting `flow.agents`. */
  readonly agents: Readonly<Record<string, string>>;
  /** The commands that each implementation must pass on its branch. */
  readonly checks: readonly string[];
  /** Who looks at each implementation before its branch is pushed. */
  readonly codeReview: { readonly agent: string | null; readonly person: boolean };
  /** Pull requests stand on GitHub, where checks of its own decide. */
  readonly isOnline: boolean;
  /** They are there as drafts before the work begins. */
  readonly drafts: boolean;
  readonly callCost: CallCost;
}

/** Comments that this program posted, for all workspaces of this person. */
export const ownCommentsFile = (env: Cli['env']): string =>
  join(stateDirectory(env), 'issues', 'comments.jsonl');

/** Reads the tracker and the documents, and takes the position of the issue's group. */
export const readFlow = async (cli: Cli, options: FlowOptions): Promise<FlowContext> => {
  const open = openIssues(cli, options);
  const index = await readIssues(cli, open);
  const group = groupOf(index, options.issue, options.only === true);
  if (group === null) throw usage(`issue ${options.issue} does not exist`, 'see `ralph-tui issues`');
  const settings = options.settings ?? open.settings;
  const { docs_root, flow, loop } = settings;
  if (group.order.length > flow.max_group)
    throw usage(
      `the group of ${options.issue} has ${group.order.length} issues, but flow.max_group is ${flow.max_group}`,
      'add --only for this issue alone, or raise flow.max_group',
    );
  const files = readDocuments(open.ports.disk, open.ports.workspace, docs_root);
  const members = group.order.flatMap((id) => index.byId.get(id) ?? []);
  const planned = await plannedIssues(cli, open, members, files);
  const streams = streamsOfGroup(
    index,
    group,
    new Map(members.map((issue) => [issue.id, filesOfIssue(issue, files)])),
  );
  const review = planReviewOf(flow.plan_review, cli.env);
  const phases = options.phases ?? flow.phases;
  const facts = {
    review,
    autoMerge: flow.auto_merge,
    phases,
    planned,
    me: null,
    streams: streams.length,
  };
  return {
    index,
    group,
    streams,
    position: positionOf(index, group, facts),
    review,
    autoMerge: flow.auto_merge,
    phases,
    agents: flow.agents,
    checks: loop.verify,
    codeReview: reviewOf(settings),
    isOnline: open.tracker.name === 'gh',
    drafts: open.tracker.name === 'gh' && flow.draft,
    callCost: earlierCallCost(open.ports.disk, open.ports.workspace),
  };
};

const reviewOf = (settings: Settings): FlowContext['codeReview'] => {
  const agent = settings.review === 'person' ? 'script' : codeReviewer(settings);
  return { agent: agent === 'script' ? null : agent, person: settings.review !== 'agent' };
};

/** Only an issue whose plan is in progress needs its document looked for. */
const plannedIssues = async (
  cli: Cli,
  { tracker, ports }: OpenIssues,
  members: readonly Issue[],
  files: readonly DocumentFile[],
): Promise<ReadonlySet<IssueId>> => {
  const planned = new Set<IssueId>();
  const own = readOwnComments(ports, ownCommentsFile(cli.env), tracker.name);
  for (const { id } of members.filter(({ state }) => state === 'Plan in Progress')) {
    const issue = valueOrExit(await tracker.show(id));
    if (planOfIssue(issue, own, files, sha256) !== null) planned.add(id);
  }
  return planned;
};
