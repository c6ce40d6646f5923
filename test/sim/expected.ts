import type { Counts } from './coverage.ts';
import { type SimMode, simModeSchema } from './scenario.ts';

const each = (before: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `${before} ${name}`);

/** What has to happen at least once in four hundred seeds: a simulation that does not come there proves nothing about it. */
const expected: readonly string[] = [
  ...each('disturbance', 'signal', 'flood', 'scrap', 'withdraw', 'quit', 'kill', 'power', 'reboot'),
  ...each('disturbance', 'crash', 'crash-twice', 'full', 'elsewhere'),
  'crash in the middle of an operation',
  'crash in the recovery',
  ...each('restart after', 'a crash', 'a crash in the recovery', 'a kill', 'a power loss', 'a reboot'),
  ...each('restart after', 'another machine', 'blocked', 'paused', 'completed', 'awaiting_feedback'),
  ...each('start refused:', 'disk-full', 'lock-remote'),
  ...['1', '2', '3'].map((count) => `${count} sessions in one workspace`),
  ...each('end', 'aborted', 'awaiting_feedback', 'blocked', 'completed'),
  ...each('state', 'PLANNING', 'REPLANNING', 'BATCHING', 'EXECUTING_BATCH', 'REVIEWING_BATCH'),
  ...each('state', 'SESSION_REVIEW', 'KNOWLEDGE_EXTRACTION', 'KNOWLEDGE_APPROVAL', 'COMPLETE'),
  ...each('mode', 'INITIALIZE', 'TASK_BREAKDOWN', 'UPDATE', 'REBREAKDOWN', 'REBREAKDOWN_TASK', 'brainstorm'),
  ...each(
    'mode',
    'research',
    'feedback-analysis',
    'IMPLEMENT',
    'TASK_REVIEW',
    'SESSION_REVIEW',
    'STAGE',
    'PROMOTE',
  ),
  ...each('outcome Executor', 'completed', 'failed', 'blocked'),
  ...each('call failed:', 'call', 'no-result', 'quota'),
  ...each('interrupted by', 'abort', 'cancel', 'crash', 'quit', 'retry'),
  ...[
    'held',
    'draining',
    'invocation paused',
    'signal queued while held',
    'review passed, a person decides',
    ...['worktree prepared', 'attempt merged', 'merge conflicted', 'merge taken back', 'changes finished'],
    'question asked',
    'question answered',
  ],
  ...each('gate knowledge', 'opened', 'approve', 'skip', 'carry', 'abort'),
  ...each('gate plan', 'opened', 'approve', 'skip', 'abort'),
  ...['knowledge promoted', 'iteration 2', 'iteration 3', 'feedback for another iteration'],
  'asked for a task again after the end',
  ...each('steer', 'adjust', 'restart', 'escalate', 'context'),
  ...each('target', 'ALL', 'Orchestrator', 'Planner', 'Questioner', 'Executor', 'Reviewer', 'Librarian'),
  ...each('signal INFO', 'handled', 'undelivered', 'withdrawn'),
  ...each('signal STEER', 'handled', 'undelivered', 'withdrawn'),
  ...each('signal PAUSE', 'handled', 'withdrawn'),
  ...each('signal RESUME', 'handled', 'withdrawn'),
  ...each('signal', 'ABORT handled', 'SET handled', 'DRAIN handled'),
  ...each('signal RETRY', 'handled', 'rejected'),
  ...each('signal CANCEL', 'handled', 'rejected'),
  ...each('signal ANSWER', 'handled', 'rejected'),
  ...each('signal APPROVE', 'handled', 'rejected', 'withdrawn'),
  ...each('signal SKIP', 'handled', 'withdrawn'),
  ...each('signal UNDO', 'handled', 'rejected'),
  ...['signal REDO handled', 'merge landed', 'changes undone', 'changes redone', 'undo refused'],
  ...each('withdrawal', 'withdrawn', 'too-late', 'mailbox-disk'),
  ...each('task', 'done at the end', 'failed at the end', 'cancelled at the end', 'open at the end'),
  ...each('scrap', 'empty file', 'prose', 'half written', 'unknown type', 'no message', 'bytes', 'aliases'),
  ...each(
    'scrap',
    'two documents',
    'forged handling',
    'foreign spelling',
    'ABORT for a task',
    'fifo',
    'symlink',
  ),
  ...each('scrap', 'directory', 'control characters in the name', 'scratch file'),
];

