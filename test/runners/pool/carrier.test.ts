import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startCutProxy } from '../../helpers/cut-proxy.ts';
import { startPoolDatabase } from '../../helpers/pool-database.ts';
import { conforms } from '../conformance.ts';
import { recordingHost, repositoryWithTask } from '../remote-session.ts';
import { carrierTo, hostIdentity, newIdentity, placedBy, startRunner } from './in-process.ts';

let database: Awaited<ReturnType<typeof startPoolDatabase>>;
let runner: Awaited<ReturnType<typeof startRunner>>;
beforeAll(async () => {
  database = await startPoolDatabase();
  runner = await startRunner(database.urls.runner);
});
afterAll(async () => {
  await runner.stop();
  await database.stop();
});

const hostOn = (url = database.urls.host) => {
  const carrier = carrierTo(url);
  onTestFinished(() => carrier.close?.());
  return { carrier, backend: placedBy(carrier) };
};
const ask = (prompt: string) => ({ kind: 'implement', prompt, messages: [] });

conforms('a pool', () => ({ backend: hostOn().backend, wait: (promise) => promise }));

const rows = async (): Promise<unknown> =>
  (await database.query('select count(*)::int as n from ralph_pool.rows'))[0]?.['n'];

test('when an invocation is over its rows are gone, its job is done and its slot is free', async () => {
  const { backend, carrier } = hostOn();
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-77' }, host);
  expect(await worker.turn(ask('fact one'), boundary)).toMatchObject({ kind: 'answered' });
  expect(carrier.claims).toEqual(['Executor-77']);
  await worker.end?.();
  await expect.poll(rows).toBe(0);
  const [job] = await database.query(
    `select j.state, l.ended_at from ralph_pool.links l join ralph_pool_queue.job j on j.id = l.job order by l.opened_at desc limit 1`,
  );
  expect(job).toEqual({ state: 'completed', ended_at: expect.any(Date) });
});

test('a runner keeps its number when it starts again, and the next one has the next number', async () => {
  const url = database.urls.runner;
  const numberOf = ({
    news,
  }: {
    readonly news: readonly { readonly kind: string; readonly number?: number }[];
  }) => news.find(({ kind }) => kind === 'joined')?.number ?? 0;
  const first = await startRunner(url);
  await first.stop();
  const again = await startRunner(url, { runner: first.runner });
  const next = await startRunner(url);
  expect([numberOf(again), numberOf(next)]).toEqual([numberOf(first), numberOf(first) + 1]);
  await Promise.all([again.stop(), next.stop()]);
});

