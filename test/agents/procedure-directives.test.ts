import { describe, expect, test } from 'vitest';
import { outcomeSchema } from '../../src/agents/outcome.ts';
import type { Brief, Directive, RoleEnd, TurnResult } from '../../src/agents/port.ts';
import { procedures } from '../../src/agents/roles/index.ts';
import { type CheckpointId, checkpointOf, checkpoints } from '../../src/signals/checkpoints.ts';
import type { Role } from '../../src/signals/signal.ts';
import {
  abort,
  at,
  briefOf,
  cancel,
  go,
  info,
  pause,
  rolePort,
  type Step,
  steer,
  type TurnStep,
  taskOf,
  turn,
} from '../helpers/role-port.ts';

const implemented = { status: 'completed', files_modified: ['a.txt'] };
const reviewed = { verdict: 'Qualified', criteria: [{ criterion: 'c', status: 'met' }] };
const question = { category: 'risks', id: 'Q-RISK-001', question: 'Why?', cycle: 1 };
const issue = { id: 'ISS-001', text: 'It is slow' };
const item = {
  category: 'how-to',
  name: 'a.md',
  body: '# A',
  source_iteration: 1,
  staged_at: '2026-02-15T03:15:00Z',
};

/** One way through each mode that has a checkpoint: all its steps, in order, when nobody says anything. */
const ways: Readonly<Record<string, { readonly brief: Partial<Brief>; readonly steps: readonly Step[] }>> = {
  Executor: {
    brief: { role: 'Executor', mode: 'IMPLEMENT', task: taskOf(), attempt: 1 },
    steps: [at('Executor.0'), at('Executor.2'), turn('implement', 'Executor.3.5', implemented)],
  },
  Reviewer: {
    brief: { role: 'Reviewer', mode: 'TASK_REVIEW', task: taskOf(), attempt: 1 },
    steps: [
      at('Reviewer.0'),
      at('Reviewer.1.5'),
      turn('review', 'Reviewer.1.5', reviewed),
      at('Reviewer.verdict'),
    ],
  },
  'Reviewer session': {
    brief: { role: 'Reviewer', mode: 'SESSION_REVIEW' },
    steps: [
      at('Reviewer.session'),
      turn('review-session', null, { assessment: 'All is done.', goals_achieved: true }),
    ],
  },
  'Planner breakdown': {
    brief: { role: 'Planner', mode: 'TASK_BREAKDOWN' },
    steps: [at('Planner.start'), at('Planner.breakdown.0'), turn('breakdown', null, { tasks: [taskOf()] })],
  },
  'Questioner brainstorm': {
    brief: { role: 'Questioner', mode: 'brainstorm' },
    steps: [
      at('Questioner.brainstorm.1.5'),
      turn('brainstorm', null, { questions: [question], generated: 1 }),
    ],
  },
  'Questioner research': {
    brief: { role: 'Questioner', mode: 'research' },
    steps: [
      turn('open-questions', null, { questions: [question] }),
      at('Questioner.research.2'),
      turn('research', null, { answer: 'So.' }),
    ],
  },
  'Questioner feedback': {
    brief: { role: 'Questioner', mode: 'feedback-analysis', iteration: 2 },
    steps: [
      turn('critical-issues', null, { issues: [issue] }),
      at('Questioner.feedback.2'),
      turn('analyse', null, { answer: 'It is.', critical: true }),
    ],
  },
  'Librarian stage': {
    brief: { role: 'Librarian', mode: 'STAGE' },
    steps: [at('Librarian.stage'), turn('collect', null, { items: [item] }), at('Librarian.collected')],
  },
  'Librarian promote': {
    brief: { role: 'Librarian', mode: 'PROMOTE' },
    steps: [
      at('Librarian.promote'),
      turn('promote', null, { documents: [{ file: 'how-to/a.md', text: 'x' }], index: 'i' }),
    ],
  },
};