/** The same for two hundred seeds of mode `loop`. */
const expectedOfLoops: readonly string[] = [
  ...each('restart after', 'a crash', 'a kill', 'a power loss', 'a reboot', 'another machine'),
  ...each('restart after', 'paused', 'completed', 'awaiting_feedback'),
  ...each('end', 'aborted', 'awaiting_feedback', 'completed'),
  ...each('state', 'RUNNING', 'DRAINING', 'STOPPED'),
  ...each('mode', 'IMPLEMENT', 'TASK_REVIEW'),
  ...each('turn decided:', 'null', 'completion', 'turns', 'loop-detected', 'no-progress', 'failed-turns'),
  ...each('loop timer', 'loop:max_runtime', 'loop:grace'),
  ...each('interrupted by', 'abort', 'cancel', 'crash', 'quit', 'retry'),
  ...each('signal', 'ABORT handled', 'SET handled', 'DRAIN handled', 'RETRY handled', 'PAUSE handled'),
  ...['held', 'draining', 'invocation paused', 'asked for a task again after the end'],
  ...each('steer', 'adjust', 'restart', 'escalate'),
];

/** The same for two hundred seeds of flows, in hero and in team alike. */
const expectedOfFlows: readonly string[] = [
  ...each('disturbance', 'issue', 'outage', 'dirty', 'signal', 'quit', 'kill', 'power', 'crash', 'full'),
  ...each('restart after', 'a crash', 'a kill', 'a power loss', 'another machine', 'blocked', 'in_progress'),
  ...each('restart after', 'paused', 'completed', 'awaiting_feedback'),
  ...each('end', 'aborted', 'awaiting_feedback', 'completed'),
  ...each('a person', 'adds', 'blocks', 'cancels', 'closes', 'deletes', 'edits', 'frees', 'moves back'),
  ...each('a person', 'moves on', 'retitles', 'takes over', 'starts twice'),
  'a person ends the second start, which leaves its locks',
  'a person sees the second start hand an issue on',
  ...each("the engine's", 'merge', 'pull-request', 'write'),
  ...each('plan', 'approved', 'again', 'refused'),
  ...['step of a flow refused', 'locks given back', 'pull request sent back', 'task claimed'],
  ...['attempt merged', 'worktree prepared', 'task split', 'question asked', 'question answered'],
  ...['held', 'draining', 'invocation paused'],
  ...each('outcome Executor', 'completed', 'failed', 'blocked'),
  ...each('call failed:', 'call', 'no-result', 'quota'),
  ...each('interrupted by', 'cancel', 'crash', 'quit'),
  ...each('steer', 'adjust', 'escalate'),
  ...each('signal', 'ABORT handled', 'ANSWER handled', 'CANCEL handled', 'PAUSE handled', 'RETRY handled'),
  ...each('signal', 'SET handled', 'DRAIN handled', 'STEER handled'),
  ...each('task', 'done at the end', 'failed at the end', 'cancelled at the end', 'open at the end'),
];

/** And for two hundred seeds of teams. */
const expectedOfTeams: readonly string[] = [
  ...each('worker', 'left', 'knocked', 'admitted', 'messaged'),
  ...each('another program', 'joins', 'claims', 'hands in', 'sends a message'),
  ...each('another program', 'hangs up', 'returns', 'is killed'),
];

const expectedOf: Readonly<Record<SimMode, readonly string[]>> = {
  waves: expected,
  loop: expectedOfLoops,
  // Both merge alike, and few of 250 seeds bring two streams so far, or stop without a result: `simulation.test.ts` plays one of a team for each.
  hero: [...expectedOfFlows, 'end blocked', 'merge proposed'],
  team: [...expectedOfFlows, ...expectedOfTeams],
};

/** What was expected and never happened. `all`: in any mode. */
export const never = (counts: Counts, mode: SimMode | 'all' = 'waves'): readonly string[] =>
  mode === 'all'
    ? simModeSchema.options.flatMap((each) =>
        expectedOf[each].map((name) => `${each}: ${name}`).filter((name) => !counts[name]),
      )
    : expectedOf[mode].filter((name) => !counts[name]);
