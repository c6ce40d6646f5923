import { formatFault } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../issues/issue-index.ts';
import { withoutDeadLocks } from '../../issues/lock.ts';
import {
  buildsOnOthers,
  candidates,
  nextWork,
  type WorkFacts,
  type WorkStep,
} from '../../issues/next-work.ts';
import type { FlowPhases } from '../../issues/position/flow-phases.ts';
import { isBehind } from '../../issues/pull-requests/open-request.ts';
import { guarded } from '../../issues/trackers/guarded.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { type FlowRun, prepareFlow } from '../host/prepare-flow.ts';
import { findFlow } from '../issues/find-flow.ts';
import { issueSessions, type SeenSession, seenSession } from '../issues/issue-sessions.ts';
import { issueWorkspace } from '../issues/issue-workspace.ts';
import { type OpenIssues, openIssues, readIssues } from '../issues/open-issues.ts';
import { refuseAtEnd } from '../issues/refuse-at-end.ts';
import type { Flags } from '../options.ts';
import { readSession } from '../session/open-session.ts';
import { signAsPerson } from '../session/proof/signal-proof.ts';
import { sendSignal } from '../session/publish.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import { wireChanges } from '../wire-changes.ts';
import type { World } from '../world.ts';
import type { Discovering } from './discover-first.ts';
import { type Drain, listenForDrain } from './listen-for-drain.ts';
import { offerInstall } from './offer-install.ts';
import { startFlow } from './start-flow.ts';
import { createWorkNews, type WorkNews } from './work-news.ts';

export interface WorkRun {
  readonly labels: readonly string[];
  readonly max: number;
  readonly tracker?: string;
  readonly phases?: FlowPhases;
  readonly mode: 'plain' | 'json';
  readonly flags: Flags;
}

interface Service {
  readonly cli: Cli;
  readonly world: World;
  readonly run: WorkRun;
  readonly how: Consent;
  readonly look: Discovering;
  readonly workspace: string;
  readonly open: OpenIssues;
  readonly news: WorkNews;
  /** The sessions that this program started and that have not ended, by issue. */
  readonly mine: Map<IssueId, SessionPaths>;
  readonly tried: Map<IssueId, string>;
  /** Issues whose session has ended, or could not begin, since the tracker was read. */
  readonly ended: Set<IssueId>;
}

/** Sessions are looked at this often, or with `flow.poll` where that is shorter. */
const lookEveryMs = 2_000;

/**
 * Takes up ready issues, one session each, until it is told to stop. Each session runs in a process of its own, as `run --issue ID --only --background` starts
 * it: what is left when this program ends is continued by `ralph-tui work`, or by any other command of that session.
 */
export const workOnIssues = async (
  cli: Cli,
  world: World,
  run: WorkRun,
  how: Consent,
  look: Discovering,
): Promise<number> => {
  refuseAtEnd(run.flags);
  const open = openIssues(cli, run);
  const workspace = issueWorkspace(cli.cwd);
  const news = createWorkNews(cli, workspace, run.mode);
  const service: Service = {
    ...{ cli, world, run, how, look, workspace, open, news },
    mine: new Map(),
    tried: new Map(),
    ended: new Set(),
  };
  refuseAsking(service);
  if (!(await agreed(service, await readIssues(cli, open)))) return exitCodes.done;
  const drain = listenForDrain(cli, world);
  try {
    await serve(service, drain);
    return exitCodes.done;
  } finally {
    drain.release();
  }
};

/** Agents that ask could ask nobody: their sessions have no screen. */
const refuseAsking = ({ cli, world, workspace, run: { flags } }: Service): void => {
  const { settings } = loadConfiguration(cli, world, { workspace, attended: true, background: true, flags });
  if (settings.permissions === 'ask')
    throw usage(
      'agents ask for permission, but the sessions of issues run without a screen',
      'say what they may do without asking: `--permissions edits`, `workspace` or `all`',
      'permissions-need-a-screen',
    );
};

/** Shows what would begin, and asks; without a person only `--yes` is an answer. What runs of the repository is asked about with the first issue. */
const agreed = async (service: Service, index: IssueIndex): Promise<boolean> => {
  const { cli, world, run, how, news } = service;
  const order = candidates(factsOf(service, index, []));
  if (run.mode === 'plain')
    news.list(
      order.flatMap((id) => index.byId.get(id) ?? []),
      run,
    );
  const [first] = order;
  if (first !== undefined) {
    const prepared = await offerInstall(cli, how, () => prepareFlow(cli, world, flowRun(service, first)));
    if (!(await agreeTo(cli, world, prepared.request, how))) return false;
  }
  if (how.yes) return true;
  if (!how.mayAsk)
    throw new Exit(exitCodes.waits, {
      code: 'needs-yes',
      what: 'confirmation is needed: issues would be worked on until you stop it',
      hint: 'add --yes, or run this in a terminal to look at the list and agree',
    });
  const answer = await cli.typed.answer(() =>
    cli.stderr.write('Work on these issues, and on those that become ready? [y/N] '),
  );
  if (answer !== null && /^\s*y(es)?\s*$/i.test(answer)) return true;
  cli.note(`${answer === null ? '\n' : ''}Nothing was started.`);
  return false;
};

