import { join } from 'node:path';
import { markerOf } from '../../agents/marker.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { Peer } from '../link/peer.io.ts';
import { encodedPiece } from '../repository/pieces.ts';
import { toHost } from '../wire/to-host.ts';
import { noticesToRunner, toRunner } from '../wire/to-runner.ts';
import { workNames } from '../wire/work-names.ts';
import { sayingFull } from './full-disk.ts';
import { takeFile } from './ignored-file.ts';
import { createJob, type Job } from './job.ts';
import { writeJobRecord } from './job-record.ts';
import { lentHost } from './lent-host.ts';
import { serveCommits } from './serve-commits.ts';
import { serveLate } from './serve-late.ts';
import {
  beginServing,
  claimDirectory,
  clearUp,
  jobOf,
  type OpenAsked,
  type ServePorts,
  type Serving,
} from './serving.ts';

/** The runner's side of one link: performs the turns of a host with the local backends. */
interface Server {
  /** Invocations that the host has not closed. */
  readonly jobs: Serving['jobs'];
  /** Stops and verifies everything, keeps what was changed, and records it as late work. */
  orphan(): Promise<void>;
  /** Stops and verifies everything, and removes the work trees. */
  end(): Promise<void>;
}

export const createServer = (ports: ServePorts, link: Peer): Server => {
  const serving = beginServing(ports, sayingFull(link));
  serving.peer.handle(toRunner.describe, async ({ programs }) => {
    const described = await ports.describe(programs);
    // The host asks this first: what a killed process left is cleared up before it asks about late work.
    // Without git nothing can be kept, and the host refuses the machine; a full disk is its next word.
    await clearUp(serving).catch(() => undefined);
    return described;
  });
  serveCommits(serving);
  serveJobs(serving);
  serveResults(serving);
  serveLate(serving);
  const { jobs } = serving;
  return {
    jobs,
    orphan: async () => {
      const kept = await Promise.allSettled([...jobs.values()].map((job) => orphan(ports, job)));
      // What could not be kept, as on a full disk, stays for the next process.
      serving.isKept = kept.every(({ status }) => status === 'fulfilled');
    },
    end: async () => {
      await Promise.all([...jobs.values()].map((job) => job.stop('cancel').then(() => job.end())));
      jobs.clear();
      // The directory of a killed process with this link is not ours: its work is kept first.
      if (serving.isOurs && serving.isKept) await ports.removeTree(serving.directory);
      await clearUp(serving).catch(() => undefined);
    },
  };
};

/** Opens jobs, and passes on what the host asks of them while they work. */
const serveJobs = (serving: Serving): void => {
  const { ports, peer, jobs } = serving;
  peer.handle(toRunner.open, async (asked) => {
    const known = jobs.get(asked.brief.invocation);
    if (known) return { workspace: known.brief.workspace, fresh: false };
    const wrong = ports.only(asked);
    if (wrong !== null) throw new FaultError(wrong);
    const job = await openJob(serving, asked);
    jobs.set(asked.brief.invocation, { ...job, orphanAfterMs: asked.orphanAfterMs });
    return { workspace: job.brief.workspace, fresh: true };
  });
  peer.handle(toRunner.file, async ({ invocation, path, data, first }) => {
    const { tree, prefix } = jobOf(serving, invocation);
    takeFile(ports.disk, { root: tree.root, prefix }, { path, bytes: Buffer.from(data, 'base64'), first });
    return {};
  });
  peer.handle(toRunner.turn, ({ invocation, backend, ask }) => jobOf(serving, invocation).turn(backend, ask));
  peer.on(noticesToRunner.mail, ({ invocation, mail: { steer, now, held, refused } }) =>
    jobs.get(invocation)?.mail({
      steer,
      now,
      ...(refused === undefined ? {} : { refused }),
      ...(held === undefined ? {} : { held }),
    }),
  );
  peer.handle(toRunner.stop, async ({ invocation, why }) => {
    const { stopped, unverified } = (await jobs.get(invocation)?.stop(why)) ?? {
      stopped: [],
      unverified: [],
    };
    return { stopped: [...stopped], unverified: [...unverified] };
  });
};

/** Ends jobs, and sends what they changed in pieces. */
const serveResults = (serving: Serving): void => {
  const { ports, peer, jobs } = serving;
  const { disk, removeTree } = ports;
  peer.handle(toRunner.end, async ({ invocation, result }) => {
    const job = jobOf(serving, invocation);
    await job.end();
    const commit = result ? await job.pack() : null;
    const bytes = commit === null ? 0 : (disk.lstat(job.bundle)?.size ?? 0);
    return { commit, bytes };
  });
  peer.handle(toRunner.take, async ({ invocation, offset }) => {
    return encodedPiece(disk, jobOf(serving, invocation).bundle, offset);
  });
  peer.handle(toRunner.close, async ({ invocation }) => {
    const job = jobs.get(invocation);
    jobs.delete(invocation);
    if (job) await removeTree(job.root);
    return {};
  });
};

/** Makes the work tree of an invocation with its record, which outlives this process. */
const openJob = async (
  serving: Serving,
  { brief, repository, base, prefix, host }: OpenAsked,
): Promise<Job> => {
  const { ports, peer, directory } = serving;
  const { cache, disk } = ports;
  const { invocation } = brief;
  claimDirectory(serving);
  const root = join(directory, invocation);
  if (disk.lstat(root) !== null) await ports.removeTree(root);
  disk.mkdir(root);
  const tree = await cache.checkOut(repository, base, join(root, 'tree'));
  const job = createJob(
    {
      spawn: ports.spawn,
      cache,
      host: lentHost({ peer, clock: ports.clock, invocation }),
      boundary: () =>
        peer
          .request(toHost.boundary, { invocation })
          .catch(() => ({ kind: 'cancel', reason: 'the host has ended' })),
      backends: ports.backends(brief),
    },
    brief,
    { repository, base, root, tree, prefix },
  );
  disk.mkdir(join(root, 'session', 'logs'));
  writeJobRecord(disk, ports.random, root, {
    ...workNames(job),
    marker: markerOf(job.brief),
    hasResult: hasResult(job),
    ...(host === undefined ? {} : { host: { name: host, sessionDirectory: brief.sessionDirectory } }),
  });
  return job;
};

/** Stops a job and keeps what it changed as late work. */
const orphan = async (ports: ServePorts, job: Job): Promise<void> => {
  await job.stop('cancel');
  await job.end();
  if (!hasResult(job)) return;
  const commit = await job.pack();
  if (commit === null) return;
  const record = workNames(job);
  await job.keep(commit, `${record.session}/${record.invocation}`);
  ports.late.add({ ...record, commit, at: formatTimestamp(ports.clock) });
};

/** What a review leaves in its work tree is nobody's work. */
const hasResult = ({ brief }: Pick<Job, 'brief'>): boolean => brief.mode === 'IMPLEMENT';
