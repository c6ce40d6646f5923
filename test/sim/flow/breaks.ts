import { flowTaskOf } from '../../../src/issues/task-list/stored-task.ts';
import { readJournal } from '../../../src/observability/journal-file.ts';
import type { Event } from '../../../src/pipeline/event.ts';
import type { FlowState, TeamMember } from '../../../src/pipeline/modes/flow/flow-state.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { SimulatedSession } from '../../helpers/engine-session.ts';
import type { Break } from '../breaks.ts';
import type { Act } from './ledger.ts';

const withFlow = (state: SessionState, change: (flow: FlowState) => Partial<FlowState>): SessionState =>
  state.flow === null ? state : { ...state, flow: { ...state.flow, ...change(state.flow) } };

const withMembers = (state: SessionState, change: (member: TeamMember) => TeamMember): SessionState =>
  withFlow(state, ({ workers }) => ({
    workers: new Map([...workers].map(([name, member]) => [name, change(member)])),
  }));

const stranger = {
  program: 'other',
  process: { boot: 'b', pidNamespace: 'n', pid: 1, startTime: '1' },
  key: 'k',
};

const merge: Act = { kind: 'merge', branch: 'ralph/1', checks: null };

/** The act of the engine that a guard is told instead of the first kind. */
const instead =
  (kind: Act['kind'], other: (act: Act, state: SessionState) => Act): NonNullable<Break['act']> =>
  (act, state) =>
    act.kind === kind ? other(act, state) : act;

/** Writes that move an issue, told as if it had been in this state. */
const movedFrom = (before: 'Done' | 'Human Needed'): Break => ({
  mode: 'hero',
  act: instead('write', (act) =>
    act.kind === 'write' && act.change.state !== undefined ? { ...act, before } : act,
  ),
});

const firstIssue = ({ disk }: SimulatedSession): string | undefined =>
  disk.tree('/work/.ralph/issues').find((path) => path.endsWith('.md'));

/** The last line of a type under the next number. */
const again =
  (fits: (event: Event) => boolean, change: (line: string) => string = (line) => line) =>
  (session: SimulatedSession): void => {
    const { events } = readJournal(session.disk, session.paths.journal);
    const found = events.findLast(fits);
    if (found === undefined) return;
    const text = session.disk.text(session.paths.journal);
    const line = change(JSON.stringify({ ...found, seq: events.length + 1 }));
    session.disk.put(session.paths.journal, `${text}${line}\n`);
  };

