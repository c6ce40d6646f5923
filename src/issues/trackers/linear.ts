import { z } from 'zod';
import type { Checked } from '../../base/fault.ts';
import type { Issue, IssueComment, IssueId } from '../issue.ts';
import { type IssueState, isTerminal } from '../state.ts';
import { failed, guarded } from './guarded.ts';
import type { LinearApi } from './linear-api.ts';
import {
  commentFields,
  commentOfLinear,
  issueFields,
  issueOfLinear,
  type LinearIssue,
  linearCommentSchema,
  linearIssueSchema,
  pageSchema,
  stateOfLinear,
  type WorkflowState,
  workflowStateSchema,
} from './linear-issue.ts';
import type { PartialTracker } from './overlay.ts';
import { type IssueChange, type IssueDraft, noSuchIssue, type Reading, refused } from './tracker.ts';

/**
 * The issues of one team in Linear. Its workflow states are used where their names are ours; none is ever created, and the overlay keeps the states that
 * are missing.
 */
export const createLinearTracker = (api: LinearApi, team: string): PartialTracker => {
  const context: Context = { api, team };
  return {
    name: 'linear',
    isShared: true,
    keeps: new Set(['comments']),
    willShow: async (state, now) => {
      const target = targetFor(await statesOf(context), state, now);
      return target === null ? now : stateOfLinear(target);
    },
    list: () => list(context),
    show: (id) => guarded(() => show(context, id)),
    update: (id, change) => guarded(() => update(context, id, change)),
    comment: (id, body) => guarded(() => comment(context, id, body)),
    create: (draft) => guarded(() => create(context, draft)),
  };
};

interface Context {
  readonly api: LinearApi;
  readonly team: string;
}

const mostPages = 200;

const list = async ({ api, team }: Context): Promise<Reading> => {
  const read = await guarded(async () => {
    const issues: Issue[] = [];
    let after: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const answer: z.infer<typeof listAnswer> = await api.ask(listQuery, { team, after }, listAnswer);
      const found = answer.issues;
      issues.push(...found.nodes.map(issueOfLinear));
      if (!found.pageInfo.hasNextPage) return { ok: true, value: issues };
      after = found.pageInfo.endCursor ?? null;
    }
    return refused('tracker-failed', `the team ${team} has more issues than can be read`);
  });
  return read.ok ? { ok: true, issues: read.value, problems: [] } : failed(read.faults);
};

const listQuery = `query($team: String!, $after: String) {
  issues(first: 100, after: $after, orderBy: createdAt, filter: { team: { key: { eq: $team } } }) {
    nodes { ${issueFields} }
    pageInfo { hasNextPage endCursor }
  }
}`;
const listAnswer = z.object({
  issues: z.object({ nodes: z.array(linearIssueSchema), pageInfo: pageSchema }),
});

/** Identifiers such as `ENG-42`. */
const idPattern = /^[A-Za-z][A-Za-z0-9]{0,19}-\d{1,9}$/;

const raw = async ({ api }: Context, id: IssueId): Promise<LinearIssue> =>
  (await api.ask(showQuery, { id }, z.object({ issue: linearIssueSchema }))).issue;

const showQuery = `query($id: String!) {
  issue(id: $id) { ${issueFields} comments(first: 200) { nodes { ${commentFields} } } }
}`;

const show = async (context: Context, id: IssueId): Promise<Checked<Issue>> =>
  idPattern.test(id) ? { ok: true, value: issueOfLinear(await raw(context, id)) } : noSuchIssue(id);

const statesOf = async ({ api, team }: Context): Promise<readonly WorkflowState[]> =>
  (await api.ask(statesQuery, { team }, statesAnswer)).workflowStates.nodes;

const statesQuery = `query($team: String!) {
  workflowStates(first: 100, filter: { team: { key: { eq: $team } } }) { nodes { id name type } }
}`;
const statesAnswer = z.object({ workflowStates: z.object({ nodes: z.array(workflowStateSchema) }) });

