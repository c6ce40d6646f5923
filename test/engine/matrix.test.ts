import { describe, expect, test } from 'vitest';
import type { SessionEnd } from '../../src/engine/engine.ts';
import type { EventOf } from '../../src/pipeline/event.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import {
  type Checkpoint,
  type CheckpointId,
  checkpoints,
  type Reaction,
} from '../../src/signals/checkpoints.ts';
import type { Signal, SignalType } from '../../src/signals/signal.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';

/**
 * Every cell of the checkpoint × type matrix (src/signals/README.md, Checkpoints): a session runs until the checkpoint is reached, the signal is dropped in
 * that moment, and what the table states has to happen. One task has no `verify`, so that there is a question to research; one Executor and one
 * Reviewer at a time, so that "between" is reached.
 */
const plan = `goal: Two words
tasks:
  - id: first
    title: The first word
    files: [first.txt]
    criteria: ["first.txt says one"]
    run: [say one, say two]
    verify: [look first]
  - id: second
    title: The second word
    files: [second.txt]
    run: [say three]
`;

const feedback = `---
iteration: 2
---
# Feedback
## Critical Issues
- [ ] **ISS-001**: The first word is wrong
  - Evidence: first.txt
`;

interface Story {
  readonly session: SimulatedSession;
  readonly end: SessionEnd;
  readonly id: string;
  readonly reached: EventOf<'checkpoint.reached'> | null;
}

type Dropped = Partial<Signal> & { readonly type: SignalType };

/** Runs a session, drops the signal at the first arrival at the checkpoint, answers gates and ends holds as a person would. */
const tell = async (
  checkpoint: CheckpointId,
  signal: Dropped | ((session: SimulatedSession) => Dropped),
): Promise<Story> => {
  const session = createSimulatedSession({
    plan,
    attended: true,
    settings: {
      concurrency: { max_parallel_executors: 1, max_parallel_reviewers: 1, max_parallel_checks: 1 },
      knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: null },
    },
    program: ({ command }) => ({
      runsMs: 2_000,
      effect: () => {
        if (String(command).startsWith('say')) {
          session.disk.put('/work/first.txt', 'one');
          session.disk.put('/work/second.txt', 'three');
        }
      },
    }),
  });
  let id = '';
  let reached: Story['reached'] = null;
  session.watchers.add((event) => {
    if (id !== '') return;
    const arrived = event.type === 'checkpoint.reached' && event.checkpoint === checkpoint;
    // Nobody arrives at the watch: it looks whenever it is told that something lies there.
    const watching = checkpoint === 'Orchestrator.watch' && event.type === 'process.started';
    if (!arrived && !watching) return;
    if (event.type === 'checkpoint.reached') reached = event;
    id = session.publish(typeof signal === 'function' ? signal(session) : signal);
    if (watching) engine.wake();
  });
  let patience = 0;
  const person = () => {
    const { hold, gate } = engine.state();
    patience = hold?.stage === 'paused' || gate ? patience + 1 : 0;
    if (patience < 8) return;
    patience = 0;
    session.publish({ type: hold ? 'RESUME' : 'APPROVE', target: 'Orchestrator' });
  };
  let engine = session.begin();
  expect(await engine.start()).toBeNull();
  let end = await session.settle(engine, person);
  if (id === '') {
    const directory = `${session.paths.iteration(2).feedbacks}/20260215-120000`;
    session.disk.mkdir(directory);
    session.disk.put(`${directory}/feedbacks.md`, feedback);
    engine = session.resume();
    expect(await engine.start()).toBeNull();
    end = await session.settle(engine, person);
  }
  expect(id, `${checkpoint} was never reached`).not.toBe('');
  return { session, end, id, reached };
};

const archived = ({ session, id }: Story): string => {
  const entry = session
    .mailbox()
    .list()
    .find((each) => each.id === id);
  expect(entry?.stage).toBe('processed');
  return session.disk.text(`${session.paths.signals}/processed/${entry?.file}`);
};

const handled = (story: Story) => {
  const event = story.session.find('signal.handled', ({ id }) => id === story.id);
  expect(event).toBeDefined();
  return event;
};

const expectNothingStopped = (story: Story): void => {
  expect(story.end).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(story.session.all('hold.requested')).toEqual([]);
  expect(story.session.all('invocation.interrupted')).toEqual([]);
  expect(story.session.all('task.failed')).toEqual([]);
};

const hows: Readonly<Partial<Record<Reaction, string>>> = {
  context: 'context',
  tree: 'tree',
  're-evaluate': 'tree',
  guide: 'guidance',
};

