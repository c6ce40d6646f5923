import type { Cancel, Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { ChildExit, Spawn, SpawnCommand } from '../../base/process/spawn.ts';
import type { Pipe } from '../link/pipe.ts';
import type { CarrierEnds } from './carrier.ts';
import { createLines } from './lines.ts';

interface ProcessPipe {
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly command: SpawnCommand;
  /** The fault of an end that nobody asked for. `said`: the last lines that the process printed to stderr, and those to stdout before its first frame. */
  readonly fault: (exit: ChildExit, said: string) => Fault;
  /** Milliseconds that the process has to end after its stdin was closed, and again after TERM. */
  readonly closeMs?: number;
}

/** Characters of stderr that are kept. */
const mostSaid = 4_000;

/** A connection over the pipes of a child process. */
export const openProcess = (
  { spawn, clock, command, fault, closeMs = 1_000 }: ProcessPipe,
  ends: CarrierEnds,
): Pipe => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let said = '';
  let closed = false;
  let greeted = false;
  // A line that is too long cannot be a frame: the link sees it as one that is garbled.
  const lines = createLines((text) => {
    greeted ||= text?.startsWith('{') ?? true;
    // A machine that starts no program may say why on either stream.
    if (!greeted) said = `${said}${text}\n`.slice(-mostSaid);
    ends.line(text ?? '{');
  });
  const child = spawn.start(
    { ...command, talk: true },
    {
      output: (bytes, stream) => {
        if (stream === 'stdout') lines(bytes);
        else said = `${said}${decoder.decode(bytes, { stream: true })}`.slice(-mostSaid);
      },
    },
  );
  let cancel: Cancel = () => undefined;
  void child.exit.then((exit) => {
    cancel();
    ends.ended(closed ? null : fault(exit, said.trim()));
  });
  return {
    // A write to a process that ended fails; its exit reports that.
    write: (text) => void child.write(encoder.encode(`${text}\n`)).catch(() => undefined),
    close: () => {
      if (closed) return;
      closed = true;
      // What was written last still goes out.
      child.endInput();
      cancel = clock.after(closeMs, () => void child.stop(closeMs));
    },
  };
};
