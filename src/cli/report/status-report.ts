import { undoneWork } from '../../../components/end/select-summary.ts';
import { selectStanding } from '../../../components/tasks/select-tasks.ts';
import type { Fault } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { type Spending, type Spent, totalOf, usageBy } from '../../pipeline/agents/spending.ts';
import { rosterOf, type TeamMessages, teamMessages } from '../../pipeline/modes/flow/roster.ts';
import { type OpenQuestion, openQuestions } from '../../pipeline/questions/open-questions.ts';
import type { TimeLeft } from '../../pipeline/scheduling/time-left.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionStatus, StateName } from '../../session/status.ts';
import { countTasks } from '../../tasks/count-tasks.ts';
import { selectUnproven, unprovenQuestion } from '../../words/unproven.ts';
import type { WaitingFeedback } from '../session/feedback/feedback-waits.ts';
import type { SessionHost } from '../session/host-life.ts';
import type { OpenSession } from '../session/open-session.ts';
import { type LoopStatus, loopStatus } from './loop-report.ts';
import type { UnmergedReport } from './unmerged-report.ts';
import {
  type PermissionRequest,
  permissionRequest,
  type WaitingPermission,
  waitingPermission,
} from './waiting-permission.ts';

/** `status --json` (src/session/README.md, Machine-readable output): fields are added, never renamed. */
export interface StatusReport {
  readonly session_id: string;
  readonly workspace: string;
  readonly goal: string;
  readonly status: SessionStatus;
  readonly state: StateName;
  readonly iteration: number;
  readonly wave: number | null;
  readonly held: boolean;
  readonly stop_reason: string | null;
  /** Whether `resume` accepts it: a session of another program can only be read and steered. */
  readonly resumable: boolean;
  readonly tasks: TaskCounts;
  /** Failed tasks, each with its last reason. */
  readonly failed: readonly FailedTask[];
  readonly pending_signals: number;
  /** Feedback for the next iteration exists: `resume` starts it. */
  readonly feedback_waits: boolean;
  /** That feedback is in words and the session's agents only run commands: `resume` needs `--agent`. */
  readonly feedback_needs_agent: boolean;
  readonly host: SessionHost | null;
  /** The gate that waits for a decision; `files` are the staged files of the knowledge gate. */
  readonly gate: { readonly gate: 'knowledge' | 'plan'; readonly files: readonly string[] } | null;
  /** Deadline of the open gate, ISO 8601. */
  readonly next_deadline: string | null;
  /** When the work continues by itself, ISO 8601: while a quota is used up, or a failed call waits for its next try. */
  readonly next_attempt: string | null;
  /** How long the work on the tasks still takes, and the task that decides it; `null` where nothing is known. */
  /** In milliseconds. Nine of ten ends lie between `least_ms` and `most_ms`. */
  readonly time_left: {
    readonly ms: number;
    readonly least_ms: number;
    readonly most_ms: number;
    readonly task: string | null;
  } | null;
  /** Open requests for `ralph-tui answer`, whole: agents' questions, the plan gate, and the permissions that agents ask for. */
  readonly requests: readonly (OpenQuestion | PermissionRequest)[];
  /** The permissions among them in short, the oldest first. */
  readonly permissions: readonly WaitingPermission[];
  /** Files that decide and that nobody is known to have written: a person confirms each with `ralph-tui signals confirm ID`. */
  readonly unproven: readonly { readonly id: string; readonly file: string; readonly question: string }[];
  readonly problems: readonly Fault[];
  /** What model agents used, as they reported it. */
  readonly usage: Usage;
  /** Attempts whose changes a person took back, each with the patch that holds them. */
  readonly undone: readonly { readonly name: string; readonly patch: string }[];
  /** Work in worktrees that no merge has brought to the session's branch. `null`: git did not say, or was not asked. */
  readonly unmerged: readonly UnmergedReport[] | null;
  /** The course of a loop; `null` in another mode. */
  readonly loop: LoopStatus | null;
  /** The workers of a team; empty in another mode. */
  readonly team: readonly TeamStatus[];
  /** What its workers said to each other and to a person; `null` without a team. */
  readonly messages: TeamMessages | null;
}

interface TeamStatus {
  readonly worker: string;
  readonly role: string;
  /** The program that runs it; `null` for a worker of this session. */
  readonly program: string | null;
  readonly state: 'working' | 'paused' | 'starting' | 'idle' | 'left';
  readonly task: string | null;
  /** Why it does nothing; '' while it works. */
  readonly why: string;
  readonly since: string;
  readonly tasks_done: number;
  /** Tokens of its agents so far; 0 where none reports them. */
  readonly tokens: number;
}

interface Usage extends UsageCounts {
  readonly roles: Readonly<Record<string, UsageCounts>>;
  readonly tasks: Readonly<Record<string, UsageCounts>>;
}

interface UsageCounts {
  /** Empty where no agent reports its cost. */
  readonly costs: readonly { readonly amount: number; readonly currency: string }[];
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Replies whose tokens the agent did not report. */
  readonly uncounted_replies: number;
}

interface FailedTask {
  readonly task: string;
  readonly attempt: number;
  readonly reason: string | null;
}

interface TaskCounts {
  readonly total: number;
  readonly completed: number;
  /** How many of the completed ones a person marked in `progress.md`. */
  readonly by_hand: number;
  readonly failed: number;
  readonly pending: number;
  readonly cancelled: number;
  readonly unreachable: number;
}

