import { expect, test } from 'vitest';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';
import { sized } from '../helpers/test-form.ts';

const plan = `goal: Survive
tasks:
  - {id: top, title: Top, files: [top.txt], run: [make top], verify: [check top]}
  - {id: left, title: Left, blockedBy: [top], files: [left.txt], run: [make left, more left], verify: [check left]}
  - {id: right, title: Right, blockedBy: [top], files: [right.txt], run: [make right], verify: [check right]}
  - {id: bottom, title: Bottom, blockedBy: [left, right], files: [bottom.txt], run: [make bottom], verify: [check bottom]}
`;

const createSession = () => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => {
      const name = String(command).split(' ')[1];
      return { runsMs: 300, effect: () => session.disk.put(`/work/${name}.txt`, 'made') };
    },
  });
  return session;
};

/** Runs to the end or to the crash; what a person says stands in the mailbox from the first moment on. */
const run = async (session: SimulatedSession, kind: 'begin' | 'resume') => {
  try {
    const engine = session[kind]();
    const fault = await Promise.race([engine.start(), session.clock.advanceAsync(2_000).then(() => null)]);
    if (session.disk.crashed()) return null;
    if (fault) return { fault };
    return { end: await session.settle(engine), engine };
  } catch (error) {
    if (error instanceof SimulatedCrash) return null;
    throw error;
  }
};

const journal = (session: SimulatedSession): readonly Event[] =>
  readJournal(session.disk, session.paths.journal).events;

const expectWhole = (session: SimulatedSession, where: string): void => {
  const events = journal(session);
  expect(
    events.map(({ seq }) => seq),
    where,
  ).toEqual(events.map((_, index) => index + 1));
  for (const task of ['top', 'left', 'right', 'bottom']) {
    const qualified = events.filter((event) => event.type === 'task.qualified' && event.task === task);
    expect(qualified.length, `${where}: ${task} qualified`).toBe(1);
    const submitted = events.filter((event) => event.type === 'task.submitted' && event.task === task);
    expect(submitted.length, `${where}: ${task} submitted`).toBe(1);
  }
  expect(session.spawn.running(), where).toEqual([]);
  const progress = session.disk.text(session.paths.iteration(1).progress);
  for (const task of ['top', 'left', 'right', 'bottom'])
    expect(progress, where).toMatch(new RegExp(`^- \\[x\\] ${task} `, 'm'));
  const entries = session.mailbox().list();
  expect(
    entries.map(({ stage }) => stage),
    where,
  ).toEqual(entries.map(() => 'processed'));
  expect(
    session.disk
      .tree(session.paths.directory)
      .filter((path) => path.includes('.tmp-') && !path.includes('/lock/')),
    where,
  ).toEqual([]);
};

const publishEarly = (session: SimulatedSession): void => {
  session.watchers.add((event) => {
    if (event.type !== 'session.created') return;
    session.mailbox().open();
    session.publish({ type: 'INFO', target: 'Executor', task: 'left', message: 'Mind the gap' });
    session.publish({ type: 'STEER', target: 'Executor', task: 'right', message: 'Also greet' });
    session.publish({ type: 'INFO', message: 'For all' });
  });
};

const operationsOfARun = async (): Promise<number> => {
  const session = createSession();
  publishEarly(session);
  expect(await run(session, 'begin')).toMatchObject({ end: { status: 'completed' } });
  expectWhole(session, 'undisturbed');
  return session.disk.operations();
};

/** Operations between two crashes, and up to eight more. */
const step = sized({ short: 54, long: 9 });

test.each([
  ['killed', null],
  ['powerless', 1],
] as const)(
  '%s at any operation, and again while it recovers, a session ends as if nothing had happened',
  async (_name, power) => {
    const total = await operationsOfARun();
    expect(total).toBeGreaterThan(300);
    const random = createSeededRandom(power ?? 7);
    let crashes = 0;
    for (let at = 1 + random.int(9); at < total; at += step + random.int(9)) {
      const session = createSession();
      publishEarly(session);
      session.disk.crashAfter(at, { torn: random.chance(0.5) });
      let result = await run(session, 'begin');
      for (let again = 0; result === null && again < 4; again += 1) {
        crashes += 1;
        session.kill(power === null ? undefined : () => random.chance(0.5));
        if (journal(session).length === 0) break;
        if (again < 2) session.disk.crashAfter(1 + random.int(60));
        result = await run(session, 'resume');
      }
      if (result === null) continue;
      expect(result, `stopped at operation ${at}: ${JSON.stringify(result.end)}`).toMatchObject({
        end: { status: 'completed', exitCode: 0 },
      });
      expectWhole(session, `stopped at operation ${at}`);
    }
    expect(crashes).toBeGreaterThan(sized({ short: 6, long: 40 }));
  },
);

const endless = `goal: Never get on
tasks:
  - {id: stuck, title: Stuck, run: [never ends]}
  - {id: after, title: After, blockedBy: [stuck], run: [say after]}
  - {id: beside, title: Beside, files: [beside.txt], run: [make beside], verify: [check beside]}
`;

test('a task during which the program is killed ten times in a row is stopped for good, and the rest goes on', async () => {
  const session = createSimulatedSession({
    plan: endless,
    program: ({ command }) =>
      String(command) === 'never ends'
        ? { runsMs: 'forever' }
        : { runsMs: 10, effect: () => session.disk.put('/work/beside.txt', 'made') },
  });
  const started = () =>
    journal(session).filter(
      ({ type, ...event }) => type === 'command.started' && 'task' in event && event.task === 'stuck',
    );
  for (let death = 1; death <= 10; death += 1) {
    void session[death === 1 ? 'begin' : 'resume']().start();
    while (started().length < death) await session.clock.advanceAsync(100);
    session.kill();
  }
  const engine = session.resume();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 1 });
  const progress = session.disk.text(session.paths.iteration(1).progress);
  expect(progress).toMatch(/^- \[F\] stuck .*ten crashes in a row without progress/m);
  expect(progress).toMatch(/^- \[x\] beside /m);
  expect(progress).not.toMatch(/^- \[x\] after /m);
  expect(started()).toHaveLength(10);
  expect(session.spawn.running()).toEqual([]);
});
