import { join } from 'node:path';
import { type Fault, formatFault, toFault } from '../base/fault.ts';
import { createRedact } from '../base/redact.ts';
import type { ChosenIsolation } from '../changes/choose-isolation.ts';
import type { Door } from '../issues/team/door.ts';
import type { JournalWriter } from '../observability/journal.ts';
import type { EventOf } from '../pipeline/event.ts';
import { startHeartbeat } from '../session/heartbeat.ts';
import type { Lock } from '../session/lock.ts';
import { withAuthors } from '../signals/mailbox/with-authors.ts';
import type { Mailbox } from '../signals/mailbox.ts';
import { cleanBody } from './clean.ts';
import { type Closing, createClosing } from './closing.ts';
import { type Core, orchestrator } from './core.ts';
import type { EngineOptions, RunnerBody, SessionEnd } from './engine.ts';
import type { ControlFiles } from './guards/control-files.ts';
import { createOtherSessions, noOtherSessions } from './invocation/other-sessions.ts';
import type { Permissions } from './invocation/permissions.ts';
import { createSessionShadow, isStillHeld, noShadow } from './invocation/session-shadow.ts';
import { createLoop, type Loop, type Observer } from './loop.ts';
import { createAuthors } from './mailbox/authors.ts';
import { createLedger } from './mailbox/ledger.ts';
import { beginAgain, beginNew } from './opening.ts';
import { createParts } from './parts.ts';
import { perform } from './perform.ts';
import type { Recalled } from './recovery.ts';
import type { Screens } from './screens.ts';
import { tellProblem } from './tell-problem.ts';

/** A session whose lock is held. All parts are joined; nothing has started. */
export interface Host {
  /** Starts a new session or recovers one, then runs it. Resolves when the session runs. */
  begin(isolation?: ChosenIsolation): Promise<void>;
  wake(): void;
  noteRunner(body: RunnerBody): void;
  noteProblem(fault: Fault): void;
  quit(reason: string): Promise<void>;
  readonly permissions: Pick<Permissions, 'answer' | 'revoke' | 'confirmDevice'>;
  readonly workers: Door;
}

interface HostParts {
  readonly options: EngineOptions;
  readonly lock: Lock;
  readonly mailbox: Mailbox;
  readonly journal: JournalWriter;
  readonly recalled: Recalled | null;
  readonly observers: Set<Observer>;
  readonly screens: Screens;
  readonly hooksAtStart: ControlFiles;
  readonly ended: (end: SessionEnd) => void;
}

/** Longest wait of a person who quits for the ends of messages. */
const quitWithinMs = 2_000;

export const assemble = (given: HostParts): Host => {
  const { options, lock, journal, recalled, observers, ended } = given;
  const { clock, disk, paths } = options;
  const redact = createRedact(options.secrets);
  const { shadow, others, stillOurs } = heldBeside(options, lock);
  const state = recalled?.state ?? null;
  const loop = createLoop({ clock, journal, state, observers, clean: cleanBody(redact), stillOurs });
  const core: Core = {
    options,
    loop,
    redact,
    mailbox: withAuthors(given.mailbox, createAuthors(options, loop.state)),
    ledger: createLedger(),
    epoch: lock.epoch,
    isStillOurs: stillOurs,
    shadow,
    others,
    takeCut: () => journal.takeCut(),
    screens: given.screens,
    hooksAtStart: given.hooksAtStart,
    problem: createProblems(loop),
    block: loop.fail,
  };
  const parts = createParts(core, redact);
  const stopHeartbeat = startHeartbeat(disk, clock, paths, { isStillOurs: stillOurs, later: loop.later });
  const release = (): void => {
    stopHeartbeat();
    parts.watch.stop();
    parts.timers.disarmAll();
    parts.snapshots.stop();
  };
  const begun = { done: Promise.resolve() };
  const closing = createClosing({
    lock,
    journal,
    ended,
    loop,
    invocations: parts.invocations,
    snapshots: parts.snapshots,
    ending: () => parts.backlog.drain(quitWithinMs),
    release,
    begun: () => begun.done,
    idle: parts.changes.idle,
  });
  loop.join(callsOf(parts, closing));
  return {
    begin: (isolation) => {
      begun.done = begin(parts, recalled, isolation);
      return begun.done;
    },
    wake: () => parts.watch.look(),
    noteRunner: (body) => {
      if (loop.isOpen()) loop.run(() => loop.commit(body));
    },
    noteProblem: (fault) => tellProblem(core, fault),
    quit: closing.quit,
    permissions: parts.permissions,
    workers: parts.workers,
  };
};

type Parts = ReturnType<typeof createParts>;

/** What the loop calls while it runs. */
const callsOf = (parts: Parts, closing: Closing): Parameters<Loop['join']>[0] => {
  const { core, checkpoints } = parts;
  const performers = { ...parts, close: closing.close };
  let announcedGate: string | null = null;
  return {
    note: (event) => {
      core.ledger.note(event);
      closing.note(event);
      parts.tools.note(event);
      parts.permissions.note(event);
      if (event.type === 'wave.chosen') lookForFiles(core, event);
    },
    poll: (checkpoint) => checkpoints.poll(orchestrator(core), checkpoint, true),
    rest: () => {
      const { gate } = core.loop.state();
      if (gate?.gate !== 'knowledge' || gate.opened === announcedGate) return false;
      announcedGate = gate.opened;
      // A gate that has just opened is a checkpoint: an answer in the mailbox decides at once.
      checkpoints.poll(orchestrator(core), 'Orchestrator.approval', true);
      return true;
    },
    perform: (effect) => perform(performers, effect),
    ending: () => parts.backlog.drain(),
    broken: closing.block,
  };
};

const begin = async (parts: Parts, recalled: Recalled | null, isolation?: ChosenIsolation): Promise<void> => {
  const { core } = parts;
  try {
    if (recalled) {
      await beginAgain(parts, recalled);
      parts.workers.look();
    } else beginNew(parts, isolation);
  } catch (error) {
    core.block(toFault(error, core.options.paths.directory));
  }
};

/** The copies of the session's control files that agents do not reach, and whether the lock is still ours by them. */
const heldBeside = ({ disk, spawn, paths, shadow: second }: EngineOptions, lock: Lock) => {
  const shadow =
    second === undefined ? noShadow : createSessionShadow(disk, paths.directory, join(second, 'session'));
  const others =
    second === undefined
      ? noOtherSessions
      : createOtherSessions(disk, spawn.isAlive, paths, join(second, 'others'));
  return { shadow, others, stillOurs: () => isStillHeld(shadow, lock) };
};

/** Journals each problem once. */
const createProblems = (loop: Loop): Core['problem'] => {
  const told = new Set<string>();
  return (fault) => {
    const sentence = formatFault(fault);
    if (told.has(sentence)) return;
    told.add(sentence);
    loop.commit({ type: 'problem.found', fault });
  };
};

/** Records tasks whose file is gone: no worker can take them (src/session/README.md, progress.md). */
const lookForFiles = ({ options, loop }: Core, { tasks }: EventOf<'wave.chosen'>): void => {
  for (const id of tasks) {
    const task = loop.state().tasks.get(id);
    const file = task && options.paths.iteration(task.definition.iteration).task(id);
    if (file && options.disk.lstat(file) === null) loop.commit({ type: 'task.file-missing', task: id });
  }
};
