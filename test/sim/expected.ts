import type { SessionMode } from '../../src/session/status.ts';
import type { Counts } from './coverage.ts';

const each = (before: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `${before} ${name}`);

/** What has to happen at least once in a thousand seeds: a simulation that does not come there proves nothing about it. */
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

/** The same for a thousand seeds of mode `loop`. */
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

/** What was expected and never happened. */
export const never = (counts: Counts, mode: SessionMode = 'waves'): readonly string[] =>
  (mode === 'loop' ? expectedOfLoops : expected).filter((name) => !counts[name]);