interface Cell {
  readonly way: string;
  readonly brief: Brief;
  /** Steps before the checkpoint, and from it on. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly checkpoint: CheckpointId;
}

const cells: readonly Cell[] = Object.entries(ways).flatMap(([way, { brief, steps }]) =>
  steps.flatMap((step, index) =>
    'checkpoint' in step
      ? [
          {
            way,
            brief: briefOf(brief),
            before: steps.slice(0, index),
            after: steps.slice(index + 1),
            checkpoint: step.checkpoint,
          },
        ]
      : [],
  ),
);

const play = async (brief: Brief, steps: readonly Step[]) => {
  const port = rolePort(brief, steps);
  const end = await procedures[brief.role](port);
  port.expectDone();
  if (end.kind === 'outcome') outcomeSchema().parse(end.outcome);
  return { end, port };
};

const outcome = (end: RoleEnd) => {
  expect(end.kind).toBe('outcome');
  if (end.kind !== 'outcome') throw new Error('no outcome');
  return end;
};

/** Goes to the checkpoint, gives `directive` there, and plays `rest`. */
const reach = (cell: Cell, directive: Directive, rest: readonly Step[]) =>
  play(cell.brief, [...cell.before, at(cell.checkpoint, directive), ...rest]);

test('the ways reach every checkpoint of the five roles but the one inside the work', () => {
  const reached = new Set(cells.map((cell) => cell.checkpoint));
  const all = checkpoints.filter(({ agent }) => agent !== 'Orchestrator').map(({ id }) => id);
  expect(all.filter((id) => !reached.has(id))).toEqual(['Executor.3.5']);
});

describe.each(cells.map((cell) => [`${cell.way} at ${cell.checkpoint}`, cell] as const))('%s', (_, cell) => {
  test('goes on when nothing lies there', async () => {
    const { end } = await reach(cell, go(), cell.after);
    expect(outcome(end).outcome).toMatchObject({ status: 'completed', role: cell.brief.role });
  });

  test('takes an INFO into its context and does nothing else', async () => {
    const { end, port } = await reach(cell, go(info('tabs, not spaces')), cell.after);
    expect(outcome(end).outcome.status).toBe('completed');
    expect(port.facts.filter((fact) => fact.type === 'steer.decided')).toEqual([]);
    const later = port.asks.slice(cell.before.filter((step) => 'turn' in step).length);
    for (const ask of later.filter(({ kind }) => kind !== 'commit'))
      expect(ask.messages.map(({ text }) => text)).toContain('tabs, not spaces');
  });

  test('returns paused, and goes on from there without repeating what was done', async () => {
    const { end } = await reach(cell, pause, []);
    const paused = outcome(end);
    expect(paused.outcome).toMatchObject({ status: 'paused', blockers: ['Paused by signal.'] });
    expect(paused.artifacts).toEqual([]);
    const continuation: unknown = JSON.parse(JSON.stringify(paused.continuation));
    const resumed = {
      ...cell.brief,
      continuation,
      messages: [{ id: 'r', kind: 'RESUME', text: '' }],
    } as const;
    const again = await play(resumed, [at(cell.checkpoint), ...cell.after]);
    expect(outcome(again.end).outcome.status).toBe('completed');
    expect(outcome(again.end).artifacts).toEqual(
      outcome((await reach(cell, go(), cell.after)).end).artifacts,
    );
  });

  test('returns blocked on ABORT and starts nothing more', async () => {
    const { end } = await reach(cell, abort, []);
    expect(outcome(end).outcome).toMatchObject({ status: 'blocked', blockers: ['Aborted by signal'] });
    expect(outcome(end).continuation).toBeUndefined();
  });

  test('returns blocked with the reason when it is cancelled', async () => {
    const { end } = await reach(cell, cancel, []);
    expect(outcome(end).outcome).toMatchObject({ status: 'blocked', blockers: ['Cancelled by kim'] });
  });

  test('settles a STEER as the matrix says', async () => {
    const message = steer('also greet in French');
    const reaction = checkpointOf(cell.checkpoint).reactions.STEER;
    const again = afterSteer(cell);
    const { end, port } = await reach(cell, go(message), again);
    expect(outcome(end).outcome.status).toBe('completed');
    // Without a model the Librarian can only leave documents out, and the iteration is judged by its tasks.
    const isFixed = cell.brief.role === 'Librarian' || cell.brief.mode === 'SESSION_REVIEW';
    const tree = isFixed ? 'not followed' : 'adjust';
    const verdict = { tree, context: 'context', 're-evaluate': 're-evaluated' }[String(reaction)];
    expect(port.facts.filter((fact) => fact.type === 'steer.decided')).toMatchObject([
      { id: message.id, verdict },
    ]);
  });

  test('hands a redefinition back to where tasks are made, and begins again with it where there is no task', async () => {
    const message = steer('build the other thing', 'escalate');
    const reaction = checkpointOf(cell.checkpoint).reactions.STEER;
    if (reaction === 'context' || cell.brief.task === undefined) {
      const { end, port } = await reach(cell, go(message), afterEscalation(cell));
      expect(outcome(end).outcome.status).toBe('completed');
      expect(outcome(end).escalation).toBeUndefined();
      const later = port.asks.slice(cell.before.filter((step) => 'turn' in step).length);
      for (const ask of later) expect(ask.messages).toContainEqual(message);
      return;
    }
    const { end } = await reach(cell, go(message), []);
    expect(outcome(end).outcome).toMatchObject({
      status: 'blocked',
      blockers: ['STEER scope change: build the other thing'],
    });
    expect(outcome(end).escalation).toBe('build the other thing');
  });
});

/** What follows an escalation without a task: what was collected before it is collected again. */
const afterEscalation = (cell: Cell): readonly Step[] =>
  cell.checkpoint === 'Librarian.collected'
    ? [turn('collect', null, { items: [item] }), at('Librarian.collected')]
    : cell.after;

/** What follows a STEER: after the verdict the review is done again. */
const afterSteer = (cell: Cell): readonly Step[] => {
  if (cell.checkpoint === 'Reviewer.verdict')
    return [turn('review', 'Reviewer.1.5', reviewed), at('Reviewer.verdict')];
  return cell.after;
};

describe('a turn that does not come to an answer', () => {
  const first = (role: string): { brief: Brief; before: readonly Step[]; step: TurnStep } => {
    const way = ways[role];
    if (!way) throw new Error(role);
    const index = way.steps.findIndex((step) => 'turn' in step);
    const step = way.steps[index];
    if (!step || !('turn' in step)) throw new Error('no turn');
    return { brief: briefOf(way.brief), before: way.steps.slice(0, index), step };
  };

  test.each(Object.keys(ways))(
    '%s: what does not fit the contract is no result, and the raw text is kept',
    async (role) => {
      const { brief, before, step } = first(role);
      const prose = { ...step, gives: { kind: 'answered', answer: 'All done, I promise.' } } as const;
      const { end } = await play(brief, [...before, prose]);
      expect(end).toEqual({
        kind: 'no-result',
        raw: 'All done, I promise.',
        wrong: ['must be a map, not text'],
      });
    },
  );

  test.each(Object.keys(ways))('%s: a failed call and a used up quota are passed on', async (role) => {
    const { brief, before, step } = first(role);
    const gives = { kind: 'failed', fault: { code: 'quota', what: 'used up' }, quotaUntil: 5 } as const;
    const { end } = await play(brief, [...before, { ...step, gives }]);
    expect(end).toEqual(gives);
  });

  test.each(Object.keys(ways))('%s: a turn stopped by ABORT is blocked', async (role) => {
    const { brief, before, step } = first(role);
    const { end } = await play(brief, [...before, { ...step, gives: { kind: 'stopped', why: 'abort' } }]);
    expect(outcome(end).outcome).toMatchObject({ status: 'blocked', blockers: ['Aborted by signal'] });
  });

  test.each(['Executor', 'Reviewer'])(
    '%s: a turn that paused goes on with what its backend gave',
    async (role) => {
      const { brief, before, step } = first(role);
      const paused = await play(brief, [
        ...before,
        { ...step, gives: { kind: 'paused', continuation: { next: 3 } } },
      ]);
      const continuation = outcome(paused.end).continuation;
      const rest = ways[role]?.steps.slice(before.length) ?? [];
      const { port } = await play({ ...brief, continuation }, rest);
      expect(port.asks[0]?.data).toMatchObject({ continuation: { next: 3 } });
      expect(port.facts).toEqual([]);
    },
  );
});

test.each([
  ['brainstorm', 'brainstorm', briefOf({ role: 'Questioner', mode: 'brainstorm' })],
  ['session review', 'review-session', briefOf({ role: 'Reviewer', mode: 'SESSION_REVIEW' })],
])('%s: a reply that came while pausing is not asked for again', async (_name, kind, brief) => {
  const before = [at(kind === 'brainstorm' ? 'Questioner.brainstorm.1.5' : 'Reviewer.session')];
  const asked = (gives: TurnResult) => [...before, { turn: kind, boundary: null, gives }];
  const paused = await play(brief, asked({ kind: 'paused', continuation: { answer: 'paid for' } }));
  const { continuation } = outcome(paused.end);
  const { port } = await play({ ...brief, continuation }, asked({ kind: 'stopped', why: 'abort' }));
  expect(port.asks.at(-1)?.data).toMatchObject({ continuation: { answer: 'paid for' } });
});

test('a role whose brief lacks its task says so', async () => {
  for (const role of ['Executor', 'Reviewer'] satisfies readonly Role[]) {
    const mode = role === 'Executor' ? 'IMPLEMENT' : 'TASK_REVIEW';
    const end = await procedures[role](rolePort(briefOf({ role, mode }), []));
    expect(end).toMatchObject({ kind: 'failed', fault: { code: 'brief-incomplete' } });
  }
});
