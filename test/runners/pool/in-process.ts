import type { Backend } from '../../../src/agents/port.ts';
import { createClock } from '../../../src/base/clock.io.ts';
import { createRandom } from '../../../src/base/random.io.ts';
import type { Carrier } from '../../../src/runners/carriers/carrier.ts';
import { openDatabase } from '../../../src/runners/pool/database.io.ts';
import { createSecret, type Identity, identityOf } from '../../../src/runners/pool/keys.io.ts';
import { onlyWork } from '../../../src/runners/pool/only-work.io.ts';
import { createPoolCarrier } from '../../../src/runners/pool/pool-carrier.io.ts';
import { createPoolRunner } from '../../../src/runners/pool/pool-runner.io.ts';
import { openQueue } from '../../../src/runners/pool/queue.io.ts';
import type { RunnerNews } from '../../../src/runners/pool/runner-state.io.ts';
import type { LateBook } from '../../../src/runners/serve/late.ts';
import { makeTempDir, removeTempDir } from '../../helpers/temp-dir.ts';
import { obedient } from '../obedient.ts';
import { hostOf, serveIn } from '../remote-session.ts';

export const newIdentity = (): Identity => {
  const identity = identityOf(createSecret());
  if (identity === null) throw new Error('no identity');
  return identity;
};

export const hostIdentity = newIdentity();
export const runnerIdentity = newIdentity();

/** A runner of the pool in this process, which does what the obedient backend is asked. */
export const startRunner = async (
  url: string,
  {
    slots = 4,
    directory = makeTempDir(),
    runner = createRandom().hex(16),
    identity = runnerIdentity,
    accept = [hostIdentity.publicKey],
  } = {},
) => {
  const database = openDatabase(url, 1);
  const queue = await openQueue(database, false);
  const news: RunnerNews[] = [];
  const books: LateBook[] = [];
  let gone = false;
  const pool = await createPoolRunner({
    clock: createClock(),
    random: createRandom(),
    ...{ identity, database, queue, runner, slots, accept },
    ...{ name: 'there', program: 'there', pool: 'default' },
    serve: (_link, work) => {
      const { attach, end, over, late } = serveIn(createClock(), directory, [obedient], {
        only: onlyWork(work),
      });
      books.push(late);
      return { attach, end, over };
    },
    late: () => [],
    said: (each) => void news.push(each),
  });
  return {
    ...pool,
    news,
    runner,
    directory,
    late: (session: string) => books[0]?.of(session) ?? [],
    /** As after `kill -9`: nothing more is heard of it. */
    vanish: async () => {
      gone = true;
      await queue.close();
      await database.close();
    },
    stop: async () => {
      if (!gone) await pool.handBack();
      if (!gone) await pool.finish();
      await queue.close();
      await database.close();
      removeTempDir(directory);
    },
  };
};

export const carrierTo = (
  url: string,
  { identity = hostIdentity, accept = [runnerIdentity.publicKey], session = null as string | null } = {},
): Carrier & { readonly claims: string[] } => {
  const claims: string[] = [];
  const carrier = createPoolCarrier(
    { clock: createClock(), random: createRandom() },
    {
      ...{ name: 'ci', queue: 'default', session, login: () => ({ url, accept, identity }) },
      claimed: (invocation) => void claims.push(invocation),
    },
  );
  return { ...carrier, claims };
};

/** The obedient backend on a pool: each invocation has a link of its own, as in a session. */
export const placedBy = (carrier: Carrier): Backend => ({
  ...obedient,
  start: (brief, host) => {
    const { runner, place } = hostOf(createClock(), carrier, 600_000, { offers: true });
    const worker = place(obedient).start(brief, host);
    return { ...worker, end: () => (worker.end?.() ?? Promise.resolve()).finally(() => runner.close()) };
  },
});
