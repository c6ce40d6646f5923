import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { recall } from '../../src/engine/recovery.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { createSimulatedSession, forger } from '../helpers/engine-session.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: One, run: [work one], verify: [check one]}
  - {id: two, title: Two, run: [work two], verify: [check two], blockedBy: [one]}
`;

interface Way {
  /** What is answered to each question of this kind; without it nothing is. */
  readonly option?: string;
  readonly from?: string;
  /** Edits by the agent in its one turn. */
  readonly edits?: readonly (readonly [line: string, edited: string])[];
  /** The edited file; `progress` without it. */
  readonly of?: 'progress' | 'metadata';
}

/** A session without a person at the screen, whose model agent works for a minute while `progress.md` is edited. */
const begun = async ({ of = 'progress', edits = [['- [ ] two', '- [x] two']] }: Way) => {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void session.clock.after(ms, resolve));
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: () => ({
      turn: async () => {
        for (const [line, text] of edits) {
          await wait(3_000);
          const file = of === 'progress' ? session.paths.iteration(1).progress : session.paths.metadata;
          session.disk.put(file, session.disk.text(file).replace(line, text));
        }
        await wait(60_000);
        return { kind: 'answered', answer: { status: 'completed' } };
      },
      stop: async () => {},
    }),
  };
  const session = createSimulatedSession({
    plan,
    proofs: 'kept',
    instructions: () => '# Mine',
    backends: [agent],
    program: () => ({ runsMs: 6_000 }),
    settings: {
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return { session, engine };
};

const edited = async (way: Way = {}) => {
  const { option, from } = way;
  const { session, engine } = await begun(way);
  const answered = new Set<string>();
  let duringWork: SessionState | null = null;
  const end = await session.settle(engine, () => {
    if (engine.state().invocations.size > 0) duringWork = engine.state();
    for (const { kind, request } of session.all('question.asked'))
      if (kind === 'edit' && option !== undefined && !answered.has(request)) {
        answered.add(request);
        session.publish({ type: 'ANSWER', request, option, iteration: 1, ...(from ? { from } : {}) });
      }
  });
  return { session, engine, end, duringWork: () => duringWork };
};

const byHand = { task: 'two', from: 'open', to: 'done' };

test('an edit that was put back is asked about: the first option keeps what the engine has', async () => {
  const { session } = await edited();
  expect(session.all('question.asked')).toMatchObject([
    {
      kind: 'edit',
      text: expect.stringMatching(
        /^iterations\/1\/progress\.md was edited while an agent was working \(1 line differs\)\. Was it you\?$/,
      ),
      options: [{ id: 'keep' }, { id: 'take' }],
      invocation: null,
    },
  ]);
});

test('an edit without an answer, or with keep, changes nothing, and the run does not wait', async () => {
  for (const way of [{}, { option: 'keep' }]) {
    const { session, engine, end } = await edited(way);
    expect(session.all('task.edited-by-hand')).toEqual([]);
    expect(session.all('question.asked')).toHaveLength(1);
    // The task failed by the blame. A question that the run waited for would end with code 3.
    expect(end.exitCode).not.toBe(3);
    expect([...engine.state().questions.values()].filter(({ answer }) => answer === null)).toEqual([]);
  }
});

test('the edit counts after take with the record of a person, and a replay of the journal knows it', async () => {
  const { session, engine } = await edited({ option: 'take' });
  expect(session.all('task.edited-by-hand')).toMatchObject([byHand]);
  expect(engine.state().tasks.get('two')).toMatchObject({ status: 'done', reason: 'edited by hand' });
  expect(session.disk.text(session.paths.iteration(1).progress)).toContain('- [x] two');
  expect(recall(session.disk, session.paths)?.state).toEqual(engine.state());
});

test('the keys of metadata.yaml count after take in the same way', async () => {
  const { session } = await edited({
    of: 'metadata',
    option: 'take',
    edits: [['session_id: 260215-101500', 'session_id: 260215-101500\nreviewed: by me']],
  });
  expect(session.all('question.asked')).toMatchObject([
    { text: expect.stringMatching(/^metadata\.yaml was /) },
  ]);
  expect(session.all('metadata.edited-by-hand')).toMatchObject([{ file: 'metadata.yaml', key: 'reviewed' }]);
});

test('take in a file without the record of a person does not count', async () => {
  const { session } = await edited({ option: 'take', from: forger });
  expect(session.all('question.answered')).toEqual([]);
  expect(session.all('signal.pending')[0]).toMatchObject({ unproven: true });
  expect(session.all('task.edited-by-hand')).toEqual([]);
});

test('a second edit of the file replaces the question about the first', async () => {
  const { session, duringWork } = await edited({
    edits: [
      ['- [ ] two', '- [x] two'],
      ['- [ ] two', '- [F] two'],
    ],
  });
  const [first, second] = session.all('question.asked');
  expect(session.all('question.answered')).toMatchObject([
    { request: first?.request, option: 'keep', by: 'Ralph-v2-Orchestrator' },
  ]);
  const open = [...(duringWork()?.questions.values() ?? [])].filter(({ answer }) => answer === null);
  expect(open.map(({ request }) => request)).toEqual([second?.request]);
  expect(second?.request).not.toBe(first?.request);
});

test('a new program drops the question: only the last one knew the text that it is about', async () => {
  const { session, engine } = await begun({});
  for (let spent = 0; session.all('question.asked').length === 0; spent += 250) {
    expect(spent).toBeLessThan(30_000);
    await session.clock.advanceAsync(250);
  }
  const [asked] = session.all('question.asked');
  expect([...engine.state().questions.keys()]).toEqual([asked?.request]);
  session.kill();
  const resumed = session.resume();
  expect(await resumed.start()).toBeNull();
  expect([...resumed.state().questions.keys()]).toEqual([]);
  await session.settle(resumed);
  expect(session.all('task.edited-by-hand')).toEqual([]);
});
