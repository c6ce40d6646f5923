import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/runners/pool/database.io.ts';
import { type Job, signJob } from '../../../src/runners/pool/job.io.ts';
import { createLinkKey, digestOf } from '../../../src/runners/pool/keys.io.ts';
import { openQueue } from '../../../src/runners/pool/queue.io.ts';
import { startPoolDatabase } from '../../helpers/pool-database.ts';
import { git, recordingHost, repositoryWithTask } from '../remote-session.ts';
import { carrierTo, hostIdentity, newIdentity, placedBy, startRunner } from './in-process.ts';

let database: Awaited<ReturnType<typeof startPoolDatabase>>;
let runner: Awaited<ReturnType<typeof startRunner>>;
beforeAll(async () => {
  database = await startPoolDatabase();
  // The attacker keeps every row that was ever written.
  await database.query(`create table seen as select * from ralph_pool.rows;
    create function keep() returns trigger language plpgsql security definer as $$ begin insert into public.seen select new.*; return new; end $$;
    create trigger keep after insert on ralph_pool.rows for each row execute function keep()`);
  runner = await startRunner(database.urls.runner);
});
afterAll(async () => {
  await runner.stop();
  await database.stop();
});

const ask = (prompt: string) => ({ kind: 'implement', prompt, messages: [] });
const hostWith = (options: Parameters<typeof carrierTo>[1] = {}) => {
  const carrier = carrierTo(database.urls.host, options);
  onTestFinished(() => carrier.close?.());
  return placedBy(carrier);
};
const work = {
  session: '260215-101500',
  invocation: 'Executor-90',
  repository: 'b'.repeat(32),
  base: 'c'.repeat(40),
  brief: digestOf('brief'),
};
const jobOf = (more: Partial<Job>): Job => ({
  ...{ link: 'a'.repeat(16), pool: 'default', work, channel: 'd'.repeat(16), epoch: Date.now() },
  ...{ key: createLinkKey().publicText, issued: Date.now(), expires: Date.now() + 60_000, ...more },
});

/** Puts text into the queue as an account that may write to the database. */
const enqueue = async (id: number, signed: string): Promise<void> => {
  const owner = openDatabase(database.urls.host, 1);
  const queue = await openQueue(owner, false);
  await queue.send('default', `00000000-0000-8000-8000-${String(id).padStart(12, '0')}`, signed, 'someone');
  await queue.close();
  await owner.close();
};
const refusals = (): readonly string[] =>
  runner.news.flatMap((each) => (each.kind === 'refused' ? [each.why] : []));
const counted = async (): Promise<unknown> =>
  (await database.query('select refused from ralph_pool.runners where runner = $1', [runner.runner]))[0]?.[
    'refused'
  ];

