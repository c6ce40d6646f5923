import { join } from 'node:path';
import { markerOf } from '../../agents/marker.ts';
import type { Backend } from '../../agents/port.ts';
import { type Clock, formatTimestamp } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { FaultError, toFault } from '../../base/fault.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import { discard } from '../../base/temporary-file.ts';
import type { Peer } from '../link/peer.io.ts';
import { claimPlace } from '../places/owned-place.ts';
import type { Cache } from '../repository/cache.ts';
import { appendPiece, readPiece } from '../repository/pieces.ts';
import { mostBundleBytes } from '../wire/fields.ts';
import { toHost } from '../wire/to-host.ts';
import { type Capabilities, noticesToRunner, toRunner } from '../wire/to-runner.ts';
import { takeFile } from './ignored-file.ts';
import { createJob, type Job } from './job.ts';
import { type JobRecord, writeJobRecord } from './job-record.ts';
import type { LateBook } from './late.ts';
import { lentHost } from './lent-host.ts';
import { tidy } from './tidy.ts';

export interface ServePorts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly random: Random;
  readonly spawn: Spawn;
  /** The name of this machine. */
  readonly machine: string;
  readonly cache: Cache;
  readonly late: LateBook;
  readonly removeTree: (path: string) => Promise<void>;
  /** Where the work of all links of this machine lies, absolute. */
  readonly work: string;
  /** The directory of this link in it. */
  readonly link: string;
  readonly backends: (agents: Readonly<Record<string, unknown>>) => readonly Backend[];
  /** What this machine has; `programs`: those that the host asks about. */
  readonly describe: (programs: readonly string[]) => Promise<Capabilities>;
}

/** The runner's side of one link: performs the turns of a host with the local backends. */
interface Server {
  /** Invocations that the host has not closed. */
  readonly jobs: ReadonlyMap<string, Job & { readonly orphanAfterMs: number }>;
  /** Stops and verifies everything, keeps what was changed, and records it as late work. */
  orphan(): Promise<void>;
  /** Stops and verifies everything, and removes the work trees. */
  end(): Promise<void>;
}