const target = (checkpoint: Checkpoint) => checkpoint.agent;
const roles = checkpoints.filter(({ agent }) => agent !== 'Orchestrator');
const orchestrators = checkpoints.filter(
  ({ agent, id }) => agent === 'Orchestrator' && id !== 'Orchestrator.watch',
);

/** Here no command runs after the checkpoint that could carry words: code looks for questions, judges the iteration, collects and promotes. */
const withoutCarrier: ReadonlySet<CheckpointId> = new Set<CheckpointId>([
  'Questioner.brainstorm.1.5',
  'Questioner.research.2',
  'Questioner.feedback.2',
  'Reviewer.session',
  'Reviewer.verdict',
  'Librarian.stage',
  'Librarian.collected',
  'Librarian.promote',
]);

/** Code does the work in a fixed way, to which words add nothing. */
const isOfCode = ({ agent, id }: Checkpoint): boolean => agent === 'Librarian' || id === 'Reviewer.session';

/** The invocation that took the words in the end: the one that was reached, but for INITIALIZE, whose plan the breakdown writes again. */
const carriedBy = ({ session, id, reached }: Story): string | undefined => {
  if (reached?.checkpoint !== 'Planner.start') return reached?.invocation ?? undefined;
  const breakdown = session.find('invocation.started', ({ mode }) => mode === 'TASK_BREAKDOWN')?.invocation;
  expect(session.find('message.arrived', (event) => event.id === id)?.invocation).toBe(breakdown);
  return breakdown;
};

/** Nothing carried it: the file says so, and names nobody as its reader. */
const expectUndelivered = (story: Story): void => {
  expect(story.session.find('signal.undelivered', ({ id }) => id === story.id)).toBeDefined();
  expect(story.session.find('signal.handled', ({ id }) => id === story.id)).toBeUndefined();
  expect(archived(story)).toContain('undelivered');
  expectNothingStopped(story);
};