test('no word of a brief, of output or of a file can be read in the database', async () => {
  const backend = hostWith();
  const { workspace, brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start({ ...brief, goal: 'the-secret-goal', invocation: 'Executor-1' }, host);
  const result = await worker.turn(ask('say the-secret-words\nfile the-secret-file\nfact one'), boundary);
  expect(result).toMatchObject({ kind: 'answered' });
  await worker.end?.();
  expect(facts).toHaveLength(1);
  expect(git(workspace, 'status', '--porcelain')).toBe('?? the-secret-file');
  const rows = await database.query(`select body from public.seen`);
  expect(rows.length).toBeGreaterThan(5);
  const all = [
    ...rows.map(({ body }) => Buffer.from(body as Uint8Array).toString('latin1')),
    JSON.stringify(await database.query('select * from ralph_pool.links')),
    JSON.stringify(await database.query('select * from ralph_pool_queue.job')),
  ];
  expect(all.filter((text) => /the-secret|first\n/u.test(text))).toEqual([]);
});

test('a job that is forged, replayed, expired or for another pool starts nothing, and is counted', async () => {
  const [{ signed: seen }] = (await database.query(`select signed from ralph_pool.links limit 1`)) as [
    { signed: string },
  ];
  const good = signJob(hostIdentity, jobOf({}));
  const stale = Date.now() - 400_000;
  await enqueue(1, signJob(newIdentity(), jobOf({ link: '1'.repeat(16) })));
  await enqueue(2, good.replace('Executor-90', 'Executor-91'));
  await enqueue(3, seen);
  await enqueue(4, signJob(hostIdentity, jobOf({ link: '2'.repeat(16), expires: stale })));
  await enqueue(5, signJob(hostIdentity, jobOf({ link: '3'.repeat(16), pool: 'other' })));
  await enqueue(6, 'nonsense');
  await expect.poll(() => refusals().length).toBe(6);
  expect(refusals().toSorted()).toEqual(['elsewhere', 'expired', 'forged', 'forged', 'forged', 'replayed']);
  await expect.poll(counted).toEqual({ elsewhere: 1, expired: 1, forged: 3, replayed: 1 });
});

test('a job that a host signed for one work opens no other one', async () => {
  const { workspace, brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const carrier = carrierTo(database.urls.host);
  onTestFinished(() => carrier.close?.());
  const other = placedBy({
    ...carrier,
    open: (link, ends, offer) =>
      carrier.open(link, ends, offer === undefined ? undefined : { ...offer, brief: 'another brief' }),
  });
  const worker = other.start({ ...brief, workspace, invocation: 'Executor-3' }, host);
  expect(await worker.turn(ask('fact never'), boundary)).toMatchObject({
    kind: 'failed',
    fault: { code: 'pool-other-work' },
  });
  await worker.end?.().catch(() => undefined);
});

test('a host whose key no runner accepts hears that its work was refused', async () => {
  const { brief } = repositoryWithTask();
  const { host, boundary } = recordingHost();
  const worker = hostWith({ identity: newIdentity() }).start({ ...brief, invocation: 'Executor-8' }, host);
  expect(await worker.turn(ask('fact never'), boundary)).toMatchObject({
    kind: 'failed',
    fault: { code: 'pool-refused', what: 'a runner of the pool refused the work (forged)' },
  });
  await worker.end?.().catch(() => undefined);
});

test('a runner that the host does not list gets no brief: its claim is nothing', async () => {
  await runner.stop();
  const stranger = await startRunner(database.urls.runner, { identity: newIdentity() });
  const backend = hostWith();
  const { brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-4' }, host);
  const turn = worker.turn(ask('fact never'), boundary);
  await expect.poll(() => stranger.news.some(({ kind }) => kind === 'claimed')).toBe(true);
  await worker.stop('cancel');
  expect(await turn).toEqual({ kind: 'stopped', why: 'cancel' });
  expect(facts).toEqual([]);
  await stranger.stop();
  runner = await startRunner(database.urls.runner);
});

test('rows that are altered change nothing: the link ends the connection, and sends them again', async () => {
  const twist = `create sequence twists; grant usage on sequence twists to public;
    create function twist() returns trigger language plpgsql as $$ begin
    if new.n > 0 and nextval('public.twists') <= 3 then new.body := set_byte(new.body, 3, 255 - get_byte(new.body, 3)); end if; return new; end $$;
    create trigger twist before insert on ralph_pool.rows for each row execute function twist()`;
  const backend = hostWith();
  const { workspace, brief } = repositoryWithTask();
  const { host, facts, boundary } = recordingHost();
  const worker = backend.start({ ...brief, invocation: 'Executor-5' }, host);
  const result = await worker.turn(ask('fact one\nboundary a\nfile new.txt\nfact two'), async () => {
    await database.query(twist);
    return boundary();
  });
  expect(result).toMatchObject({ kind: 'answered' });
  await worker.end?.();
  expect(await database.query('select last_value::int > 3 as altered from twists')).toEqual([
    { altered: true },
  ]);
  expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual(['one', 'two']);
  expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt');
});

test('each role may do only what its side needs', async () => {
  const [host, worker] = [openDatabase(database.urls.host, 1), openDatabase(database.urls.runner, 1)];
  onTestFinished(async () => {
    await Promise.all([host.close(), worker.close()]);
  });
  const row = (side: string): string =>
    `insert into ralph_pool.rows (link, side, n, body) values ('x', '${side}', 1, '')`;
  await expect(host.query(row('r'))).rejects.toThrow('may not do that');
  await expect(worker.query(row('h'))).rejects.toThrow('may not do that');
  await expect(
    worker.query(`insert into ralph_pool.links (link, queue, host, signed) values ('x', '', '', '')`),
  ).rejects.toThrow('may not do that');
  await expect(worker.query(`update ralph_pool.links set signed = ''`)).rejects.toThrow('may not do that');
  await expect(worker.query('delete from ralph_pool_queue.job_common')).rejects.toThrow('may not do that');
  for (const each of [host, worker]) {
    await expect(each.query('create table ralph_pool.x (n int)')).rejects.toThrow('may not do that');
    await expect(each.query('drop table ralph_pool.rows')).rejects.toThrow();
  }
});

test('a URL that would send passwords in the clear, and one that is none, are refused without its words', () => {
  const open = (url: string) => () => openDatabase(url, 1);
  expect(open('postgres://me:hunter2@db.example/x?sslmode=disable')).toThrow('`sslmode=disable`');
  expect(open('mysql://me:hunter2@db.example/x')).toThrow('not one of PostgreSQL');
  expect(open('mysql://me:hunter2@db.example/x')).not.toThrow('hunter2');
});