/** State beside the journal, which has no events for it. */
export interface Waiting {
  readonly signals: number;
  readonly feedback: WaitingFeedback;
  /** Absent where git is not asked. */
  readonly unmerged?: readonly UnmergedReport[] | Fault;
  /** Absent where nobody asks for it. */
  readonly left?: TimeLeft | null;
}

export const statusOf = (
  session: Pick<OpenSession, 'state' | 'paths' | 'host' | 'problems' | 'layout'>,
  waiting: Waiting,
): StatusReport => {
  const { state } = session;
  const { unmerged = null } = waiting;
  // Without its host nobody waits any more: the agent has ended, and asks anew.
  const permissions = session.host?.alive === true ? [...state.permissions.values()] : [];
  const [known, unknown] = unmerged !== null && 'code' in unmerged ? [null, [unmerged]] : [unmerged, []];
  return {
    session_id: session.paths.session,
    workspace: session.paths.workspace,
    goal: state.goal,
    status: state.status,
    state: state.state,
    iteration: state.iteration,
    wave: state.wave,
    held: state.hold !== null,
    stop_reason: state.stopReason,
    resumable: session.layout.ours,
    tasks: countsOf(state),
    failed: [...state.tasks.values()]
      .filter(({ status }) => status === 'failed')
      .map(({ definition, attempt, reason }) => ({ task: definition.id, attempt, reason })),
    pending_signals: waiting.signals,
    feedback_waits: waiting.feedback !== 'none',
    feedback_needs_agent: waiting.feedback === 'agent',
    host: session.host,
    gate: state.gate && { gate: state.gate.gate, files: state.gate.files },
    next_attempt: nextAttempt(state),
    time_left: session.host?.alive === true && waiting.left ? timeLeftOf(waiting.left) : null,
    next_deadline:
      state.gate?.deadlineMs === undefined || state.gate.deadlineMs === null
        ? null
        : new Date(state.gate.deadlineMs).toISOString(),
    requests: [...openQuestions(state), ...permissions.map(permissionRequest)],
    permissions: permissions.map(waitingPermission),
    unproven: selectUnproven(state).map(({ id, file, signal }) => ({
      id,
      file,
      question: unprovenQuestion(signal),
    })),
    problems: [...session.problems, ...cutOffTurn(session), ...unknown],
    usage: usageOf(state.spending),
    undone: undoneWork(state),
    unmerged: known,
    loop: loopStatus(state),
    team: teamOf(state),
    messages: teamMessages(state),
  };
};

const teamOf = (state: SessionState): readonly TeamStatus[] =>
  rosterOf(state).map(({ done, invocation: _invocation, ...entry }) => ({
    ...entry,
    tasks_done: done,
    tokens: tokensOf(state, entry.worker),
  }));

const tokensOf = ({ spending, flow }: SessionState, worker: string): number => {
  const own = [...spending.values()].filter(
    ({ task }) => task !== null && flow?.claims.get(task)?.worker === worker,
  );
  const { tokens } = totalOf(own);
  return tokens.input + tokens.output;
};

/** An undo or redo that the journal has no end of, while nobody works on it. */
const cutOffTurn = ({
  state,
  paths,
  host,
}: Pick<OpenSession, 'state' | 'paths' | 'host'>): readonly Fault[] => {
  const { turning } = state.changes;
  if (turning === null || host?.alive === true) return [];
  const { way, task, attempt } = turning;
  const words = [
    way,
    task,
    ...(attempt === null ? [] : ['--attempt', String(attempt)]),
    '--session',
    paths.session,
  ];
  return [
    {
      code: 'cut-off',
      what: `the ${way} of ${task} was interrupted, so some files may not have been updated`,
      hint: `\`${printedCommand('ralph-tui', ...words)}\` completes it`,
    },
  ];
};

const usageOf = (spending: Spending): Usage => {
  const counts = (all: Iterable<Spent>): UsageCounts => {
    const { costs, tokens, uncounted } = totalOf(all);
    return { costs, input_tokens: tokens.input, output_tokens: tokens.output, uncounted_replies: uncounted };
  };
  const each = (groups: ReadonlyMap<string, readonly Spent[]>) =>
    Object.fromEntries([...groups].map(([name, all]) => [name, counts(all)]));
  const ofTasks = new Map([...spending].filter(([, { task }]) => task !== null));
  return {
    ...counts(spending.values()),
    roles: each(usageBy(spending, ({ role }) => role)),
    tasks: each(usageBy(ofTasks, ({ task }) => task ?? '')),
  };
};

const countsOf = (state: SessionState): TaskCounts => {
  const { byHand, ...counts } = countTasks(state.tasks);
  return {
    ...counts,
    by_hand: byHand,
    // Only work that is left can be unreachable, and the graph of thousands of tasks takes its time.
    unreachable: counts.pending + counts.failed === 0 ? 0 : selectStanding(state).unreachable.size,
  };
};

const nextAttempt = ({ quotaUntil, retries }: SessionState): string | null => {
  const tries = [...retries.values()].flatMap(({ fired, atMs }) => (fired ? [] : [atMs]));
  const at = quotaUntil ?? (tries.length === 0 ? null : Math.min(...tries));
  return at === null ? null : new Date(at).toISOString();
};

const timeLeftOf = ({ ms, leastMs, mostMs, task }: TimeLeft): StatusReport['time_left'] => ({
  ms: Math.round(ms),
  least_ms: Math.round(leastMs),
  most_ms: Math.round(mostMs),
  task,
});
