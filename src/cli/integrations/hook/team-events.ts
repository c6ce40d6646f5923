import { safe } from '../../../base/safe.ts';
import { indexIssues, readyIssues } from '../../../issues/issue-index.ts';
import type { FlowRole } from '../../../issues/task-list/task-phase.ts';
import { gateState, pendingTasksLine, stopGate } from '../../../issues/team/stop-gate.ts';
import type { Worker } from '../../../issues/team/worker.ts';
import { isLocalTracker, trackerNamed } from '../../../issues/trackers/tracker-name.ts';
import { claimableList, members } from '../../../pipeline/modes/flow/team.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { count } from '../../../words/local-time.ts';
import { type Cli, Exit } from '../../cli.ts';
import { openIssues } from '../../issues/open-issues.ts';
import type { OpenSession } from '../../session/open-session.ts';
import type { HookAnswer, HookCall } from './hook-call.ts';

/** Work that keeps an agent from its end: the one line it gets, and the state of the work, to say it once for each. */
export interface WorkLeft {
  readonly line: string;
  readonly state: string;
}

/**
 * The stop gate for a worker that another program runs (seed 003, section 5.8: worker-stop-gate). Without a host no task can be claimed, so nothing keeps it.
 */
export const teamWorkLeft = (
  { state, host }: Pick<OpenSession, 'state' | 'host'>,
  role: FlowRole,
): WorkLeft | null => {
  const worker = host?.alive === true ? workerOf(state, role) : null;
  if (worker === null) return null;
  const list = claimableList(state);
  const { kind } = stopGate(list, worker, null);
  return kind === 'next' || kind === 'unfinished'
    ? { line: pendingTasksLine, state: `${kind} ${gateState(list, worker)}` }
    : null;
};

/**
 * Which worker a hook speaks for: it knows its role alone. The only one of that role, else one without a task of its own, which free tasks concern and
 * tasks of others do not. `null`: it waits at the door, or was not let in.
 */
const workerOf = ({ flow }: SessionState, role: FlowRole): Worker | null => {
  if (flow === null) return null;
  const foreign = [...flow.workers.values()].filter((each) => each.foreign !== null && each.role === role);
  const admitted = members(flow).filter(
    (each) => foreign.includes(each) && each.foreign?.admittedBy !== null,
  );
  const [only] = admitted;
  if (admitted.length === 1 && only !== undefined) return only;
  return foreign.length > 0 && admitted.length === 0 ? null : { name: '', role };
};

/** What happened to a member of a team of Claude Code's own, as a fact (seed 003, section 5.8). Without a member there is nothing to say. */
export const teammateLine = ({ name, event }: HookCall): HookAnswer => {
  const { teammate_name: worker, task_subject: subject } = event;
  if (worker === undefined) return {};
  if (name === 'TeammateIdle') return { says: `${safe(worker)} is idle.` };
  return subject === undefined ? {} : { says: `Task completed by ${safe(worker)}: "${safe(subject)}"` };
};

/** What an agent that begins finds to do: a worker of a team tasks of its role, any other one issues. */
export const atStart = async (cli: Cli, call: HookCall, session: OpenSession | null): Promise<HookAnswer> => {
  if (call.team !== null) {
    const left = session === null ? null : teamWorkLeft(session, call.team);
    return left === null ? {} : { says: left.line };
  }
  const found = await processable({ ...cli, cwd: call.workspace });
  return found === null || found.issues === 0
    ? {}
    : { says: `${found.tracker} has ${count(found.issues, 'processable issue')}.` };
};

/** Issues that can be worked on now. `null`: there is no tracker in this folder. A hook asks no other program and no network. */
const processable = async (
  cli: Cli,
): Promise<{ readonly tracker: string; readonly issues: number } | null> => {
  try {
    const { tracker, settings } = openIssues(cli, {});
    const named = trackerNamed(settings.flow.tracker);
    if (!named.ok || !isLocalTracker(named.value.name)) return null;
    const reading = await tracker.list();
    return reading.ok
      ? { tracker: tracker.name, issues: readyIssues(indexIssues(reading.issues)).length }
      : null;
  } catch (error) {
    if (error instanceof Exit) return null;
    throw error;
  }
};