/** Promises about issues, merges and teams, broken on purpose. */
export const breaksOfFlows: Readonly<Record<string, Break>> = {
  'closed-issue-moved': movedFrom('Done'),
  'taken-issue-moved': movedFrom('Human Needed'),
  'held-issue-changed': {
    mode: 'hero',
    act: instead('write', (act) => ({ ...act, heldBy: '260301-000001' }) as Act),
  },
  'undecided-plan': {
    mode: 'hero',
    act: instead('write', (act) =>
      act.kind === 'write' && act.change.state === 'Research in Progress'
        ? { ...act, change: { state: 'In Progress' } }
        : act,
    ),
  },
  'unanswered-plan': {
    mode: 'hero',
    tell: (event, state) => [
      event.type === 'question.answered' ? { ...event, request: 'plan:another' } : event,
      state,
    ],
  },
  'forged-approval': {
    mode: 'hero',
    tell: (event, state) => [event.type === 'question.answered' ? { ...event, signal: null } : event, state],
  },
  'moved-by-nobody': {
    mode: 'hero',
    beforeEnd: (session) => {
      const path = firstIssue(session);
      if (path)
        session.disk.put(path, session.disk.text(path).replace(/^state: .*$/m, 'state: plan-in-review'));
    },
  },
  'linked-twice': {
    mode: 'hero',
    beforeEnd: ({ disk }) => {
      const path = disk.tree('/work/.ralph/issues').find((each) => each.endsWith('.comments.jsonl'));
      if (path) disk.put(path, `${disk.text(path)}${disk.text(path)}`);
    },
  },
  'left-lock': {
    mode: 'hero',
    beforeEnd: (session) => {
      const path = firstIssue(session);
      const lock = 'lock: {holder: {machine: here, workspace: /work, session: 260215-101500}, since: ""}';
      if (path) session.disk.put(path, session.disk.text(path).replace('---\n', `---\n${lock}\n`));
    },
  },
  'landing-unseen': {
    mode: 'hero',
    tell: (event, state) => [
      event.type === 'flow.step-started' && event.step.kind === 'see-issues'
        ? { ...event, step: { kind: 'poll' } }
        : event,
      state,
    ],
  },
  'merge-out-of-turn': { mode: 'hero', act: instead('write', () => merge) },
  'unchecked-merge': {
    mode: 'hero',
    act: instead('merge', (act) => ({ ...act, checks: 'failed' }) as Act),
  },
  'unverified-merge': {
    mode: 'hero',
    tell: (event, state) => [
      event.type === 'invocation.ended' && event.outcome?.role === 'Reviewer'
        ? { ...event, outcome: { ...event.outcome, verdict: 'Failed' } }
        : event,
      state,
    ],
  },
  'merge-without-verdict': {
    mode: 'hero',
    tell: (event, state) => [
      event.type === 'review.passed'
        ? { ...event, type: 'review.missed', reason: 'it said nothing', next: 'merge' }
        : event,
      state,
    ],
  },
  'unreviewed-merge': {
    mode: 'hero',
    act: instead('write', (act) =>
      act.kind === 'write' && act.change.state === 'In Progress' ? { ...act, change: {} } : act,
    ),
  },
  'merge-without-leave': {
    mode: 'hero',
    leave: (state) => withFlow(state, () => ({ auto_merge: false })),
  },
  'merge-without-work': {
    mode: 'hero',
    tell: (event, state) => [
      event,
      event.type === 'result.recorded'
        ? {
            ...state,
            tasks: new Map(
              [...state.tasks].filter(([, { definition }]) => flowTaskOf(definition)?.phase !== 'implement'),
            ),
          }
        : state,
    ],
  },
  'two-pull-requests': {
    mode: 'hero',
    act: instead('pull-request', (act) => ({ ...act, open: 2 }) as Act),
  },
  'done-twice': { mode: 'hero', beforeEnd: again(({ type }) => type === 'task.qualified') },
  'unclaimed-work': {
    mode: 'hero',
    tell: (event, state) => [
      event,
      event.type === 'invocation.started' ? withFlow(state, () => ({ claims: new Map() })) : state,
    ],
  },
  'claim-of-a-stranger': {
    mode: 'team',
    tell: (event, state) => [
      event.type === 'task.claimed' ? { ...event, worker: 'builder-9' } : event,
      state,
    ],
  },
  'wrong-role': {
    mode: 'team',
    tell: (event, state) => [
      event.type === 'task.claimed' && event.worker !== 'validator-1'
        ? { ...event, worker: 'validator-1' }
        : event,
      state,
    ],
  },
  'two-winners': {
    mode: 'team',
    beforeEnd: again(
      (event) => event.type === 'task.claimed',
      (line) => line.replace(/"worker":"[^"]*"/, '"worker":"builder-9"'),
    ),
  },
  'two-at-once': {
    mode: 'team',
    tell: (event, state) => [
      event,
      event.type === 'task.claimed'
        ? {
            ...state,
            invocations: new Map(
              [...state.invocations].map(([id, each]) => [id, { ...each, worker: event.worker }]),
            ),
          }
        : state,
    ],
  },
  'stays-a-member': {
    mode: 'team',
    end: (state) => withMembers(state, (member) => ({ ...member, left: null })),
  },
  'unadmitted-claim': {
    mode: 'team',
    tell: (event, state) => [
      event,
      event.type === 'task.claimed'
        ? withMembers(state, (member) => ({ ...member, foreign: { ...stranger, admittedBy: null } }))
        : state,
    ],
  },
  'forged-admission': {
    mode: 'team',
    tell: (event, state) => [event.type === 'worker.admitted' ? { ...event, by: 'kim' } : event, state],
  },
  'claim-of-a-dead-one': {
    mode: 'team',
    see: (state) =>
      withFlow(
        withMembers(state, (member) => ({ ...member, left: null })),
        ({ workers }) => ({
          claims: new Map([...workers.keys()].map((worker) => [worker, { worker, since: '' }])),
        }),
      ),
  },
};
