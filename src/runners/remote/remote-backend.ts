import type {
  Backend,
  BackendHost,
  Brief,
  Directive,
  TurnAsk,
  TurnResult,
  Worker,
} from '../../agents/port.ts';
import type { Disk } from '../../base/disk.ts';
import { FaultError, toFault } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import { safe } from '../../base/safe.ts';
import type { HostCopy, Place } from '../repository/host-copy.ts';
import { noticesToRunner, toRunner } from '../wire/to-runner.ts';
import { workNames } from '../wire/work-names.ts';
import { sendIgnored } from './ignored-files.ts';
import { fetchResult, sendCommits } from './move-commits.ts';
import type { Runner } from './runner.ts';

interface RemotePorts {
  readonly disk: Disk;
  readonly random: Random;
  readonly copy: HostCopy;
  /** A random name of this process. */
  readonly host: string;
  /** The settings that a runner gets. Runners of its own are none of its business. */
  readonly orphanAfterMs: number;
  /** Files of the session's workspace that go along, though no commit carries them. */
  readonly ignored: { readonly workspace: string; readonly entries: readonly string[] };
  /** The runner fetches from the repository's origin before commits are sent. */
  readonly fetches: boolean;
  /** Runners of a pool claim an invocation: they hear of it before a link is there. */
  readonly offers: boolean;
}

/** Turns that only keep the session's own books. They need its files, and stay on the host. */
const hostTurns: ReadonlySet<string> = new Set(['commit', 'carry', 'promote', 'initialize']);

/** Turns that run the task's `verify` commands and look whether its files are there. Where there is no command, nothing runs, and the files are here. */
const lookingTurns: ReadonlySet<string> = new Set(['review', 'verify']);

const staysHere = ({ model }: Backend, { task }: Brief, { kind }: TurnAsk): boolean =>
  hostTurns.has(kind) || (!model && lookingTurns.has(kind) && task?.verify.length === 0);

/**
 * A backend whose work happens on a runner: the port of `Worker` and `BackendHost` over a link. The procedure, its checkpoints and every decision stay
 * here; the files go there as a commit and come back as one.
 */
export const createRemoteBackend = (ports: RemotePorts, runner: Runner, backend: Backend): Backend => ({
  ...backend,
  start: (brief, host) => createRemoteWorker(ports, runner, backend, brief, host),
});

interface Opened {
  readonly place: Place;
  readonly base: string;
}

interface Work {
  readonly ports: RemotePorts;
  readonly runner: Runner;
  readonly backend: Backend;
  readonly brief: Brief;
  readonly host: BackendHost;
  /** The name of the refs that hold its files. */
  readonly name: string;
  /** The workspace on the runner; `''` before it is known. */
  workspaceThere: string;
  opening: Promise<Opened> | null;
  stopped: 'abort' | 'cancel' | null;
  /** Performs the turns that stay on the host. */
  local: Worker | null;
  lastWords: string;
  boundary: () => Promise<Directive>;
}

const createRemoteWorker = (
  ports: RemotePorts,
  runner: Runner,
  backend: Backend,
  brief: Brief,
  host: BackendHost,
): Worker => {
  const { invocation } = brief;
  const work: Work = {
    ports,
    runner,
    backend,
    brief,
    host,
    name: `${brief.session}/${invocation}`,
    workspaceThere: '',
    opening: null,
    stopped: null,
    local: null,
    lastWords: '',
    boundary: goOn,
  };
  return {
    turn: (ask, pass) => {
      if (staysHere(backend, brief, ask)) {
        work.local ??= backend.start(brief, host);
        return work.local.turn(ask, pass);
      }
      work.boundary = pass;
      return turn(work, ask).finally(() => {
        work.boundary = goOn;
      });
    },
    stop: async (why) => {
      work.stopped ??= why;
      await work.local?.stop(why);
      if (work.opening === null) return;
      // Nobody has claimed it: it leaves the queue.
      if (ports.offers && runner.described() === null) runner.close();
      else await stopThere(work, why);
    },
    notice: ({ steer, now, held, refused }) => {
      const mail = {
        steer,
        now,
        ...(refused === undefined ? {} : { refused }),
        ...(held === undefined ? {} : { held }),
      };
      runner.peer()?.notify(noticesToRunner.mail, { invocation, mail });
    },
    lastWords: () => work.lastWords || (work.local?.lastWords?.() ?? ''),
    end: async () => {
      await work.local?.end?.();
      const opened = await work.opening?.catch(() => null);
      if (opened) await bringHome(work, opened);
    },
  };
};

const stopThere = async ({ runner, brief }: Work, why: 'abort' | 'cancel'): Promise<void> => {
  const peer = await runner.ready();
  await peer.request(toRunner.stop, { invocation: brief.invocation, why });
};

