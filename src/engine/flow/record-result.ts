import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText } from '../../base/replace-file.ts';
import { planBoxes } from '../../issues/documents/plan-boxes.ts';
import { planOfIssue } from '../../issues/documents/plan-of-issue.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import { estimateNamed, type IssueId, isOversized, sizeOfPart } from '../../issues/issue.ts';
import { isTerminal } from '../../issues/state.ts';
import { documentOf } from '../../issues/task-list/flow-result.ts';
import { checkResult, leftToPerson, type TaskPhase } from '../../issues/task-list/task-phase.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { FlowWork, Moved } from '../../pipeline/modes/flow/flow-state.ts';
import type { Listed } from '../../pipeline/modes/flow/flow-tasks.ts';
import { dropCopies } from './document-copies.ts';
import { answered, changeIssue, type FlowContext, flowOf, listedTask, showIssue } from './flow-context.ts';
import { integrate, proposeMerge, refuseTaken } from './integrate.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';
import { needsPerson } from './needs-person.ts';
import { openIssues } from './open-issues.ts';
import { openPullRequest } from './open-pull-request.ts';
import { keepDocument } from './write-document.ts';

/** What a phase leaves behind: its keys, and what it changed in the tracker. */
interface Recorded {
  readonly result: Readonly<Record<string, unknown>>;
  readonly moved: readonly Moved[];
  readonly created?: readonly IssueId[];
  readonly said?: readonly string[];
}

type Keep = (context: FlowContext, each: Listed, issues: readonly IssueId[]) => Promise<Recorded>;

/** Keeps a task's result. Every part finds what an earlier try has done, so a crash between any two does nothing twice. */
export const recordResult = async (context: FlowContext, task: string): Promise<EventBody> => {
  const each = listedTask(context, task);
  const issues = openIssues(context, each);
  if (each.listed.phase === 'merge') {
    await refuseTaken(context, issues);
    const proposed = await proposeMerge(context, each, issues);
    if (proposed !== null) return proposed;
  }
  const { result, moved, created = [], said = [] } = await records[each.listed.phase](context, each, issues);
  const whole = { ...each.work.result?.keys, ...result };
  return {
    type: 'result.recorded',
    task,
    result: answered(checkResult(each.listed, whole)),
    moved,
    created: [...created],
    ...(said.length === 0 ? {} : { said: [...said] }),
  };
};

const triage: Keep = async (context, { listed, work }, issues) => {
  const { action, reason } = work.result?.phase === 'triage' ? work.result : {};
  if (action === undefined || reason === undefined) throw missing(listed, 'an action and its reason');
  if (action === 'close' || action === 'cancel' || action === 'escalate')
    for (const id of issues) await commentOnce(context, id, `Triage: ${action}. ${reason}`);
  if (action === 'split') {
    for (const id of issues)
      await changeIssue(context, id, (issue) => (isOversized(issue) ? null : { estimate: 'M' }));
    return { result: {}, moved: [], created: issues };
  }
  const routes: Readonly<Record<string, Parameters<typeof moveAlong>[2]>> = {
    research: routeOf('Backlog', 'complete'),
    plan: routeOf('Backlog', 'skip'),
    close: routeOf('Backlog', 'close'),
    cancel: routeOf('Backlog', 'cancel'),
    escalate: routeOf('Backlog', 'complete', 'escalate'),
  };
  return { result: {}, moved: await moveAlong(context, issues, routes[action] ?? []) };
};

/** Creates the parts as children in a row. A part that is there, from before a crash, is not made again. */
const split: Keep = async (context, { listed, work }, [parent]) => {
  if (parent === undefined) return { result: {}, moved: [] };
  const { tracker } = context.port;
  const { redact } = context.core;
  const handedIn = work.result?.phase === 'split' ? work.result.sub_tickets : undefined;
  const parts = (handedIn ?? []).flatMap((part) =>
    typeof part === 'string'
      ? []
      : { title: redact(part.title), body: redact(part.body), estimate: redact(part.estimate) },
  );
  if (parts.length === 0) throw missing(listed, 'the parts of the issue');
  const reading = await tracker.list();
  if (!reading.ok) throw new FaultError(reading.error);
  const children = reading.issues.filter((issue) => issue.parent === parent);
  const whole = reading.issues.find(({ id }) => id === parent);
  const toMake = parts.filter(({ title }) => !children.some((child) => child.title === title));
  await refuseLargeGroup(context, parent, toMake.length);
  const created: IssueId[] = [];
  for (const { title, body, estimate } of parts) {
    const size = sizeOfPart(estimateNamed(estimate), whole?.estimate ?? null);
    const before = created.at(-1);
    const known = children.find((child) => child.title === title && !created.includes(child.id));
    const made =
      known ??
      answered(
        await tracker.create({
          title,
          body,
          parent,
          ...(size === null ? {} : { estimate: size }),
          ...(before === undefined ? {} : { blockedBy: [before] }),
        }),
      );
    created.push(made.id);
  }
  return {
    result: { sub_tickets: created, estimates: parts.map(({ estimate }) => estimate) },
    moved: [],
    created,
  };
};