/** The workflow state to move to; `null` when the issue stays where it is and the overlay keeps the state. */
const targetFor = (
  states: readonly WorkflowState[],
  wanted: IssueState,
  now: IssueState,
): WorkflowState | null => {
  const named = states.find((state) => stateOfLinear(state) === wanted);
  if (named !== undefined || isTerminal(wanted) === isTerminal(now)) return named ?? null;
  return (
    states.find(({ type }) => isTerminal(wanted) === (type === 'completed' || type === 'canceled')) ?? null
  );
};

const update = async (context: Context, id: IssueId, { state }: IssueChange): Promise<Checked<Issue>> => {
  if (!idPattern.test(id)) return noSuchIssue(id);
  const now = await raw(context, id);
  const target =
    state === undefined ? null : targetFor(await statesOf(context), state, stateOfLinear(now.state));
  if (target !== null && target.id !== now.state.id)
    await context.api.ask(updateMutation, { id: now.id, stateId: target.id }, z.unknown());
  return show(context, id);
};

const updateMutation = `mutation($id: String!, $stateId: String!) {
  issueUpdate(id: $id, input: { stateId: $stateId }) { success }
}`;

const comment = async (context: Context, id: IssueId, body: string): Promise<Checked<IssueComment>> => {
  if (!idPattern.test(id)) return noSuchIssue(id);
  const { id: issueId } = await raw(context, id);
  const answer = z.object({ commentCreate: z.object({ comment: linearCommentSchema }) });
  const made = await context.api.ask(commentMutation, { issueId, body }, answer);
  return { ok: true, value: commentOfLinear(made.commentCreate.comment) };
};

const commentMutation = `mutation($issueId: String!, $body: String!) {
  commentCreate(input: { issueId: $issueId, body: $body }) { success comment { ${commentFields} } }
}`;

const create = async (context: Context, draft: IssueDraft): Promise<Checked<Issue>> => {
  const { api, team } = context;
  const title = draft.title.trim();
  if (title === '') return refused('issue-title', 'an issue needs a title');
  const labels = draft.labels ?? [];
  const { teams, issueLabels } = await api.ask(placeQuery, { team, labels }, placeAnswer);
  const missing = labels.find((label) => !issueLabels.nodes.some(({ name }) => name === label));
  if (missing !== undefined)
    return refused('issue-label', `Linear has no label ${missing}`, 'create it there');
  const teamId = teams.nodes[0]?.id;
  if (teamId === undefined)
    return refused('tracker-team', `there is no team ${team} in Linear`, 'set flow.tracker: linear:KEY');
  const others = await Promise.all((draft.blockedBy ?? []).map((id) => raw(context, id)));
  const parent = draft.parent === undefined ? null : await raw(context, draft.parent);
  const input = {
    teamId,
    title,
    description: draft.body ?? '',
    labelIds: issueLabels.nodes.map(({ id }) => id),
    ...(parent === null ? {} : { parentId: parent.id }),
  };
  const made = await api.ask(createMutation, { input }, createAnswer);
  const { id, identifier } = made.issueCreate.issue;
  for (const blocker of others)
    await api.ask(relationMutation, { blocker: blocker.id, blocked: id }, z.unknown());
  return show(context, identifier);
};

const idsSchema = z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) });
const placeQuery = `query($team: String!, $labels: [String!]) {
  teams(filter: { key: { eq: $team } }) { nodes { id name } }
  issueLabels(first: 100, filter: { name: { in: $labels } }) { nodes { id name } }
}`;
const placeAnswer = z.object({ teams: idsSchema, issueLabels: idsSchema });

const createMutation = `mutation($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { id identifier } }
}`;
const createAnswer = z.object({
  issueCreate: z.object({ issue: z.object({ id: z.string(), identifier: z.string() }) }),
});

const relationMutation = `mutation($blocker: String!, $blocked: String!) {
  issueRelationCreate(input: { issueId: $blocker, relatedIssueId: $blocked, type: blocks }) { success }
}`;
