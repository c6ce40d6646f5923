import { join } from 'node:path';
import { utf8Length } from '../../base/bytes.ts';
import { watchDirectory } from '../../engine/mailbox/watch-directory.io.ts';
import { readJournal } from '../../observability/journal-file.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/** Bytes of one log read at once: enough for the screen, never a whole big log. */
const tailBytes = 64 * 1024;
/** Bytes of all past output: a session with huge logs opens as fast as a small one. */
const budgetBytes = 2 * 1024 * 1024;
/** The poll behind the watcher, whose events are only a hint. Logs of running commands have no watcher. */
const pollMs = 500;
/** The poll while no command runs: an open screen costs nothing. */
const restPollMs = 1_000;

/**
 * Inserts the output of commands and the words of agents before the events that follow them, newest first until the budget is used up. The
 * journal holds only offsets into the logs.
 */
export const withOutput = (world: World, paths: SessionPaths, events: readonly Event[]): readonly Event[] => {
  let left = budgetBytes;
  const out: Event[] = [];
  for (const event of events.toReversed()) {
    out.push(event);
    if (!isAfterOutput(event) || !event.log) continue;
    const path = `${paths.directory}/${event.log.file}`;
    const piece = readEnd(world, path, event.log, Math.min(left, tailBytes));
    left -= piece.text.length;
    out.push(...outputOf(event, piece));
  }
  return out.reverse();
};

/** Its output comes before it: of a command, or of an agent that spoke. */
type AfterOutput = EventOf<'command.ended' | 'tool.started' | 'reply.ended'>;

const isAfterOutput = (event: Event): event is AfterOutput =>
  event.type === 'command.ended' || event.type === 'tool.started' || event.type === 'reply.ended';

type Source = Pick<AfterOutput, 'invocation' | 'task' | 'attempt' | 'seq' | 'at'>;

/** A piece of a log as the event the hosting process saw; empty for an empty piece. */
const outputOf = (event: Source, { text, byte, skipped }: Piece): readonly Event[] =>
  text === '' && skipped === 0
    ? []
    : [
        {
          type: 'output.written',
          invocation: event.invocation,
          ...(event.task === undefined ? {} : { task: event.task }),
          ...(event.attempt === undefined ? {} : { attempt: event.attempt }),
          stream: 'stdout',
          text,
          ...(byte === null ? {} : { byte }),
          ...(skipped > 0 ? { skipped } : {}),
          seq: event.seq,
          at: event.at,
        },
      ];

/** As in the event: `byte` is where the text begins, or `null` if unsure; `skipped` counts the bytes left out before it. */
interface Piece {
  readonly text: string;
  readonly byte: number | null;
  readonly skipped: number;
}

/** The end of a part of a log: at most `most` bytes. Starts at a line when something is left out. */
const readEnd = (
  world: World,
  path: string,
  part: { readonly from: number; readonly to: number },
  most: number,
): Piece => {
  const { disk } = world;
  if (disk.lstat(path)?.kind !== 'file') return { text: '', byte: null, skipped: 0 };
  const from = Math.max(part.from, part.to - Math.max(0, most));
  const handle = disk.openRead(path);
  try {
    const bytes = disk.read(handle, from, part.to - from);
    const line = from > part.from ? bytes.indexOf(10) + 1 : 0;
    const text = new TextDecoder().decode(bytes.subarray(line));
    const isSure = (from === part.from || line > 0) && utf8Length(text) === bytes.length - line;
    return { text, byte: isSure ? from + line : null, skipped: from + line - part.from };
  } finally {
    disk.close(handle);
  }
};

interface OpenLog {
  readonly source: EventOf<'command.started'>;
  readonly path: string;
  at: number;
}

/**
 * Follows the journal from `offset` and the logs of running commands. Delivers the same events that the hosting
 * process sees. Returns the function that stops following.
 */
export const followJournal = (
  world: World,
  paths: SessionPaths,
  start: { readonly offset: number; readonly events: readonly Event[] },
  deliver: (event: Event) => void,
): (() => void) => {
  const logs = new Map<string, OpenLog>();
  /** Bytes of each log already delivered. Anything behind them belongs to the running command, however long ago it began. */
  const told = new Map<string, number>();
  let offset = start.offset;
  let cancel = (): void => {};
  let stopped = false;

  const track = (event: Event): void => {
    if (event.type === 'command.started') {
      const path = paths.log(event.task ?? event.invocation, event.attempt ?? 1);
      logs.set(event.invocation, { source: event, path, at: told.get(path) ?? 0 });
    }
    if (isAfterOutput(event) && event.log) told.set(join(paths.directory, event.log.file), event.log.to);
    if (event.type === 'invocation.ended' || event.type === 'invocation.interrupted')
      logs.delete(event.invocation);
  };
  const sizeOf = ({ path }: OpenLog): number => world.disk.lstat(path)?.size ?? 0;
  const drain = (log: OpenLog, to: number): void => {
    if (to <= log.at) return;
    const piece = readEnd(world, log.path, { from: log.at, to }, tailBytes);
    log.at = to;
    told.set(log.path, to);
    for (const event of outputOf(log.source, piece)) deliver(event);
  };
  const look = (): void => {
    if (stopped) return;
    cancel();
    // Sizes are read before the journal: output up to here belongs to commands whose start is already journaled.
    const sizes = [...logs.values()].map((log) => [log, sizeOf(log)] as const);
    const read = readJournal(world.disk, paths.journal, offset);
    offset = read.offset;
    const isNew = read.events.some(({ type }) => type === 'command.started');
    for (const event of read.events) {
      if (stopped) return;
      if (event.type === 'command.ended' || event.type === 'invocation.interrupted') {
        const log = logs.get(event.invocation);
        const end = event.type === 'command.ended' ? event.log?.to : undefined;
        if (log) drain(log, end ?? sizeOf(log));
      }
      // An agent's words have no running command that is followed.
      if (event.type !== 'command.ended' && isAfterOutput(event) && event.log) {
        const path = join(paths.directory, event.log.file);
        for (const said of outputOf(event, readEnd(world, path, event.log, tailBytes))) deliver(said);
      }
      track(event);
      deliver(event);
    }
    for (const [log, size] of sizes) if (logs.get(log.source.invocation) === log) drain(log, size);
    if (stopped) return;
    const rest = logs.size > 0 ? pollMs : restPollMs;
    cancel = world.clock.after(isNew ? 0 : rest, look);
  };

  for (const event of start.events) track(event);
  const unwatch = watchDirectory(paths.directory, look);
  // Deferred: the session may have ended meanwhile, and the caller needs the returned function to stop us.
  cancel = world.clock.after(0, look);
  return () => {
    stopped = true;
    cancel();
    unwatch();
  };
};