test('work waits in the queue while all slots are taken, and a stop takes it out again', async () => {
  const { backend } = hostOn();
  const held = Array.from({ length: 4 }, (_, n) => {
    const { brief } = repositoryWithTask();
    const { host, facts, boundary } = recordingHost();
    const worker = backend.start({ ...brief, invocation: `Executor-${n + 10}` }, host);
    return { worker, facts, turn: worker.turn(ask('fact here\nwait'), boundary) };
  });
  await expect.poll(() => held.flatMap(({ facts }) => facts).length).toBe(4);
  const { brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const late = backend.start({ ...brief, invocation: 'Executor-20' }, host);
  const turn = late.turn(ask('fact never'), boundary);
  const waiting = async () =>
    (
      await database.query(`select count(*)::int as n from ralph_pool_queue.job where state = 'created'`)
    )[0]?.['n'];
  await expect.poll(waiting).toBe(1);
  await late.stop('cancel');
  expect(await turn).toEqual({ kind: 'stopped', why: 'cancel' });
  await expect.poll(waiting).toBe(0);
  expect(facts).toEqual([]);
  await Promise.all(held.map(({ worker }) => worker.stop('cancel')));
  await Promise.all(held.map(({ worker }) => worker.end?.()));
});

test('a link that is over while its job is on the way to the queue leaves none there', async () => {
  const { backend, carrier } = hostOn();
  const { brief } = repositoryWithTask();
  const offer = { session: brief.session, repository: 'a'.repeat(32), base: 'b'.repeat(40), brief: '{}' };
  const ends = { line: () => undefined, waits: () => undefined, ended: () => undefined };
  carrier.open('0'.repeat(16), ends, { ...offer, invocation: 'Executor-25' });
  carrier.release?.('0'.repeat(16));
  const { host, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-26' }, host);
  expect(await worker.turn(ask('fact one'), boundary)).toMatchObject({ kind: 'answered' });
  await worker.end?.();
  const left = `select state from ralph_pool_queue.job where data::text like '%Executor-25%' and state <= 'active'`;
  await expect.poll(() => database.query(left)).toEqual([]);
  expect(await database.query(`select link from ralph_pool.links where link = '0000000000000000'`)).toEqual(
    [],
  );
});

test('a link that is over while the database is away is no fault of the host', async () => {
  const proxy = await startCutProxy(database.server().port);
  onTestFinished(proxy.stop);
  const url = new URL(database.urls.host);
  url.port = String(proxy.port);
  const { carrier } = hostOn(url.href);
  const faults: unknown[] = [];
  const note = (fault: unknown): void => void faults.push(fault);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const offer = { session: 's', repository: 'a'.repeat(32), base: 'b'.repeat(40), brief: '{}' };
  const over = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  const ends = { line: () => undefined, waits: () => waits.resolve(), ended: () => over.resolve() };
  carrier.open('1'.repeat(16), ends, { ...offer, invocation: 'Executor-27' });
  await waits.promise;
  proxy.cut();
  carrier.release?.('1'.repeat(16));
  // Another link hears that the database is away, after the first would have.
  carrier.open('2'.repeat(16), { ...ends, waits: () => undefined }, { ...offer, invocation: 'Executor-28' });
  await over.promise;
  expect(faults).toEqual([]);
});

test('two hosts share a pool in turns: many jobs of one do not keep the single job of the other waiting', async () => {
  await runner.stop();
  const other = newIdentity();
  const single = await startRunner(database.urls.runner, {
    slots: 1,
    accept: [hostIdentity.publicKey, other.publicKey],
  });
  const order: string[] = [];
  const send = (name: string, invocation: string, identity = hostIdentity) => {
    const carrier = carrierTo(database.urls.host, { identity });
    onTestFinished(() => carrier.close?.());
    const { brief } = repositoryWithTask();
    const { host, boundary } = recordingHost();
    const worker = placedBy(carrier).start({ ...brief, invocation }, host);
    return worker
      .turn(ask('fact one'), boundary)
      .then(() => order.push(name))
      .finally(() => worker.end?.());
  };
  // Nothing is claimed before all of them wait.
  const gate = Promise.withResolvers<void>();
  const carrier = carrierTo(database.urls.host);
  onTestFinished(() => carrier.close?.());
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const first = placedBy(carrier).start({ ...brief, invocation: 'Executor-60' }, host);
  const held = first.turn(ask('boundary a'), async () => {
    await gate.promise;
    return boundary();
  });
  await expect.poll(() => single.news.filter(({ kind }) => kind === 'claimed').length).toBe(1);
  const many = ['61', '62', '63', '64'].map((n) => send('many', `Executor-${n}`));
  const waiting = async () =>
    (
      await database.query(`select count(*)::int as n from ralph_pool_queue.job where state = 'created'`)
    )[0]?.['n'];
  await expect.poll(waiting).toBe(4);
  const one = send('one', 'Executor-70', other);
  await expect.poll(waiting).toBe(5);
  gate.resolve();
  await held;
  await first.end?.();
  await Promise.all([...many, one]);
  expect(order.indexOf('one')).toBeLessThan(2);
  await single.stop();
  runner = await startRunner(database.urls.runner);
});

test('a database that is killed and starts again, while an agent works: everything arrives once', async () => {
  const { backend } = hostOn();
  const { workspace, brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-30' }, host);
  const turn = worker.turn(ask('fact one\npermission good\nfile new.txt\nfact two'), async () => boundary());
  await expect.poll(() => facts.length).toBeGreaterThan(0);
  await database.crash();
  expect(await turn).toMatchObject({ kind: 'answered' });
  await worker.end?.();
  expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual(['one', 'allow', 'two']);
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('new.txt\n');
});

test("a host whose way to the database is cut while it decides: the runner waits, and hears the answer after it's mended", async () => {
  const proxy = await startCutProxy(database.server().port);
  onTestFinished(proxy.stop);
  const url = new URL(database.urls.host);
  url.port = String(proxy.port);
  const { backend } = hostOn(url.href);
  const { brief } = repositoryWithTask();
  const { host, facts, boundary, passed } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-40' }, host);
  const decided = Promise.withResolvers<void>();
  const turn = worker.turn(ask('fact one\nboundary a\nfact two'), async () => {
    proxy.cut();
    await decided.promise;
    return boundary();
  });
  await expect.poll(() => facts.length).toBe(1);
  decided.resolve();
  proxy.mend();
  expect(await turn).toMatchObject({ kind: 'answered' });
  expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual(['one', 'two']);
  expect(passed()).toBe(1);
  await worker.end?.();
});

test('a runner that was killed and starts again says so: the attempt fails at once, and the next one works', async () => {
  await runner.stop();
  const first = await startRunner(database.urls.runner);
  const { backend } = hostOn();
  const { brief: plain } = repositoryWithTask();
  const brief = { ...plain, session: '260215-222222' };
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-50' }, host);
  const turn = worker.turn(ask('fact here\nwait'), boundary);
  await expect.poll(() => facts.length).toBe(1);
  await first.vanish();
  // Another process of the session asks the silent runner, too: its agents may still be working.
  const later = carrierTo(database.urls.host, { session: brief.session });
  onTestFinished(() => later.close?.());
  expect(await later.left?.()).toHaveLength(1);
  runner = await startRunner(database.urls.runner, { runner: first.runner });
  expect(await turn).toMatchObject({ kind: 'failed', fault: { code: 'runner-restarted' } });
  const again = backend.start({ ...brief, invocation: 'Executor-51' }, host);
  expect(await again.turn(ask('fact there'), boundary)).toMatchObject({ kind: 'answered' });
  await again.end?.();
});

test('a runner that finishes lets its work end, and takes no more', async () => {
  await runner.stop();
  const first = await startRunner(database.urls.runner);
  const { backend } = hostOn();
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const begin = (invocation: string) => backend.start({ ...brief, invocation }, host);
  const before = begin('Executor-80');
  await before.turn(ask('fact one'), boundary);
  await before.end?.();
  const ended = () => first.news.filter(({ kind }) => kind === 'ended').length;
  await expect.poll(ended).toBe(1);
  const gate = Promise.withResolvers<void>();
  const worker = begin('Executor-81');
  const turn = worker.turn(ask('boundary a\nfact two'), async () => {
    await gate.promise;
    return boundary();
  });
  await expect.poll(() => first.news.filter(({ kind }) => kind === 'claimed').length).toBe(2);
  const finished = first.finish().then(ended);
  gate.resolve();
  expect(await turn).toMatchObject({ kind: 'answered' });
  await worker.end?.();
  expect(await finished).toBe(2);
  const open = await database.query(
    `select link from ralph_pool.links where runner = '${first.runner}' and ended_at is null`,
  );
  expect(open).toEqual([]);
  await first.stop();
  runner = await startRunner(database.urls.runner);
});

test('a runner that hands its work back tells the host, and keeps what was changed', async () => {
  await runner.stop();
  const first = await startRunner(database.urls.runner);
  const { backend } = hostOn();
  const { brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const turn = backend
    .start({ ...brief, invocation: 'Executor-60' }, host)
    .turn(ask('file half.txt\nfact here\nwait\nfact never'), boundary);
  await expect.poll(() => facts.length).toBe(1);
  const finished = first.finish();
  await first.handBack();
  await finished;
  expect(await turn).toMatchObject({ kind: 'failed', fault: { code: 'runner-restarted' } });
  expect(first.late(brief.session)).toMatchObject([{ invocation: 'Executor-60' }]);
  await first.stop();
  runner = await startRunner(database.urls.runner);
});
