import { boundedJson } from '../../agents/bounded-json.ts';
import { type Fault, toFault } from '../../base/fault.ts';
import { type Event, ephemeralTypes, eventBodySchema } from '../../pipeline/event.ts';
import { createLines } from '../../runners/carriers/lines.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import type { FarSession } from './far-sessions.ts';
import { codeOf, type Machine, startThere } from './machine.ts';

/** What a viewer of another machine's session hears. */
interface FarListener {
  /** What the session has done before; then everything that it does. */
  readonly past: (events: readonly Event[]) => void;
  readonly event: (event: Event) => void;
  /** The machine is not reached; it is tried again. */
  readonly lost: (why: Fault) => void;
  /** Its events come. */
  readonly reached: () => void;
  /** No process is running the session. */
  readonly stopped: () => void;
}

/** Milliseconds without a line after which the past is complete. */
const quietMs = 150;
/** Milliseconds before the next connection, by the number of failures in a row. */
const pauses = [1_000, 2_000, 5_000, 10_000];
/** Milliseconds before a stopped session is looked at again: it may be resumed there. */
const lookAgainMs = 15_000;

/** Follows a session of another machine by `attach --json` there, over as many connections as it takes. Returns the function that stops following. */
export const followFar = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  machine: Machine,
  { session_id: session, workspace }: Pick<FarSession, 'session_id' | 'workspace'>,
  listener: FarListener,
): (() => void) => {
  const { clock } = world;
  let past: Event[] | null = [];
  let last = 0;
  let failures = 0;
  let closed = false;
  let cancel = (): void => undefined;
  let end = (): void => undefined;

  const settle = (): void => {
    if (past === null || closed) return;
    const events = past;
    past = null;
    listener.past(events);
  };

  const connect = (): void => {
    const begun = last;
    let said = '';
    let isReached = false;
    const lines = createLines((line) => {
      const event = line === null ? null : eventOf(line, machine.name);
      // A new connection begins with the past again.
      if (event === null || event.seq <= begun || closed) return;
      if (!ephemeralTypes.has(event.type)) last = Math.max(last, event.seq);
      if (past === null) listener.event(event);
      else past.push(event);
    });
    const words = ['attach', session, '--json'];
    const child = startThere(cli, world, machine, { words, directory: workspace }, (bytes, stream) => {
      if (closed) return;
      if (stream === 'stderr') {
        said = `${said}${new TextDecoder().decode(bytes)}`.slice(-4_000);
        return;
      }
      if (!isReached) listener.reached();
      isReached = true;
      failures = 0;
      lines(bytes);
      if (past === null) return;
      cancel();
      cancel = clock.after(quietMs, settle);
    });
    end = () => void child.stop(1_000);
    void child.exit.then((exit) => {
      if (closed) return;
      cancel();
      settle();
      let pause = lookAgainMs;
      try {
        codeOf(machine, exit, said);
        listener.stopped();
      } catch (error) {
        listener.lost(toFault(error));
        pause = pauses[Math.min(failures, pauses.length - 1)] ?? lookAgainMs;
        failures += 1;
      }
      cancel = clock.after(pause, connect);
    });
  };

  connect();
  return () => {
    closed = true;
    cancel();
    end();
  };
};

/** An event of another machine; `null` for a line that is none. The session is named as it is named here: commands with that name work. */
const eventOf = (line: string, runner: string): Event | null => {
  const value = boundedJson(line);
  const body = eventBodySchema().safeParse(value);
  const { seq, at } = Object(value);
  if (!body.success || !Number.isSafeInteger(seq) || typeof at !== 'string') return null;
  const { data } = body;
  return data.type === 'session.created'
    ? { ...data, session_id: `${runner}:${data.session_id}`, seq, at }
    : { ...data, seq, at };
};