export const createServer = (ports: ServePorts, link: Peer): Server => {
  const peer = sayingFull(link);
  const { disk, random, cache, removeTree } = ports;
  const directory = join(ports.work, ports.link);
  const jobs = new Map<string, Job & { readonly orphanAfterMs: number }>();
  const uploads = new Map<string, { readonly file: string; size: number }>();

  const jobOf = (invocation: string): Job => {
    const job = jobs.get(invocation);
    if (job) return job;
    throw new FaultError({ code: 'runner-restarted', what: `the runner knows no work of ${invocation}` });
  };

  /** The directory of this link belongs to this process. */
  let isOurs = false;
  /** Nothing in it is needed any more. */
  let isKept = true;
  const claim = (): void => {
    if (!isOurs) claimPlace(ports, directory);
    isOurs = true;
  };
  let tidied: Promise<void> | null = null;
  const clearUp = (): Promise<void> => {
    tidied ??= tidy(ports);
    return tidied;
  };

  // A host asks this first. What a killed process left is cleared up before it asks about late work.
  peer.handle(toRunner.describe, async ({ programs }) => {
    const described = await ports.describe(programs);
    // Without git nothing can be kept, and the host refuses the machine; a full disk is its next word.
    await clearUp().catch(() => undefined);
    return described;
  });
  peer.handle(toRunner.have, async ({ repository, origin }) => {
    const problem = origin === undefined ? null : await cache.fetchOrigin(repository, origin);
    const commits = [...(await cache.commits(repository))];
    return { commits, ...(problem === null ? {} : { problem }) };
  });
  peer.handle(toRunner.file, async ({ invocation, path, data, first }) => {
    const { tree, prefix } = jobOf(invocation);
    takeFile(disk, { root: tree.root, prefix }, { path, bytes: Buffer.from(data, 'base64'), first });
    return {};
  });
  peer.handle(toRunner.put, async ({ repository, upload, data, last }) => {
    const known = uploads.get(upload) ?? { file: await cache.uploadFile(repository, upload), size: 0 };
    uploads.set(upload, known);
    const bytes = Buffer.from(data, 'base64');
    known.size += bytes.length;
    try {
      if (known.size > mostBundleBytes) throw new FaultError(tooLarge);
      appendPiece(disk, known.file, bytes);
    } catch (error) {
      uploads.delete(upload);
      discard(disk, known.file);
      throw error;
    }
    if (!last) return {};
    uploads.delete(upload);
    await cache.take(repository, known.file);
    return {};
  });
  peer.handle(toRunner.open, async ({ brief, repository, base, prefix, orphanAfterMs }) => {
    const known = jobs.get(brief.invocation);
    if (known) return { workspace: known.brief.workspace, fresh: false };
    claim();
    const root = join(directory, brief.invocation);
    if (disk.lstat(root) !== null) await removeTree(root);
    disk.mkdir(root);
    const { invocation } = brief;
    const tree = await cache.checkOut(repository, base, join(root, 'tree'));
    const job = createJob(
      {
        spawn: ports.spawn,
        cache,
        host: lentHost({ peer, clock: ports.clock, invocation }),
        boundary: () =>
          peer
            .request(toHost.boundary, { invocation })
            .catch(() => ({ kind: 'cancel', reason: 'the host is gone' })),
        backends: ports.backends(brief.settings.agents),
      },
      brief,
      { repository, base, root, tree, prefix },
    );
    disk.mkdir(join(root, 'session', 'logs'));
    writeJobRecord(disk, random, root, { ...recordOf(job), marker: markerOf(job.brief) });
    jobs.set(invocation, { ...job, orphanAfterMs });
    return { workspace: job.brief.workspace, fresh: true };
  });
  peer.handle(toRunner.turn, ({ invocation, backend, ask }) => jobOf(invocation).turn(backend, ask));
  peer.on(noticesToRunner.mail, ({ invocation, mail: { steer, now, held } }) =>
    jobs.get(invocation)?.mail({ steer, now, ...(held === undefined ? {} : { held }) }),
  );
  peer.handle(toRunner.stop, async ({ invocation, why }) => {
    const { stopped, unverified } = (await jobs.get(invocation)?.stop(why)) ?? {
      stopped: [],
      unverified: [],
    };
    return { stopped: [...stopped], unverified: [...unverified] };
  });
  peer.handle(toRunner.end, async ({ invocation, result }) => {
    const job = jobOf(invocation);
    await job.end();
    const commit = result ? await job.pack() : null;
    const bytes = commit === null ? 0 : (disk.lstat(job.bundle)?.size ?? 0);
    return { commit, bytes };
  });
  peer.handle(toRunner.take, async ({ invocation, offset }) => {
    const { bundle } = jobOf(invocation);
    const bytes = readPiece(disk, bundle, offset);
    const last = offset + bytes.length >= (disk.lstat(bundle)?.size ?? 0);
    return { data: Buffer.from(bytes).toString('base64'), last };
  });
  peer.handle(toRunner.close, async ({ invocation }) => {
    const job = jobs.get(invocation);
    jobs.delete(invocation);
    if (job) await removeTree(job.root);
    return {};
  });

  const orphan = async (job: Job): Promise<void> => {
    await job.stop('cancel');
    await job.end();
    const commit = await job.pack();
    if (commit === null) return;
    const record = recordOf(job);
    await job.keep(commit, `${record.session}/${record.invocation}`);
    ports.late.add({ ...record, commit, at: formatTimestamp(ports.clock) });
  };

  peer.handle(toRunner.late, async ({ session }) => ({ late: [...ports.late.of(session)] }));
  peer.handle(toRunner.takeLate, async ({ session, invocation, offset }) => {
    const late = ports.late.of(session).find((each) => each.invocation === invocation);
    if (!late)
      throw new FaultError({ code: 'no-late', what: `the runner has no late work of ${invocation}` });
    const file = join(directory, `late-${session}-${invocation}.bundle`);
    claim();
    if (offset === 0) discard(disk, file);
    if (offset === 0) await cache.packKept(late.repository, `${session}/${invocation}`, late.base, file);
    const bytes = readPiece(disk, file, offset);
    const last = offset + bytes.length >= (disk.lstat(file)?.size ?? 0);
    if (last) discard(disk, file);
    return { data: Buffer.from(bytes).toString('base64'), last };
  });
  peer.handle(toRunner.dropLate, async ({ session, invocation }) => {
    const late = ports.late.of(session).find((each) => each.invocation === invocation);
    ports.late.drop(session, invocation);
    if (late) await cache.forget(late.repository, `${session}/${invocation}`);
    return {};
  });

  return {
    jobs,
    orphan: async () => {
      const kept = await Promise.allSettled([...jobs.values()].map(orphan));
      // What could not be kept, as on a full disk, stays for the next process.
      isKept = kept.every(({ status }) => status === 'fulfilled');
    },
    end: async () => {
      await Promise.all([...jobs.values()].map((job) => job.stop('cancel').then(() => job.end())));
      jobs.clear();
      // The directory of a killed process with this link is not ours: its work is kept first.
      if (isOurs && isKept) await removeTree(directory);
      await clearUp().catch(() => undefined);
    },
  };
};

const recordOf = ({ brief, repository, base }: Job): Omit<JobRecord, 'marker'> => ({
  session: brief.session,
  invocation: brief.invocation,
  ...(brief.task === undefined ? {} : { task: brief.task.id }),
  ...(brief.attempt === undefined ? {} : { attempt: brief.attempt }),
  repository,
  base,
});

/** A full disk of this machine in one sentence: to the host its paths mean nothing. */
const sayingFull = (peer: Peer): Peer => ({
  ...peer,
  handle: (method, answer) =>
    peer.handle(method, (params, over) =>
      answer(params, over).catch((error: unknown) => {
        const { code, what } = toFault(error);
        if (code !== 'disk-full' && !/no space left on device|disk quota exceeded/iu.test(what)) throw error;
        throw new FaultError({
          code: 'runner-disk',
          what: 'the disk there is full',
          hint: 'make room below its home directory; what was done there is kept',
        });
      }),
    ),
});

const tooLarge = {
  code: 'bundle-too-large',
  what: `the commits to send are more than ${mostBundleBytes / 1_048_576} MB`,
};
