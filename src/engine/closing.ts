import { type Fault, formatFault } from '../base/fault.ts';
import type { StopReport } from '../base/process/spawn.ts';
import type { JournalWriter } from '../observability/journal.ts';
import { ends, stopped } from '../pipeline/ends.ts';
import type { Event } from '../pipeline/event.ts';
import { settleInvocations } from '../pipeline/settle-invocations.ts';
import type { Lock } from '../session/lock.ts';
import type { SessionEnd } from './engine.ts';
import type { Invocations } from './invocation/invocation.ts';
import type { Loop } from './loop.ts';
import type { Snapshots } from './snapshots/snapshots.ts';

/** The ways in which an engine ends. It ends once, whichever comes first. */
export interface Closing {
  /** Ends as the pipeline decided, after `session.stopped` is recorded. */
  close(): void;
  /** Stops a session that cannot continue. Stops what runs, and writes only what a full disk or a lost lock allows. */
  block(fault: Fault): void;
  /** Leaves on a person's request: stops and verifies agents, settles their results, saves everything. */
  quit(reason: string): Promise<void>;
  note(event: Event): void;
}

interface ClosingPorts {
  readonly lock: Lock;
  readonly journal: JournalWriter;
  readonly loop: Loop;
  readonly invocations: Invocations;
  readonly snapshots: Snapshots;
  /** Records what still has to be before a quit, as far as it does not take long. */
  readonly ending: () => void;
  /** Releases timers and watchers. */
  readonly release: () => void;
  /** Resolves when the session has begun, so that nothing is resumed after the end. */
  readonly begun: () => Promise<void>;
  /** Resolves when no git of ours works, so that the next host finds it at rest; `null` at rest. Never rejects. */
  readonly idle: () => Promise<void> | null;
  readonly ended: (end: SessionEnd) => void;
}

interface State {
  readonly ports: ClosingPorts;
  isBlocked: boolean;
  isFinished: boolean;
  unverified: readonly number[];
  exitCode: number;
}

export const createClosing = (ports: ClosingPorts): Closing => {
  const state: State = { ports, isBlocked: false, isFinished: false, unverified: [], exitCode: 1 };
  return {
    block: (fault) => block(state, fault),
    quit: (reason) => quit(state, reason),
    close: () => close(state),
    note: (event) => {
      if (event.type === 'session.stopped') state.exitCode = event.exit_code;
      if (event.type === 'processes.stopped') state.unverified = event.unverified;
    },
  };
};

const close = (state: State): void => {
  const { loop, invocations, release, idle } = state.ports;
  const { status, stopReason } = loop.state();
  if (state.isBlocked) return;
  // Nothing is recorded after `session.stopped`.
  release();
  loop.close();
  const end = (): void => finish(state, status, stopReason ?? '');
  // Processes that commands left behind do not outlive the session.
  invocations.stopAll('quit').then((report) => {
    if (report.unverified.length > 0) state.unverified = report.unverified;
    atRest(idle, end);
  }, end);
};

const block = (state: State, fault: Fault): void => {
  if (state.isBlocked || state.isFinished) return;
  state.isBlocked = true;
  const { loop, invocations, snapshots, idle } = state.ports;
  const sentence = formatFault(fault);
  const isLost = fault.code === 'lock-lost';
  const record = isLost ? loop.announce : loop.commit;
  if (isLost) loop.abandon();
  else loop.freeze();
  if (loop.begun()) {
    record({ type: 'problem.found', fault });
    // The pipeline's last status stands: an aborted session stays aborted when the disk is full at its end.
    if (loop.state().running) record(stopped(loop.state(), ends.blocked(sentence)));
  }
  const end = (): void => {
    if (!isLost) quietly(() => snapshots.write(true));
    state.exitCode = 1;
    finish(state, 'blocked', sentence);
  };
  const stopping = loop.begun() ? invocations.stopAll('quit') : Promise.resolve(nothing);
  stopping.then((report) => {
    state.unverified = report.unverified;
    atRest(idle, end);
  }, end);
};

const quit = async (state: State, reason: string): Promise<void> => {
  const { loop, invocations, begun, idle } = state.ports;
  const isOver = (): boolean => state.isFinished || state.isBlocked;
  if (isOver() || !loop.begun() || loop.state().abort) return;
  loop.freeze();
  // Recovery may still be stopping processes of a dead engine. The journal needs that before the end, and watchers start only after it.
  await begun();
  const report = await invocations.stopAll('quit');
  const working = idle();
  if (working !== null) await working;
  if (isOver()) return;
  loop.run(() => {
    if (report.stopped.length + report.unverified.length > 0)
      loop.commit({
        type: 'processes.stopped',
        reason: 'quit',
        stopped: [...report.stopped],
        unverified: [...report.unverified],
      });
    settleAll(loop);
    state.ports.ending();
    loop.commit(stopped(loop.state(), ends.quit(reason)));
  });
};

const finish = (state: State, status: SessionEnd['status'], reason: string): void => {
  if (state.isFinished) return;
  state.isFinished = true;
  const { ports, exitCode, unverified } = state;
  const { loop, release } = ports;
  release();
  quietly(() => loop.close());
  quietly(() => ports.journal.close());
  quietly(() => ports.lock.release());
  ports.ended({ status, reason, exitCode, unverified });
};

/** Ends at once, or when git is at rest. */
const atRest = (idle: () => Promise<void> | null, end: () => void): void => {
  const working = idle();
  if (working === null) end();
  else void working.then(end);
};

const nothing: StopReport = { stopped: [], unverified: [] };

/** Settles the stopped invocations, so that no file shows `[/]` for an idle task. */
const settleAll = (loop: Loop): void => {
  for (;;) {
    const step = settleInvocations(loop.state());
    if (step === null || step === 'wait' || step.type === 'session.stopped') return;
    if (!loop.commit(step)) return;
  }
};

/** Runs one step of the end. A failure must not prevent the next step; the cause is already reported. */
const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // A full disk or a lost lock is the reason for this end.
  }
};