describe('at every checkpoint of a role', () => {
  test.each(roles)('$id: INFO joins the context, and nothing else happens', async (checkpoint) => {
    const story = await tell(checkpoint.id, { type: 'INFO', target: target(checkpoint), message: 'A fact' });
    if (withoutCarrier.has(checkpoint.id)) return expectUndelivered(story);
    const invocation = carriedBy(story);
    const recipient = `${checkpoint.agent}~${invocation}`;
    expect(story.session.find('signal.delivered', ({ id }) => id === story.id)).toMatchObject({
      recipient,
      checkpoint: checkpoint.id,
      how: 'context',
      message: { kind: 'INFO', text: 'A fact' },
    });
    expect(handled(story)).toMatchObject({
      handled_by: `Ralph-v2-${checkpoint.agent}`,
      checkpoint: checkpoint.id,
      invocation,
      action_taken: expect.stringMatching(/^added to the context (?:in plan\.md|with `[^`]+`)$/),
    });
    expect(archived(story)).toContain(`handled_by: Ralph-v2-${checkpoint.agent}`);
    expect(story.session.all('steer.decided')).toEqual([]);
    expectNothingStopped(story);
  });

  test.each(roles)(
    '$id: STEER comes to $reactions.STEER, with evidence in the archive',
    async (checkpoint) => {
      const story = await tell(checkpoint.id, {
        type: 'STEER',
        target: target(checkpoint),
        message: 'Also greet politely',
      });
      const reaction = checkpoint.reactions.STEER;
      if (checkpoint.agent === 'Questioner') return expectUndelivered(story);
      const invocation = carriedBy(story);
      expect(story.session.find('signal.delivered', ({ id }) => id === story.id)).toMatchObject({
        recipient: `${checkpoint.agent}~${invocation}`,
        how: hows[reaction],
      });
      const decided = story.session
        .all('steer.decided')
        .find((each) => each.id === story.id && each.invocation === invocation);
      const verdicts =
        reaction === 'tree'
          ? [isOfCode(checkpoint) ? 'not followed' : 'adjust', 'restart']
          : reaction === 're-evaluate'
            ? ['re-evaluated']
            : ['context'];
      expect(verdicts).toContain(decided?.verdict);
      expect(handled(story)?.action_taken).toBe(
        `${decided?.verdict}: ${decided?.action}; evidence: ${decided?.evidence}`,
      );
      expect(archived(story)).toContain('evidence');
      expectNothingStopped(story);
    },
  );

  test.each(roles)(
    '$id: PAUSE puts the invocation to sleep, RESUME goes on with the same one',
    async (checkpoint) => {
      const story = await tell(checkpoint.id, { type: 'PAUSE' });
      const invocation = story.reached?.invocation;
      const started = story.session.all('invocation.started').find((each) => each.invocation === invocation);
      const on = started?.task === undefined ? '' : ` on ${started.task}`;
      expect(handled(story)).toMatchObject({
        handled_by: `Ralph-v2-${checkpoint.agent}`,
        checkpoint: checkpoint.id,
        action_taken: `pausing: waiting for ${checkpoint.agent}${on}`,
      });
      const order = story.session.events
        .filter(({ type }) => /^(hold|invocation\.(paused|resumed))/.test(type))
        .map((event) => ('invocation' in event ? `${event.type} ${event.invocation}` : event.type));
      expect(order).toEqual([
        'hold.requested',
        `invocation.paused ${invocation}`,
        'hold.begun',
        'hold.ended',
        `invocation.resumed ${invocation}`,
      ]);
      expect(story.end).toMatchObject({ status: 'completed', exitCode: 0 });
      expect(story.session.all('task.started').filter(({ attempt }) => attempt > 1)).toEqual([]);
    },
  );

  test.each(roles)('$id: DRAIN lets the work under way end, then the session stops', async (checkpoint) => {
    const story = await tell(checkpoint.id, { type: 'DRAIN' });
    const invocation = story.reached?.invocation ?? '';
    expectDrained(story);
    expect(handled(story)).toMatchObject({
      handled_by: `Ralph-v2-${checkpoint.agent}`,
      checkpoint: checkpoint.id,
    });
    expect(handled(story)?.action_taken).toMatch(/^draining: waiting for /);
    const ended = story.session.find('invocation.ended', (event) => event.invocation === invocation);
    expect(ended?.outcome.status).toBe('completed');
  });

  test.each(roles)('$id: ABORT ends the session and cleans up', async (checkpoint) => {
    const story = await tell(checkpoint.id, { type: 'ABORT' });
    expectAborted(story);
    expect(handled(story)).toMatchObject({
      handled_by: `Ralph-v2-${checkpoint.agent}`,
      checkpoint: checkpoint.id,
    });
    expect(handled(story)?.action_taken).toMatch(/^aborted: /);
  });
});

/** Nothing was cut short, nothing was started after it, and the session can be resumed. */
const expectDrained = ({ session, end }: Story): void => {
  expect(end).toMatchObject({ status: 'paused', exitCode: 4, unverified: [] });
  expect(end.reason).toMatch(/^drain requested by /);
  const asked = session.find('drain.requested')?.seq ?? 0;
  expect(session.all('invocation.started').filter(({ seq }) => seq > asked)).toEqual([]);
  expect(session.all('invocation.interrupted')).toEqual([]);
  expect(session.disk.text(session.paths.metadata)).toContain('status: paused');
  expect(session.spawn.running()).toEqual([]);
};

/** Seed 001, section 3.4, as it stands on disk. */
const expectAborted = ({ session, end }: Story): void => {
  expect(end).toMatchObject({ status: 'aborted', reason: 'aborted', exitCode: 130, unverified: [] });
  const iteration = session.events.reduce(
    (now, event) => (event.type === 'iteration.started' ? event.iteration : now),
    1,
  );
  const metadata = session.disk.text(session.paths.metadata);
  expect(metadata).toContain('status: aborted');
  expect(metadata).toContain('state: COMPLETE');
  expect(session.disk.text(session.paths.iteration(iteration).metadata)).toMatch(/completed_at: \d{4}/);
  expect(session.disk.text(session.paths.iteration(iteration).progress)).not.toMatch(/^- \[\/\]/m);
  expect(session.spawn.running()).toEqual([]);
  const stop = session.events.findIndex(({ type }) => type === 'processes.stopped');
  expect(stop).toBeGreaterThan(0);
  expect(session.events.slice(stop).filter(({ type }) => type === 'invocation.started')).toEqual([]);
};

describe('at every checkpoint of the orchestrator', () => {
  test.each(orchestrators)('$id: INFO and STEER stand as guidance for what comes later', async ({ id }) => {
    for (const type of ['INFO', 'STEER'] as const) {
      const story = await tell(id, { type, target: 'Orchestrator', message: 'Prefer short words' });
      if (id === 'Orchestrator.approval') {
        // No command runs any more.
        expectUndelivered(story);
        continue;
      }
      expect(story.session.find('signal.delivered', (event) => event.id === story.id)).toMatchObject({
        how: 'guidance',
        checkpoint: id,
      });
      expect(handled(story)).toMatchObject({
        handled_by: 'Ralph-v2-Orchestrator',
        checkpoint: id,
        invocation: null,
        action_taken: 'kept as guidance for later invocations',
      });
      const later = story.session
        .all('invocation.started')
        .filter(({ seq }) => seq > (story.reached?.seq ?? 0));
      expect(later.length).toBeGreaterThan(0);
      for (const { messages } of later)
        expect(messages.map(({ text }) => text)).toContain('Prefer short words');
      expectNothingStopped(story);
    }
  });

  test.each(orchestrators)('$id: PAUSE holds before anything new starts', async ({ id }) => {
    const story = await tell(id, { type: 'PAUSE' });
    const hold = story.session.find('hold.requested');
    const begun = story.session.find('hold.begun');
    const ended = story.session.find('hold.ended');
    expect(handled(story)).toMatchObject({ handled_by: 'Ralph-v2-Orchestrator', checkpoint: id });
    const during = story.session.events.filter(
      ({ seq, type }) => type === 'invocation.started' && seq > (hold?.seq ?? 0) && seq < (ended?.seq ?? 0),
    );
    expect(begun).toBeDefined();
    expect(during).toEqual([]);
    expect(story.end).toMatchObject({ status: 'completed', exitCode: 0 });
  });

  test.each(orchestrators)('$id: DRAIN stops before anything new starts', async ({ id }) => {
    const story = await tell(id, { type: 'DRAIN' });
    expectDrained(story);
    expect(handled(story)).toMatchObject({ handled_by: 'Ralph-v2-Orchestrator', checkpoint: id });
  });

  test.each(orchestrators)('$id: ABORT ends the session and cleans up', async ({ id }) => {
    const story = await tell(id, { type: 'ABORT' });
    expectAborted(story);
    expect(handled(story)).toMatchObject({ handled_by: 'Ralph-v2-Orchestrator', checkpoint: id });
  });
});

describe('while agents run, the watch', () => {
  test.each(['INFO', 'STEER'] as const)('leaves %s to the agent it is for', async (type) => {
    const story = await tell('Orchestrator.watch', { type, target: 'Executor', message: 'Also greet' });
    const pending = story.session.find('signal.pending', ({ pending }) => pending.id === story.id);
    expect(pending?.waits_for).toContain('the agent on ');
    expect(handled(story)).toMatchObject({ handled_by: 'Ralph-v2-Executor', checkpoint: 'Executor.3.5' });
    expectNothingStopped(story);
  });

  test('PAUSE at once: pausing while the command runs, paused when it has finished', async () => {
    const story = await tell('Orchestrator.watch', { type: 'PAUSE' });
    expect(handled(story)).toMatchObject({
      handled_by: 'Ralph-v2-Orchestrator',
      checkpoint: 'Orchestrator.watch',
    });
    const at = (type: string) => story.session.events.findIndex((event) => event.type === type);
    expect(at('hold.requested')).toBeLessThan(at('command.ended'));
    expect(at('command.ended')).toBeLessThan(at('invocation.paused'));
    expect(story.session.find('command.ended')).toMatchObject({ ok: true, exit: '0' });
    expect(story.end).toMatchObject({ status: 'completed' });
  });

  test('DRAIN waits for the running attempt', async () => {
    const story = await tell('Orchestrator.watch', { type: 'DRAIN' });
    expectDrained(story);
    expect(story.session.find('command.ended')).toMatchObject({ ok: true, exit: '0' });
    expect(story.session.find('task.submitted')).toBeDefined();
  });

  test('ABORT stops a running command', async () => {
    const story = await tell('Orchestrator.watch', { type: 'ABORT' });
    expectAborted(story);
    expect(handled(story)?.action_taken).toBe('aborted: 1 process stopped and verified gone');
    expect(story.session.find('task.failed')).toMatchObject({ reason: 'Aborted by signal', counts: false });
  });
});

describe('whoever looks first takes what is for the whole session:', () => {
  const all = checkpoints.filter(({ id }) => id !== 'Orchestrator.watch');

  test.each(all)('SET at $id', async ({ id, agent }) => {
    const story = await tell(id, { type: 'SET', set: { 'timeouts.task_wip_minutes': 7 } });
    expect(handled(story)).toMatchObject({
      handled_by: `Ralph-v2-${agent}`,
      action_taken: 'set timeouts.task_wip_minutes = 7',
    });
    expect(story.session.find('settings.changed')).toMatchObject({ signal: story.id });
    expectNothingStopped(story);
  });

  test.each(all)('RESUME at $id, where nothing is held', async ({ id }) => {
    const story = await tell(id, { type: 'RESUME' });
    expect(handled(story)?.action_taken).toBe('not held');
    expectNothingStopped(story);
  });

  test('APPROVE and SKIP wait for the gate', async () => {
    const story = await tell('Executor.0', { type: 'SKIP', iteration: 1, message: 'Not yet' });
    expect(handled(story)).toMatchObject({ checkpoint: 'Orchestrator.approval' });
    expect(story.session.find('gate.decided')).toMatchObject({ decision: 'skip', signal: story.id });
    expect(story.session.all('knowledge.promoted')).toEqual([]);
    expect(story.session.disk.text(story.session.paths.iteration(1).progress)).toContain(
      '[C] plan-knowledge-approval',
    );
  });

  test('APPROVE of a selection promotes just that', async () => {
    const staged = (session: SimulatedSession) => session.find('gate.opened')?.files ?? [];
    const story = await tell('Orchestrator.approval', (session) => ({
      type: 'APPROVE',
      promote: staged(session).slice(0, 1),
    }));
    expect(staged(story.session).length).toBeGreaterThan(1);
    const [chosen, other] = staged(story.session);
    expect(handled(story)?.action_taken).toBe(`approved: ${chosen}`);
    expect(story.session.find('knowledge.promoted')?.files).toEqual([chosen]);
    const docs = story.session.disk.tree('/work/.docs');
    expect(docs).toContain(`/work/.docs/${chosen}`);
    expect(docs).not.toContain(`/work/.docs/${other}`);
  });

  test('APPROVE with a name that is not staged is rejected, and the gate stays open', async () => {
    const story = await tell('Orchestrator.approval', { type: 'APPROVE', promote: ['reference/none.md'] });
    expect(story.session.find('signal.rejected', ({ id }) => id === story.id)?.reason).toContain(
      'the gate stays open',
    );
    expect(story.session.all('gate.decided').map(({ signal }) => signal)).not.toContain(story.id);
    expect(story.end.status).toBe('completed');
  });

  test('RETRY stops the running attempt and starts the next with the message', async () => {
    const story = await tell('Executor.3.5', { type: 'RETRY', task: 'first', message: 'Say it louder' });
    expect(handled(story)?.action_taken).toContain('first is open again');
    const again = story.session.find(
      'invocation.started',
      ({ attempt, task }) => task === 'first' && attempt === 2,
    );
    expect(again?.messages.map(({ text }) => text)).toContain('Say it louder');
    expect(story.end.status).toBe('completed');
  });

  test('CANCEL stops the running attempt and marks the task', async () => {
    const story = await tell('Executor.3.5', { type: 'CANCEL', task: 'first' });
    expect(handled(story)?.action_taken).toContain('first cancelled');
    expect(story.session.disk.text(story.session.paths.iteration(1).progress)).toMatch(/\[C\] first/);
    expect(story.session.find('invocation.interrupted')?.reason).toBe('cancel');
  });

  test.each(['RETRY', 'CANCEL'] as const)('%s of an unknown task is rejected with its name', async (type) => {
    const story = await tell('Executor.0', { type, task: 'ghost' });
    expect(story.session.find('signal.rejected', ({ id }) => id === story.id)?.reason).toContain('ghost');
    expectNothingStopped(story);
  });

  test('ANSWER to a question nobody asked is rejected', async () => {
    const story = await tell('Executor.0', { type: 'ANSWER', request: 'none', option: 'yes' });
    expect(story.session.find('signal.rejected', ({ id }) => id === story.id)?.reason).toContain('none');
  });
});

test('the gate of the plan is answered like a question: sent back with what to change, then approved', async () => {
  const session = createSimulatedSession({
    plan,
    attended: true,
    settings: {
      gates: ['plan'],
      knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: 0 },
    },
    program: () => ({
      effect: () => {
        session.disk.put('/work/first.txt', 'one');
        session.disk.put('/work/second.txt', 'three');
      },
    }),
  });
  let gates = 0;
  session.watchers.add((event) => {
    if (event.type !== 'gate.opened' || event.gate !== 'plan') return;
    gates += 1;
    const answer = gates === 1 ? { option: 'revise', message: 'Name the words' } : { option: 'approve' };
    session.publish({ type: 'ANSWER', request: 'plan', ...answer });
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(gates).toBe(2);
  expect(session.all('signal.handled').map(({ action_taken }) => action_taken)).toEqual([
    'the plan goes back to the Planner',
    'the plan is approved',
  ]);
  const breakdowns = session.all('invocation.started').filter(({ mode }) => mode === 'TASK_BREAKDOWN');
  expect(breakdowns.at(-1)?.messages.map(({ text }) => text)).toContain('Name the words');
});
