import type { Event, EventOf } from '../../src/pipeline/event.ts';

/** What a simulation went through, counted by its name: so that one sees that it is exercised at all. */
export interface Coverage {
  count(name: string): void;
  readonly counts: () => Counts;
}

export type Counts = Readonly<Record<string, number>>;

export const createCoverage = (): Coverage => {
  const counts = new Map<string, number>();
  return {
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    counts: () => Object.fromEntries(counts),
  };
};

export const addCounts = (all: readonly Counts[]): Counts => {
  const sum = new Map<string, number>();
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries([...sum].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Counted under the name of the fact, with what tells its kinds apart. */
export const countEvent = (coverage: Coverage, event: Event): void => {
  const kind = kinds[event.type];
  if (kind !== undefined) coverage.count(`${kind} ${detail(event)}`.trim());
};

const kinds: Readonly<Partial<Record<Event['type'], string>>> = {
  'state.entered': 'state',
  'invocation.started': 'mode',
  'invocation.ended': 'outcome',
  'invocation.failed': 'call failed:',
  'invocation.interrupted': 'interrupted by',
  'invocation.paused': 'invocation paused',
  'review.passed': 'review passed, a person decides',
  'review.missed': 'review without a verdict',
  'worktree.prepared': 'worktree prepared',
  'attempt.merged': 'attempt merged',
  'merge.proposed': 'merge proposed',
  'merge.conflicted': 'merge conflicted',
  'merge.taken-back': 'merge taken back',
  'changes.finished': 'changes finished',
  'changes.undone': 'changes undone',
  'changes.redone': 'changes redone',
  'undo.refused': 'undo refused',
  'merge.landed': 'merge landed',
  'task.failed': 'attempt failed',
  'task.escalated': 'task escalated',
  'task.replaced': 'task split',
  'steer.decided': 'steer',
  'gate.opened': 'gate',
  'gate.decided': 'gate',
  'hold.begun': 'held',
  'drain.requested': 'draining',
  'question.asked': 'question asked',
  'question.answered': 'question answered',
  'iteration.started': 'iteration',
  'session.stopped': 'stopped',
  'signal.queued': 'signal queued while held',
  'knowledge.promoted': 'knowledge promoted',
  'turn.decided': 'turn decided:',
  'timer.fired': 'loop timer',
  'plan.decided': 'plan',
  'flow.step-refused': 'step of a flow refused',
  'issues.given-back': 'locks given back',
  'pr.sent-back': 'pull request sent back',
  'task.claimed': 'task claimed',
  'task.released': 'task released',
  'worker.left': 'worker left',
  'worker.knocked': 'worker knocked',
  'worker.admitted': 'worker admitted',
  'worker.messaged': 'worker messaged',
};

const detail = (event: Event): string => {
  switch (event.type) {
    case 'state.entered':
      return event.state;
    case 'invocation.started':
      return event.mode;
    case 'invocation.ended':
      return `${event.outcome.role} ${event.outcome.status}`;
    case 'invocation.failed':
      return event.kind;
    case 'invocation.interrupted':
      return event.reason;
    case 'steer.decided':
      return event.verdict;
    case 'gate.opened':
      return `${event.gate} opened`;
    case 'gate.decided':
      return `${event.gate} ${event.decision}`;
    case 'iteration.started':
      return String(event.iteration);
    case 'plan.decided':
      return event.verdict;
    case 'turn.decided':
      return String(event.stop);
    case 'timer.fired':
      return event.timer.startsWith('loop:') ? event.timer : 'of others';
    case 'session.stopped':
      return stopOf(event);
    default:
      return '';
  }
};

const stopOf = ({ status, reason }: EventOf<'session.stopped'>): string =>
  `${status}${/^(gate|limit)/.exec(reason)?.[0].replace(/^/, ', ') ?? ''}`;
