import type { Brief, InvocationId, RoleEnd } from '../../agents/port.ts';
import { foreignName } from '../../agents/profiles/foreign-name.ts';
import { procedures } from '../../agents/roles/index.ts';
import type { StopReport } from '../../base/process/spawn.ts';
import { guarded } from '../guards/guard.ts';
import { tellUnenforced } from '../guards/guard-forbidden.ts';
import { createSweepWork } from '../guards/sweep-work.ts';
import type { Active } from './active.ts';
import { backendHost } from './backend-host.ts';
import { createCommitTurns } from './commit-turns.ts';
import { close, crash, finish } from './end-invocation.ts';
import { createHookGuard } from './hook-guard.ts';
import type { InvocationContext, InvocationPorts } from './invocation-context.ts';
import type { StopReason } from './invocation-facts.ts';
import { createInvocationGuards } from './invocation-guards.ts';
import { modelBrief } from './model-brief.ts';
import { noticeMail } from './notice-mail.ts';
import { openAttemptLog } from './open-attempt-log.ts';
import { rolePort } from './role-port.ts';
import { watchSilence } from './silence.ts';
import { createStopping } from './stopping.ts';

/** Runs role procedures on their backends, each behind its own port (src/engine/README.md, Roles), and records how each ends. */
export interface Invocations {
  invoke(brief: Brief, backend: string): void;
  /** `verified` gets what became of its processes, before its end is recorded. */
  stop(invocation: InvocationId, reason: StopReason, verified: (report: StopReport) => void): void;
  /** Stops all and verifies. Never rejects, and takes at most a little longer than the grace. */
  stopAll(reason: 'abort' | 'quit'): Promise<StopReport>;
  /** Notifies working agents of messages that wait for them in the mailbox. */
  notice(): void;
  /** Runs work of ours that moves the person's branch, so that no agent is blamed for it. */
  ours<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the text of a session file counts as written by an agent at work. Reports it and keeps the text. */
  overwrote(path: string, text: string): boolean;
}

export const createInvocations = (ports: InvocationPorts): Invocations => {
  const stopping = createStopping(ports.core, (active, body) => close(context, active, body));
  const context: InvocationContext = {
    ...ports,
    actives: new Map(),
    commits: createCommitTurns(),
    guards: createInvocationGuards(ports, createSweepWork(ports.core, stopping.left)),
    hooks: createHookGuard(ports.core, ports.permissions),
  };
  const { actives } = context;
  return {
    invoke: (brief, backend) => invoke(context, brief, backend),
    stop: (invocation, reason, verified) => {
      const active = actives.get(invocation);
      if (active) stopping.one(active, reason, verified);
      else verified({ stopped: [], unverified: [] });
    },
    stopAll: (reason) => stopping.all([...actives.values()], reason),
    ours: context.guards.ours,
    overwrote: context.guard.overwrote,
    notice: () => noticeMail(ports.core, actives.values()),
  };
};

const invoke = (context: InvocationContext, brief: Brief, backend: string): void => {
  const { core, actives, commits, tools, permissions } = context;
  const active: Active = {
    brief,
    log: openAttemptLog(core, brief),
    worker: null,
    stop: null,
    ending: null,
    over: false,
    from: 0,
    alive: core.options.clock.monotonic(),
    stall: null,
    boundary: null,
    refused: null,
    ends: new AbortController(),
  };
  actives.set(brief.invocation, active);
  watchSilence(
    core,
    active,
    (each) =>
      // Another program's worker is heard only when it calls us.
      backend === foreignName ||
      commits.waits(each) ||
      tools.asks(each.brief.invocation) ||
      permissions.isAsking(each),
  );
  Promise.resolve()
    .then(() => start(context, active, backend))
    .then((end) => {
      active.ending = finish(context, active, end);
      return active.ending;
    })
    .catch((error: unknown) => crash(context, active, error))
    .catch(() => {
      // `loop.run` has already stopped the session with this error.
    });
};

const start = async (context: InvocationContext, active: Active, backendName: string): Promise<RoleEnd> => {
  if (active.stop) throw new Error('it was stopped before it started');
  const { backends, placeOn } = context.core.options;
  const known = backends.find(({ name }) => name === backendName);
  const { runner } = active.brief;
  const backend = known && runner !== undefined ? placeOn?.(known, runner) : known;
  if (!backend)
    return {
      kind: 'failed',
      fault: {
        code: 'no-backend',
        what: `unknown backend "${backendName}"`,
        hint: `choose one of ${backends.map(({ name }) => name).join(', ')}`,
      },
    };
  const task = await context.edited.taskFor(active);
  if (active.stop) throw new Error('it was stopped before it started');
  const own = task === undefined ? active.brief : { ...active.brief, task };
  const placed = await context.worktrees.enter(active, own, (there) => setUp(context, active, there));
  if (active.stop) throw new Error('it was stopped before it started');
  if ('code' in placed) return { kind: 'failed', fault: placed };
  const brief = await modelBrief(context.core, placed, backend);
  if (active.stop) throw new Error('it was stopped before it started');
  tellUnenforced(context.core, brief, backend);
  // Commands that plan or collect are the session's own and stay in the workspace.
  const seen = backend.model && brief.reads !== undefined ? { ...brief, workspace: brief.reads } : brief;
  const worker = backend.start(seen, backendHost(context, active, brief, backend));
  active.worker = worker;
  return guarded(context.guards.of(active, worker), brief, () =>
    procedures[brief.role](rolePort(context, active, brief, worker)),
  );
};

/** Runs `worktree.setup` with the log, the limits and the stop of the attempt. Returns the failure in words, or `null`. */
const setUp = async (context: InvocationContext, active: Active, brief: Brief): Promise<string | null> => {
  const commands = brief.settings.worktree.setup;
  const script = context.core.options.backends.find(({ name }) => name === 'script');
  if (!script) return 'the script backend, which runs it, is missing';
  const worker = script.start(brief, backendHost(context, active, brief, script));
  active.worker = worker;
  const ask = { kind: 'setup', prompt: '', messages: [], data: { commands } };
  const result = await worker.turn(ask, async () => ({ kind: 'go', messages: [] }));
  if (result.kind === 'answered') return result.answer === null ? null : String(result.answer);
  return result.kind === 'failed' ? result.fault.what : 'it was stopped';
};