const turn = async (work: Work, ask: TurnAsk): Promise<TurnResult> => {
  const { runner, backend, brief } = work;
  let isOpen = false;
  try {
    work.opening ??= open(work);
    await work.opening;
    isOpen = true;
    if (work.stopped) return { kind: 'stopped', why: work.stopped };
    const peer = await runner.ready();
    const { invocation } = brief;
    const answer = await peer.request(toRunner.turn, { invocation, backend: backend.name, ask });
    work.lastWords = answer.lastWords;
    return answer.result;
  } catch (error) {
    if (work.stopped) return { kind: 'stopped', why: work.stopped };
    const fault = toFault(error);
    // What it has changed so far is brought home by its end, unless the runner or the way to it is gone.
    if (!isOpen || fault.code.startsWith('runner-')) work.opening = null;
    return { kind: 'failed', fault: { ...fault, where: fault.where ?? `runner ${runner.name}` } };
  }
};

/** Sends the files and the brief, and prepares the work tree there. */
const open = async (work: Work): Promise<Opened> => {
  const { ports, runner, brief, host, name } = work;
  const { invocation, settings } = brief;
  const note = (text: string): void => host.emit({ type: 'finding.noted', text: safe(text) });
  const place = await ports.copy.locate(brief.workspace);
  // The link is opened and the runner asked what it has meanwhile.
  const base = ports.copy.snapshot(place, name);
  // Who awaits it below hears of a failure.
  base.catch(() => undefined);
  const asked = {
    brief: { ...brief, settings: { ...settings, runners: {} } },
    repository: place.repository,
    prefix: place.prefix,
    orphanAfterMs: ports.orphanAfterMs,
    host: ports.host,
  };
  if (ports.offers)
    runner.offer({ ...workNames({ ...asked, base: await base }), brief: JSON.stringify(asked.brief) });
  const peer = await runner.ready();
  const opened = await twiceWhereDamaged(async () => {
    const unfetched = await sendCommits(ports, peer, { place, name, base, fetches: ports.fetches });
    if (unfetched !== null)
      note(`${runner.name} could not fetch from origin (${unfetched}), so it gets the commits from here`);
    return peer.request(toRunner.open, { ...asked, base: await base });
  });
  work.workspaceThere = opened.workspace;
  runner.lend(invocation, {
    host,
    boundary: () => work.boundary(),
    pathHere: (path) => pathHere(work, path),
    runner: runner.name,
  });
  if (opened.fresh) {
    const { entries, ...from } = ports.ignored;
    for (const problem of await sendIgnored(ports.disk, peer, { invocation, ...from }, entries))
      note(problem);
  }
  if (opened.fresh && settings.worktree.setup.length > 0) await setUp(work);
  return { place, base: await base };
};

/** A path of the workspace on the runner as it is called here. Other paths stay as they are. */
const pathHere = ({ workspaceThere, brief }: Work, path: string): string =>
  workspaceThere !== '' && (path === workspaceThere || path.startsWith(`${workspaceThere}/`))
    ? `${brief.workspace}${path.slice(workspaceThere.length)}`
    : path;

const setUp = async ({ runner, brief }: Work): Promise<void> => {
  const peer = await runner.ready();
  const data = { commands: brief.settings.worktree.setup };
  const ask: TurnAsk = { kind: 'setup', prompt: '', messages: [], data };
  const { invocation } = brief;
  const { result } = await peer.request(toRunner.turn, { invocation, backend: 'script', ask });
  if (result.kind === 'answered' && result.answer === null) return;
  const why = result.kind === 'answered' ? String(result.answer) : 'it was stopped';
  const what = `worktree.setup failed on ${runner.name}: ${result.kind === 'failed' ? result.fault.what : why}`;
  throw new FaultError({ code: 'worktree', what });
};

/** Fetches the result and closes the work on the runner. */
const bringHome = async ({ ports, runner, brief, name }: Work, opened: Opened): Promise<void> => {
  const { invocation } = brief;
  try {
    const peer = await runner.ready();
    const result = brief.mode === 'IMPLEMENT';
    await fetchResult(ports, peer, { ...opened, name, invocation, result });
    await Promise.all([peer.request(toRunner.close, { invocation }), ports.copy.forget(opened.place, name)]);
  } finally {
    runner.giveBack(invocation);
  }
};

/** Between two turns there is nothing to pass. */
const goOn = async (): Promise<Directive> => ({ kind: 'go', messages: [] });

/** A damaged copy on the runner was removed there: the second time everything is sent. */
const twiceWhereDamaged = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'runner-cache') throw error;
    return send();
  }
};
