import { expect, test } from 'vitest';
import { readJournal } from '../../src/observability/journal-file.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';
import { sized } from '../helpers/test-form.ts';

const plan = `goal: Two in turn
tasks:
  - {id: one, title: One, files: [one.txt], run: [make one, more one], verify: [check one]}
  - {id: two, title: Two, files: [two.txt], blockedBy: [one], run: [make two], verify: [check two]}
`;

const targets = ['Executor', 'ALL'] as const;

/** Sends `count` messages while the first command runs; the second carries them all. */
const createFlooded = (target: (typeof targets)[number], count: number) => {
  const ids: string[] = [];
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => {
      const name = String(command).split(' ')[1];
      return { runsMs: 2_000, effect: () => session.disk.put(`/work/${name}.txt`, 'made') };
    },
  });
  session.watchers.add((event) => {
    if (event.type !== 'process.started' || ids.length > 0) return;
    for (let n = 0; n < count; n += 1) ids.push(session.publish({ type: 'INFO', target, message: `N${n}` }));
  });
  return { session, ids };
};

const left = ({ disk, paths }: SimulatedSession): readonly string[] =>
  ['inputs', 'claimed', 'tmp'].flatMap((name) => disk.readdir(`${paths.signals}/${name}`));

test.each(targets)(
  'many messages to %s that one command carries end a few at a time, and all before the session does',
  async (target) => {
    const { session, ids } = createFlooded(target, 150);
    /** How many ended in each piece of work, by the timers that began it. */
    const ended = new Map<number, number>();
    let piece = 0;
    const { after } = session.clock;
    Object.assign(session.clock, {
      after: (ms: number, run: () => void) =>
        after(ms, () => {
          piece += 1;
          run();
        }),
    });
    session.watchers.add(({ type }) => {
      if (type === 'signal.handled') ended.set(piece, (ended.get(piece) ?? 0) + 1);
    });
    const engine = session.begin();
    await engine.start();
    expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
    expect(Math.max(...ended.values())).toBeLessThan(50);
    expect(
      session
        .all('signal.handled')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
    expect(left(session)).toEqual([]);
  },
);

test.each(['quit', 'abort'] as const)('%s ends what was carried and not archived yet', async (how) => {
  const { session, ids } = createFlooded('Executor', 150);
  const engine = session.begin();
  await engine.start();
  const asked = Promise.withResolvers<void>();
  session.watchers.add(({ type }) => {
    if (type !== 'signal.handled' || session.all(type).length !== 1) return;
    if (how === 'quit') void engine.quit('SIGINT');
    else session.publish({ type: 'ABORT' });
    asked.resolve();
  });
  await session.settle(engine);
  await asked.promise;
  const handled = new Set(session.all('signal.handled').map(({ id }) => id));
  expect(ids.filter((id) => !handled.has(id))).toEqual([]);
  expect(session.disk.readdir(`${session.paths.signals}/claimed`)).toEqual([]);
});

test('a person who quits does not wait for the ends of many messages, and the next start ends the rest', async () => {
  const { session, ids } = createFlooded('Executor', 150);
  let isSlow = false;
  let late = 0;
  const { link } = session.disk;
  Object.assign(session.disk, {
    link: (from: string, to: string) => {
      if (isSlow) late += 100;
      link(from, to);
    },
  });
  const { monotonic, after } = session.clock;
  Object.assign(session.clock, {
    monotonic: () => monotonic() + late,
    after: (ms: number, run: () => void) => after(isSlow && ms === 0 ? 60_000 : ms, run),
  });
  const engine = session.begin();
  await engine.start();
  session.watchers.add(({ type }) => {
    if (type !== 'message.arrived' || session.all(type).length !== ids.length) return;
    isSlow = true;
    void engine.quit('SIGINT');
  });
  await session.settle(engine);
  expect(session.all('signal.handled').length).toBeLessThan(100);
  isSlow = false;
  expect(await session.settle(await again(session))).toMatchObject({ status: 'completed' });
  const handled = session.all('signal.handled').map(({ id }) => id);
  expect([...handled].sort()).toEqual([...ids].sort());
  expect(left(session)).toEqual([]);
});

test('a program that dies before it acknowledged what a command carried says afterwards that it was carried', async () => {
  const { session, ids } = createFlooded('ALL', 150);
  const engine = session.begin();
  await engine.start();
  const carried = Promise.withResolvers<void>();
  session.watchers.add(({ type }) => {
    if (type === 'message.arrived' && session.all(type).length === ids.length) carried.resolve();
  });
  const over = Promise.race([carried.promise.then(() => true), session.settle(engine).catch(() => false)]);
  expect(await over).toBe(true);
  const first = session.find('message.arrived')?.invocation;
  session.kill();
  expect(await session.settle(await again(session))).toMatchObject({ status: 'completed' });
  const said = session.all('signal.handled').map(({ action_taken }) => action_taken);
  expect(said).toHaveLength(ids.length);
  expect(said.filter((action) => !action.includes(`Executor~${first}: added to the context`))).toEqual([]);
});

const again = async (session: SimulatedSession) => {
  const engine = session.resume();
  await Promise.race([engine.start(), session.clock.advanceAsync(2_000)]);
  return engine;
};

/** Runs to the end, or to the crash. */
const run = async (session: SimulatedSession, kind: 'begin' | 'resume') => {
  try {
    const engine = session[kind]();
    await Promise.race([engine.start(), session.clock.advanceAsync(2_000)]);
    return session.disk.crashed() ? null : await session.settle(engine);
  } catch (error) {
    if (error instanceof SimulatedCrash) return null;
    throw error;
  }
};

test.each(targets)(
  'a crash while many messages to %s end loses none and archives each once',
  async (target) => {
    const count = 60;
    const calm = createFlooded(target, count);
    let from = 0;
    calm.session.watchers.add(({ type }) => {
      if (type === 'message.arrived') from ||= calm.session.disk.operations();
    });
    await run(calm.session, 'begin');
    const until = calm.session.disk.operations();
    const points = sized({ short: 4, long: 40 });
    for (let point = 0; point < points; point += 1) {
      const { session, ids } = createFlooded(target, count);
      const at = from + Math.floor(((until - from) * (point + 0.5)) / points);
      session.disk.crashAfter(at);
      expect(await run(session, 'begin'), String(at)).toBeNull();
      const random = createSeededRandom(at);
      session.kill(() => random.int(2) === 0);
      expect(await run(session, 'resume'), String(at)).toMatchObject({ status: 'completed' });
      const { events } = readJournal(session.disk, session.paths.journal);
      const handled = events.flatMap((event) => (event.type === 'signal.handled' ? [event.id] : []));
      expect([...handled].sort(), String(at)).toEqual([...ids].sort());
      const archived = session.mailbox().list();
      expect(
        archived.map(({ stage }) => stage),
        String(at),
      ).toEqual(ids.map(() => 'processed'));
      expect(left(session), String(at)).toEqual([]);
    }
  },
);