/** A person decides about parts with which the group has more issues than one may have. */
const refuseLargeGroup = async (context: FlowContext, parent: IssueId, parts: number): Promise<void> => {
  const { max_group } = context.core.loop.state().settings.flow;
  const open = (flowOf(context).reading?.issues ?? []).filter(({ state }) => !isTerminal(state)).length;
  if (open + parts <= max_group) return;
  const fault = {
    code: 'large-group',
    what: `the split into ${parts} parts makes a group of ${open + parts} issues, but flow.max_group is ${max_group}`,
    hint: 'raise flow.max_group, or split the issue yourself',
  };
  await needsPerson(context, [parent], fault, routeOf('Backlog', 'complete', 'escalate'));
};

const research: Keep = async (context, each, issues) => {
  const files = (each.work.result?.phase === 'research' ? each.work.result.files : undefined) ?? [];
  const artifact_path = await keepDocument(context, each, issues, {
    kind: 'research',
    text: draftOf(context, each),
    summary: summaryOf(each),
    files,
  });
  const moved = await moveAlong(context, issues, routeOf('Research in Progress', 'complete'));
  return { result: { artifact_path, issue: issues[0] ?? '', files: [...files] }, moved };
};

const plan: Keep = async (context, each, issues) => {
  const text = draftOf(context, each);
  const artifact_path = await keepDocument(context, each, issues, {
    kind: each.listed.span === 'issue' ? 'plan' : 'group-plan',
    text,
    summary: summaryOf(each),
  });
  // What a command shows: the rest is for a person.
  const criteria = planBoxes(text).flatMap((box) => (box.command === null ? [] : [box.text]));
  const intents =
    flowOf(context).review === 'skip' ? (['complete', 'complete'] as const) : (['complete'] as const);
  return {
    result: { artifact_path, criteria },
    moved: await moveAlong(context, issues, routeOf('Plan in Progress', ...intents)),
  };
};

const review: Keep = async (context, each, issues) => {
  const plan_path = (await planOf(context, each, issues)) ?? '';
  // Nobody was asked for a critique.
  if (each.work.result === null) return { result: { result: leftToPerson, plan_path }, moved: [] };
  const verdict = (each.work.result?.phase === 'review' ? each.work.result.verdict : undefined) ?? '';
  const artifact_path = await keepDocument(context, each, issues, {
    kind: 'plan-review',
    text: draftOf(context, each),
    summary: [`VERDICT: ${verdict}`, ...summaryOf(each)],
  });
  return { result: { result: verdict, artifact_path, plan_path }, moved: [] };
};

/** The plan that a review judged: of this session, or of an earlier one. */
const planOf = async (
  context: FlowContext,
  { listed }: Listed,
  issues: readonly IssueId[],
): Promise<string | null> => {
  const { core, port } = context;
  const { works } = flowOf(context);
  const [own] = listed.blockedBy.flatMap((id) => documentOf(works.get(id)?.result ?? null) ?? []);
  if (own !== undefined) return own;
  const { disk, paths } = core.options;
  const files = readDocuments(disk, paths.workspace, core.loop.state().settings.docs_root);
  for (const id of issues) {
    const found = planOfIssue(await showIssue(port.tracker, id), port.own(), files, sha256);
    if (found !== null) return found;
  }
  return null;
};

const pr: Keep = async (context, each, issues) => {
  const { pr_url, branch, said = [] } = await openPullRequest(context, each, issues);
  await dropCopies(context, each);
  return {
    result: { pr_url, branch },
    said,
    moved: await moveAlong(context, issues, routeOf('In Progress', 'complete')),
  };
};

const merge: Keep = async (context, each, issues) => {
  const commit = await integrate(context, each, issues);
  return {
    result: { state: 'MERGED', commit },
    moved: await moveAlong(context, issues, routeOf('In Review', 'complete')),
  };
};

/** Implementations are merged onto their branch instead. */
const implement: Keep = async () => ({ result: {}, moved: [] });

const records: Readonly<Record<TaskPhase, Keep>> = {
  triage,
  split,
  research,
  plan,
  review,
  implement,
  pr,
  merge,
};

/** The document that the agent handed in. */
const draftOf = ({ core }: FlowContext, { listed, work }: Listed): string => {
  const { draft } = paperOf(work);
  const { disk, paths } = core.options;
  const text = draft === undefined ? null : readText(disk, join(paths.directory, draft));
  if (text !== null) return text;
  throw new FaultError({ code: 'draft-missing', what: `the document of ${listed.id} is not in the session` });
};

const summaryOf = ({ work }: Listed): readonly string[] => paperOf(work).summary?.split('\n') ?? [];

const paperOf = ({
  result,
}: FlowWork): { readonly draft?: string | undefined; readonly summary?: string | undefined } =>
  result !== null && 'draft' in result ? result : {};

/** A completion without its keys is refused when it is handed in. */
const missing = ({ id }: Listed['listed'], what: string): FaultError =>
  new FaultError({ code: 'task-result', what: `the result of ${id} lacks ${what}` });
