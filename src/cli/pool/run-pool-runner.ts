import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentTools } from '../../agents/tools.ts';
import { FaultError } from '../../base/fault.ts';
import { readText, writeNew } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { openDatabase } from '../../runners/pool/database.io.ts';
import { type Identity, identityOf } from '../../runners/pool/keys.io.ts';
import { onlyWork } from '../../runners/pool/only-work.io.ts';
import { createPoolRunner, type PoolRunner } from '../../runners/pool/pool-runner.io.ts';
import { openQueue } from '../../runners/pool/queue.io.ts';
import type { RunnerNews } from '../../runners/pool/runner-state.io.ts';
import { checkVersion } from '../../runners/pool/version.ts';
import { keepAlone } from '../../runners/serve/keep-alone.ts';
import { createLateBook } from '../../runners/serve/late.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import { acceptedKeys, identityIn, poolUrl, poolVariables } from '../runners/pool-login.ts';
import { serveWork } from '../runners/serve-work.ts';
import { stateDirectory } from '../state-directory.ts';
import { version } from '../version.ts';
import { createWorld, type World } from '../world.ts';

export interface PoolRunnerOptions {
  /** `env:NAME`. */
  readonly pool: string;
  readonly queue?: string;
  readonly slots?: number;
  /** Public keys of hosts. */
  readonly accept?: readonly string[];
  readonly name?: string;
  /** Where it works, absolute or below the current directory. */
  readonly in?: string;
  /** Ends when its input does, as when the process that started it is killed. */
  readonly withInput?: boolean;
}

/** Works for the hosts of a pool until a signal ends it. Returns the exit code. */
export const runPoolRunner = async (
  cli: Cli,
  toolsOf: (world: World) => AgentTools,
  options: PoolRunnerOptions,
): Promise<number> => {
  const world = createWorld();
  const url = poolUrl(cli.env, world, options.pool);
  const accept = acceptedKeys(cli.env, options.accept ?? []);
  const directory =
    options.in === undefined ? join(stateDirectory(cli.env), 'pool-runner') : resolve(cli.cwd, options.in);
  const release = keepAlone(world, join(directory, 'process'));
  if (release === null)
    throw new FaultError({
      code: 'pool-runner-there',
      what: 'another runner works in this directory',
      where: directory,
      hint: 'name another directory with --in',
    });
  const identity = ownIdentity(cli, world, directory);
  const database = openDatabase(url, 2);
  try {
    await checkVersion(database);
    const queue = await openQueue(database, false);
    const { queue: pool = 'default', slots = 1, name = hostname() } = options;
    const links = new Map<string, () => Promise<void>>();
    const runner = await createPoolRunner({
      ...world,
      ...{ identity, database, queue, accept, pool, slots, name },
      runner: runnerId(world, directory),
      program: `ralph-tui ${version}`,
      serve: (link, work) => {
        const served = serveWork(withoutPool(cli), world, toolsOf, {
          ...{ directory, link, isFenced: false, only: onlyWork(work) },
          endLink: async (other) => links.get(other)?.(),
        });
        links.set(link, served.end);
        void served.over.then(() => links.delete(link));
        return served;
      },
      late: createLateBook(world.disk, world.random, join(directory, 'late')).sessions,
      said: (news) => cli.print(sentence(news, { identity, pool, slots })),
    });
    await untilSignals(cli, runner, options.withInput === true);
    await queue.close();
  } finally {
    await database.close();
    release();
  }
  return exitCodes.done;
};

/** The key that `pool init` made for runners, else one of this directory. */
const ownIdentity = (cli: Cli, world: World, directory: string): Identity => {
  const secret = cli.env[poolVariables.key];
  if (secret === undefined || secret === '') return identityIn(world, directory, 'runner.key');
  world.learn([secret]);
  const identity = identityOf(secret);
  if (identity !== null) return identity;
  throw new FaultError({
    code: 'pool-key',
    what: `${poolVariables.key} is not the secret key of a runner`,
    hint: 'read the file that `ralph-tui pool init` wrote for runners: `set -a; . FILE`',
  });
};

/** The name of this directory in pools. */
const runnerId = ({ disk, random }: World, directory: string): string => {
  const file = join(directory, 'runner.id');
  if (disk.lstat(file) === null) writeNew(disk, random, file, `${random.hex(16)}\n`);
  const id = (readText(disk, file, 100) ?? '').trim();
  if (/^[0-9a-f]{16}$/u.test(id)) return id;
  throw new FaultError({
    code: 'pool-runner-id',
    what: 'it holds no name of a runner',
    where: file,
    hint: 'remove it',
  });
};

/** What agents of this machine get to see. */
const withoutPool = (cli: Cli): Cli => ({
  ...cli,
  env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => !name.startsWith('RALPH_POOL_'))),
});

/** The first signal lets work end and takes no more; the second one hands it back. */
const untilSignals = async (cli: Cli, runner: PoolRunner, withInput: boolean): Promise<void> => {
  const finished = Promise.withResolvers<void>();
  let heard = 0;
  const end = (): void => {
    heard += 1;
    if (heard === 1) {
      cli.print('Finishing: no further work is taken. A second signal hands the current work back.');
      runner.finish().then(finished.resolve, finished.reject);
    } else if (heard === 2) runner.handBack().catch(finished.reject);
  };
  const ignore = onProcessSignals(endSignals, end);
  if (withInput) {
    cli.stdin.resume();
    cli.stdin.once('end', () => {
      end();
      end();
    });
  }
  await finished.promise.finally(ignore);
};

const sentence = (
  news: RunnerNews,
  { identity, pool, slots }: { readonly identity: Identity; readonly pool: string; readonly slots: number },
): string => {
  switch (news.kind) {
    case 'joined':
      return `Runner ${news.number} of queue ${pool}, ${slots} slot${slots === 1 ? '' : 's'}. Its public key: ${identity.publicKey}`;
    case 'claimed':
    case 'ended':
      return `${news.kind === 'claimed' ? 'Began' : 'Ended'} ${safe(news.work.task ?? news.work.invocation)} of session ${safe(news.work.session)}`;
    case 'refused':
      return `Refused a job: ${refusalWords[news.why]}`;
    case 'lost':
      return `Waits: ${safe(news.why)}`;
    case 'reached':
      return 'The database is reached again';
  }
};

const refusalWords = {
  forged: 'no accepted host has signed it',
  elsewhere: 'it is for another queue or runner',
  expired: 'its time is over, or the clocks differ by more than five minutes',
  replayed: 'it was here before',
  overtaken: 'a later process runs its session',
} as const;
