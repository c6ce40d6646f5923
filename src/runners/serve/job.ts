import { join } from 'node:path';
import { markerOf } from '../../agents/marker.ts';
import type {
  Backend,
  BackendHost,
  Brief,
  Directive,
  TurnAsk,
  TurnResult,
  Worker,
} from '../../agents/port.ts';
import { FaultError } from '../../base/fault.ts';
import type { Spawn, StopReport } from '../../base/process/spawn.ts';
import type { Cache } from '../repository/cache.ts';
import type { WorkTree } from '../repository/tree-commit.ts';

/** The work of one invocation on this machine. */
export interface Job {
  readonly brief: Brief;
  readonly repository: string;
  readonly base: string;
  readonly root: string;
  readonly tree: WorkTree;
  /** The workspace inside the work tree, `''` or a path that ends with `/`. */
  readonly prefix: string;
  turn(backend: string, ask: TurnAsk): Promise<{ readonly result: TurnResult; readonly lastWords: string }>;
  mail(mail: Parameters<NonNullable<Worker['notice']>>[0]): void;
  stop(why: 'abort' | 'cancel'): Promise<StopReport>;
  /** Ends its agents. Resolves when their processes are gone. */
  end(): Promise<void>;
  /** Commits the files. The bundle is in `bundle`; `null` when nothing changed. */
  pack(): Promise<string | null>;
  readonly bundle: string;
  /** Keeps the packed commit under a name in the copy of the repository. */
  keep(commit: string, name: string): Promise<void>;
}

interface JobPorts {
  readonly spawn: Spawn;
  readonly cache: Cache;
  readonly host: BackendHost;
  readonly boundary: () => Promise<Directive>;
  readonly backends: readonly Backend[];
}

interface JobPlace {
  readonly repository: string;
  readonly base: string;
  /** The directory of the work tree, and beside it that of logs and bundle. */
  readonly root: string;
  readonly tree: WorkTree;
  readonly prefix: string;
}

/** `sent`: the brief as the host sees it. Its paths are replaced by those of this machine, also in prompts. */
export const createJob = (ports: JobPorts, sent: Brief, place: JobPlace): Job => {
  const { spawn, cache, host, backends } = ports;
  const { tree, base, repository, root, prefix } = place;
  const { reads, ...rest } = sent;
  const workspace = join(tree.root, prefix).replace(/\/$/u, '');
  const brief: Brief = { ...rest, workspace, sessionDirectory: join(root, 'session') };
  const workers = new Map<string, Worker>();
  const bundle = join(root, 'result.bundle');
  const marker = markerOf(brief);
  const grace = brief.settings.timeouts.abort_grace;

  const here = (text: string): string =>
    text.replaceAll(reads ?? sent.workspace, workspace).replaceAll(sent.workspace, workspace);

  const workerOf = (name: string): Worker => {
    const known = workers.get(name);
    if (known) return known;
    const backend = backends.find((candidate) => candidate.name === name);
    if (backend === undefined)
      throw new FaultError({ code: 'no-backend', what: `the runner has no agent named "${name}"` });
    const worker = backend.start(brief, host);
    workers.set(name, worker);
    return worker;
  };

  return {
    brief,
    repository,
    base,
    root,
    tree,
    prefix,
    bundle,
    turn: async (name, ask) => {
      const worker = workerOf(name);
      const result = await worker.turn({ ...ask, prompt: here(ask.prompt) }, ports.boundary);
      return { result, lastWords: (worker.lastWords?.() ?? '').slice(0, 4_000) };
    },
    mail: (mail) => {
      for (const worker of workers.values()) worker.notice?.(mail);
    },
    stop: async (why) => {
      // Together, as on the host, which waits little longer than one grace.
      const [report] = await Promise.all([
        spawn.stopMarked([marker], grace),
        ...[...workers.values()].map((worker) => worker.stop(why)),
      ]);
      return report;
    },
    end: async () => {
      await Promise.all([...workers.values()].map((worker) => worker.end?.()));
      workers.clear();
      await spawn.stopMarked([marker], grace);
    },
    pack: () => cache.pack(tree, base, bundle),
    keep: (commit, name) => cache.keep(repository, tree, commit, name),
  };
};