const flowRun = ({ workspace, run }: Service, issue: IssueId): FlowRun => ({
  workspace,
  issue,
  only: true,
  source: 'goal',
  mode: run.mode,
  background: true,
  beside: true,
  flags: run.flags,
  ...(run.tracker === undefined ? {} : { tracker: run.tracker }),
  ...(run.phases === undefined ? {} : { phases: run.phases }),
});

const factsOf = (
  { run, mine, tried, world, workspace, open }: Service,
  index: IssueIndex,
  seen: readonly SeenSession[] = issueSessions(world, workspace, nameOf(run, open)),
): WorkFacts => ({
  index,
  sessions: seen.map(({ issue, standing }) => ({ issue, standing, ours: mine.has(issue) })),
  taken: new Set(seen.flatMap(({ standing, listed }) => (standing === 'stopped' ? [] : listed))),
  labels: run.labels,
  max: run.max,
  tried,
});

/** As the start of a flow names its tracker. */
const nameOf = ({ tracker }: WorkRun, { settings }: OpenIssues): string => tracker ?? settings.flow.tracker;

const serve = async (service: Service, drain: Drain): Promise<void> => {
  const { world, open, news } = service;
  const pollMs = open.settings.flow.poll;
  let readAt = Number.NEGATIVE_INFINITY;
  while (!drain.asked()) {
    const hasEnded = lookAtSessions(service);
    if (hasEnded || world.clock.monotonic() - readAt >= pollMs) {
      readAt = world.clock.monotonic();
      await takeUp(service, drain);
    }
    if (!drain.asked()) await drain.pause(Math.min(pollMs, lookEveryMs));
  }
  news.draining(service.mine.size);
  for (const [issue, paths] of service.mine) stopSession(service, issue, paths);
  while (service.mine.size > 0 && !drain.isImpatient()) {
    lookAtSessions(service);
    if (service.mine.size > 0) await drain.pause(lookEveryMs);
  }
  news.over([...service.mine.values()]);
};

/** Says what became of the sessions; true when one has ended or waits since the last look. */
const lookAtSessions = ({ world, mine, news, ended }: Service): boolean => {
  let hasRoom = false;
  for (const [issue, paths] of mine) {
    const seen = seenSession(world, paths);
    if (seen === null || seen.standing === 'stopped') {
      news.ended(issue, readSession(world, paths));
      mine.delete(issue);
      ended.add(issue);
      hasRoom = true;
    } else if (news.standing(seen) && seen.standing === 'waits') hasRoom = true;
  }
  return hasRoom;
};

/** Reads the tracker, and starts and stops what follows from it. A failed reading says nothing. */
const takeUp = async (service: Service, drain: Drain): Promise<void> => {
  const { open, news, mine, tried, ended } = service;
  const reading = await open.tracker.list();
  if (!reading.ok) return news.problem(formatFault(reading.error));
  const index = indexIssues(withoutDeadLocks(reading.issues, open.liveness));
  for (const id of ended) tried.set(id, index.byId.get(id)?.revision ?? '');
  ended.clear();
  const { start, stop } = await nextHere(service, index);
  for (const id of stop) {
    const paths = mine.get(id);
    if (paths !== undefined) stopSession(service, id, paths);
  }
  for (const id of start) {
    if (drain.asked()) return;
    await begin(service, index, id);
  }
};

/**
 * On GitHub the work of a blocker is merged there, and nothing fetches it: an issue that waited for it begins once the person has pulled, since it would not
 * build on that work before.
 */
const nextHere = async (service: Service, index: IssueIndex): Promise<WorkStep> => {
  const { cli, world, workspace, open, news } = service;
  const facts = factsOf(service, index);
  const next = nextWork(facts);
  const builds = next.start.filter((id) => buildsOnOthers(index.byId.get(id) ?? { blockedBy: [] }));
  const isNew = (id: IssueId): boolean => !facts.sessions.some(({ issue }) => issue === id);
  if (open.tracker.name !== 'gh' || !builds.some(isNew)) return next;
  const base = (await wireChanges(cli.env, world).examine(workspace)).repository?.branch ?? null;
  if (base === null) return next;
  const behind = await guarded(async () => ({ ok: true, value: await isBehind(open.ports, base) }));
  if (!behind.ok) for (const fault of behind.faults) news.problem(formatFault(fault));
  if (behind.ok && !behind.value) return next;
  if (behind.ok) news.behind(builds.filter(isNew));
  return nextWork({ ...facts, behind: true });
};

/** Starts or resumes the session of an issue. A refusal is told, and the issue is tried again after a change of it. */
const begin = async (service: Service, index: IssueIndex, issue: IssueId): Promise<void> => {
  const { cli, world, how, look, workspace, news, mine, ended } = service;
  news.begins(index.byId.get(issue), issue);
  try {
    await startFlow(cli, world, flowRun(service, issue), how, look);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    news.problem(`issue ${issue} was not started: ${formatFault(error.fault)}`);
  }
  const found = findFlow(world, workspace, issue);
  if (found?.host?.alive === true) mine.set(issue, found.paths);
  else ended.add(issue);
};

/** Its running work finishes, then it stops; `ralph-tui work` continues it. */
const stopSession = ({ cli, world, news }: Service, issue: IssueId, paths: SessionPaths): void => {
  const session = readSession(world, paths);
  try {
    sendSignal(
      session,
      { type: 'DRAIN', target: 'ALL' },
      signAsPerson(cli.env, world, paths, 'ralph-tui work', false),
    );
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    news.problem(`issue ${issue}: ${formatFault(error.fault)}`);
  }
};
