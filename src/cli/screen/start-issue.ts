import type { Start, TrustedIntent } from '../../../components/ports/start-intent.ts';
import { type IssueOffer, taskListOverlay } from '../../../components/start/start-list.ts';
import { safe } from '../../base/safe.ts';
import { indexIssues } from '../../issues/issue-index.ts';
import { type ReadyGroup, readyGroups } from '../../issues/ready-groups.ts';
import { type Cli, failure } from '../cli.ts';
import { type PreparedFlow, prepareFlow } from '../host/prepare-flow.ts';
import { issueWorkspace } from '../issues/issue-workspace.ts';
import { createIssuesPort } from '../issues/issues-port.ts';
import { listTasks } from '../issues/list-tasks.ts';
import type { World } from '../world.ts';
import { type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

type IssueStart = Extract<Start, { what: 'issue' }>;

/** Ready groups on the start screen. `ralph-tui issues ready` prints all. */
const mostOffered = 5;

/** Reads the tracker beside the start screen and offers the groups that work could begin on. */
export const offerIssuesBesideStart = (sessions: ScreenSessions, target: ShownSession): void => {
  if (target.store.getState().ui.overlays.at(-1)?.kind !== 'start') return;
  // The first frame comes first.
  sessions.world.clock.after(0, () => {
    if (!sessions.leaving.signal.aborted) void offer(sessions, target);
  });
};

const offer = async (sessions: ScreenSessions, target: ShownSession): Promise<void> => {
  const { cli, world } = sessions;
  const reading = await createIssuesPort(cli, world, workspaceOf(sessions, target)).list();
  const groups = reading.ok ? readyGroups(indexIssues(reading.board.issues)) : [];
  target.store.act({
    type: 'issues-offered',
    issues: groups.slice(0, mostOffered).map(offerOf),
    problem: reading.ok ? null : safe(reading.error),
  });
};

export const offerOf = ({ issue, more }: ReadyGroup): IssueOffer => ({
  issue: issue.id,
  title: safe(issue.title),
  more,
});

/** Prepares the run of an issue, or the resume of its unfinished session. */
export const prepareIssue = (
  cli: Cli,
  world: World,
  workspace: string,
  { issue, agent }: IssueStart,
): Promise<PreparedFlow> =>
  prepareFlow(cli, world, {
    workspace: issueWorkspace(workspace),
    issue,
    only: false,
    source: 'goal',
    mode: 'screen',
    flags: agent === null ? {} : { agent },
  });

/** Shows the whole list of a new run, which a person starts or leaves. True when the run may begin. */
export const askListOnScreen = (
  { store }: ShownSession,
  intent: Extract<TrustedIntent, { readonly type: 'start' }>,
  start: IssueStart,
  prepared: PreparedFlow,
): boolean => {
  if (prepared.kind === 'resumed' || start.listed) return true;
  const list = listTasks(prepared.context);
  if (list.tasks.length === 0)
    throw failure({
      code: 'nothing-to-do',
      what: `nothing can be done now: ${safe(prepared.context.position.reason)}`,
    });
  const overlay = taskListOverlay(list, { ...intent, start: { ...start, listed: true } });
  store.act({ type: 'overlay-opened', overlay });
  return false;
};
