import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend, Brief, SessionTools } from '../../src/agents/port.ts';
import type { AskedPerson } from '../../src/agents/tool-inputs.ts';
import type { WaitingMail } from '../../src/agents/waiting-mail.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Ship it
tasks:
  - {id: schema, title: Schema, verify: ['true']}
  - {id: html, title: Page, verify: ['true'], blockedBy: [schema]}
`;

const done = { kind: 'answered', answer: { status: 'completed', summary: ['made it'] } } as const;
const settings = { roles: { executor: 'mine' }, planning: { max_cycles: 0 } };

/** An Executor that does `work` with the tools the engine lends it, and is done. */
const executorOf = (work: (tools: SessionTools, brief: Brief) => Promise<void> | void): Backend => ({
  name: 'mine',
  label: 'an agent',
  start: (brief, { session }) => ({
    turn: async () => {
      if (!session) throw new Error('no tools were lent');
      await work(session, brief);
      return done;
    },
    stop: async () => {},
  }),
});

test('an agent sees all tasks, the report of the one before, and the facts it left', async () => {
  const seen: unknown[] = [];
  const session = createSimulatedSession({
    plan,
    settings,
    backends: [
      executorOf(async (tools, { task }) => {
        if (task?.id === 'schema') return tools.note({ note: 'half way', metadata: { port: 8080 } });
        const found = (await tools.tasks()).find(({ definition }) => definition.id === 'schema');
        seen.push(found?.status, found?.definition.metadata, tools.report('schema'), tools.report('ghost'));
      }),
    ],
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(seen).toEqual(['done', { port: 8080 }, expect.stringContaining('made it'), null]);
  expect(session.find('finding.noted', ({ text }) => text === 'half way')).toBeDefined();
});

test('an agent hears at once of a STEER that waits, and whether its reply is to be interrupted for it', async () => {
  const heard: WaitingMail[] = [];
  const session = createSimulatedSession({
    plan,
    settings,
    backends: [
      {
        name: 'mine',
        label: 'an agent',
        start: () => {
          const work = Promise.withResolvers<void>();
          return {
            turn: async (_, boundary) => {
              if (heard.length === 0) await work.promise;
              await boundary();
              return done;
            },
            notice: (mail) => {
              heard.push(mail);
              if (mail.now) work.resolve();
            },
            stop: async () => {},
          };
        },
      },
    ],
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(1_000);
  session.publish({ type: 'STEER', target: 'Executor', message: 'Later' });
  await session.clock.advanceAsync(2_000);
  expect(heard.at(-1)).toEqual({ steer: true, now: false });
  session.publish({ type: 'STEER', target: 'Executor', message: 'At once', now: true });
  await session.clock.advanceAsync(2_000);
  expect(heard.at(-1)).toEqual({ steer: true, now: true });
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
});

test('a question waits in the queue, its time is none of the agent’s, and the answer reaches it', async () => {
  const answers: (string | null)[] = [];
  let asked: AskedPerson | null = null;
  const session = createSimulatedSession({
    plan,
    attended: true,
    settings: { ...settings, timeouts: { ...defaultSettings.timeouts, task_wip_minutes: 10, stall: 60_000 } },
    backends: [
      executorOf(async (tools, { task }) => {
        if (task?.id !== 'schema') return;
        asked = tools.ask({ question: 'Which port?', options: ['80', '8080'] });
        expect(tools.ask({ question: 'Which port?', options: [] }).request).toBe(asked.request);
        answers.push(await asked.answered);
        answers.push(await tools.ask({ question: 'Which port?', options: [] }).answered);
      }),
    ],
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(60 * 60_000);
  expect(asked).toMatchObject({ request: 'ask:schema:1' });
  expect(session.all('question.asked')).toMatchObject([
    {
      text: 'Which port?',
      kind: 'ask',
      task: 'schema',
      options: [{ id: '80' }, { id: '8080' }],
      invocation: expect.stringMatching(/^Executor-/),
    },
  ]);
  expect(session.all('invocation.failed')).toEqual([]);
  expect(session.all('problem.found')).toEqual([]);
  session.publish({ type: 'ANSWER', request: 'ask:schema:1', option: '8080', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(answers).toEqual(['8080', '8080']);
});

test('without a person a question stops the session with exit 3 once nobody else works, and its answer goes on in the same attempt', async () => {
  const answers: (string | null)[] = [];
  const turns: number[] = [];
  /** Ends its turn at the boundary, as an agent does that nobody answers, and goes on with the answer. */
  const asking: Backend = {
    name: 'mine',
    label: 'an agent',
    start: (brief, { session: tools }) => {
      const wake = Promise.withResolvers<void>();
      return {
        turn: async (_, boundary) => {
          if (brief.task?.id !== 'schema' || !tools) return done;
          turns.push(brief.attempt ?? 0);
          const { answered } = tools.ask({ question: 'Which port?', options: [] });
          const first = await Promise.race([answered, wake.promise.then(() => undefined)]);
          if (typeof first === 'string') {
            answers.push(first);
            return done;
          }
          const directive = await boundary();
          return directive.kind === 'pause'
            ? { kind: 'paused', continuation: {} }
            : { kind: 'stopped', why: 'cancel' };
        },
        notice: () => wake.resolve(),
        stop: async () => wake.resolve(),
      };
    },
  };
  const session = createSimulatedSession({ plan, settings, backends: [asking] });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({
    exitCode: 3,
    status: 'in_progress',
    reason: 'gate: Which port?',
  });
  session.publish({ type: 'ANSWER', request: 'ask:schema:1', message: '8080', from: 'kim' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ exitCode: 0 });
  expect(answers).toEqual(['8080']);
  expect(new Set(turns)).toEqual(new Set([1]));
});

test('a question dies with the attempt that asked it', async () => {
  let answered: Promise<string | null> | null = null;
  const session = createSimulatedSession({
    plan,
    settings,
    backends: [
      executorOf((tools, { task }) => {
        if (task?.id === 'schema') answered = tools.ask({ question: 'Which port?', options: [] }).answered;
      }),
    ],
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(await answered).toBeNull();
  expect(engine.state().questions.size).toBe(0);
});

test('a document that an agent offers reaches the knowledge gate', async () => {
  const session = createSimulatedSession({
    plan,
    settings,
    attended: true,
    backends: [
      executorOf((tools, { task }) => {
        if (task?.id !== 'schema') return;
        const note = {
          category: 'how-to',
          name: 'run-it.md',
          body: '# Run it\n\nType make.',
          sources: [],
        } as const;
        expect(tools.stage({ ...note, sources: [] })).toEqual({ kind: 'staged', file: 'how-to/run-it.md' });
      }),
    ],
  });
  session.watchers.add(({ type }) => {
    if (type === 'gate.opened') session.publish({ type: 'APPROVE', promote: ['how-to/run-it.md'] });
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(session.find('gate.opened')?.files).toContain('how-to/run-it.md');
  expect(session.find('knowledge.promoted')?.files).toEqual(['how-to/run-it.md']);
});

test('an approval promotes what the gate showed, and nothing that came into the folder later', async () => {
  const session: SimulatedSession = createSimulatedSession({
    plan,
    settings,
    attended: true,
    backends: [
      executorOf((tools, { task }) => {
        if (task?.id === 'schema')
          tools.stage({ category: 'how-to', name: 'run-it.md', body: '# Run it', sources: [] });
      }),
    ],
  });
  session.watchers.add(({ type }) => {
    if (type !== 'gate.opened') return;
    const folder = join(session.paths.iteration(1).knowledge, 'how-to');
    session.disk.put(join(folder, 'late.md'), session.disk.text(join(folder, 'run-it.md')));
    session.publish({ type: 'APPROVE' });
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  const shown = session.find('gate.opened')?.files ?? [];
  expect(shown).toContain('how-to/run-it.md');
  expect(session.find('knowledge.promoted')?.files.toSorted()).toEqual(shown.toSorted());
  expect(session.disk.tree('/work/.docs')).not.toContain('/work/.docs/how-to/late.md');
});
