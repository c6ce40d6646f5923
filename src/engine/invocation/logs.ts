import { basename, join } from 'node:path';
import { utf8Length } from '../../base/bytes.ts';
import type { Cancel } from '../../base/clock.ts';
import type { Disk, Handle } from '../../base/disk.ts';
import { createSecretFilter, type SecretFilter } from './secret-filter.ts';

/**
 * The full output of one attempt on disk, and its newest part for the screen (src/session/README.md, `logs/`). Memory is bounded: an
 * unfinished line is held back briefly and up to 16 KiB, longer where a secret may begin; one batch for the screen is at most 64 KiB.
 */
export interface AttemptLog {
  /** Relative to the session directory. */
  readonly file: string;
  write(bytes: Uint8Array, stream: Stream): void;
  /** Writes held-back output. Returns the file's size and the lines since the last mark, including an unfinished one. */
  mark(): { readonly size: number; readonly lines: number };
  /** The file's size. Output that is still held back is not in it. */
  readonly size: () => number;
  /** Gives the screen what has been written so far. */
  show(): void;
  close(): void;
}

type Stream = 'stdout' | 'stderr';

interface LogPorts {
  readonly disk: Disk;
  readonly path: string;
  /** Values that must not reach the log. */
  readonly secrets: readonly string[];
  readonly later: (ms: number, work: () => void) => Cancel;
  /** Text for the screen, at most about 12 times a second. */
  readonly show: (shown: Shown) => void;
  /** Called when the log cannot be written: the disk is full or gone. */
  readonly broken: (error: unknown) => void;
}

/** One piece of output for the screen. */
export interface Shown {
  readonly stream: Stream;
  readonly text: string;
  /** Offset of its first character in the file; `null` where bytes that are not text make it uncertain. */
  readonly byte: number | null;
  /** Approximate number of bytes before it that only the file has. */
  readonly skipped: number;
}

const batchMs = 80;
const heldBytes = 16 * 1024;
const shownChars = 64 * 1024;

/** One of the two streams of a command. */
interface Channel {
  readonly decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>;
  readonly filter: SecretFilter;
  held: Uint8Array;
}

interface State {
  readonly ports: LogPorts;
  readonly channels: Readonly<Record<Stream, Channel>>;
  readonly screen: ReturnType<typeof createScreenBatch>;
  handle: Handle | null;
  size: number;
  /** Lines since the mark. */
  lines: number;
  /** The last line since the mark is unfinished. */
  isLineOpen: boolean;
  timer: Cancel | null;
  isClosed: boolean;
}

export const createAttemptLog = (ports: LogPorts): AttemptLog => {
  const state: State = {
    ports,
    channels: { stdout: createChannel(ports.secrets), stderr: createChannel(ports.secrets) },
    screen: createScreenBatch(ports.show),
    handle: null,
    size: ports.disk.lstat(ports.path)?.size ?? 0,
    lines: 0,
    isLineOpen: false,
    timer: null,
    isClosed: false,
  };
  return {
    file: join('logs', basename(ports.path)),
    write: (bytes, stream) => write(state, bytes, stream),
    size: () => state.size,
    show: () => {
      if (state.timer !== null) tick(state, false);
    },
    mark: () => {
      tick(state, true);
      const lines = state.lines + (state.isLineOpen ? 1 : 0);
      state.lines = 0;
      state.isLineOpen = false;
      return { size: state.size, lines };
    },
    close: () => {
      tick(state, true);
      state.isClosed = true;
      if (state.handle) ports.disk.close(state.handle);
      state.handle = null;
    },
  };
};

const createChannel = (secrets: readonly string[]): Channel => ({
  decoder: new TextDecoder(),
  filter: createSecretFilter(secrets),
  held: new Uint8Array(),
});

const write = (state: State, bytes: Uint8Array, stream: Stream): void => {
  if (state.isClosed) return;
  const channel = state.channels[stream];
  const all = joined(channel.held, bytes);
  const cut = all.length > heldBytes ? all.length - channel.filter.unfinished(all) : lineEnd(all);
  put(state, all.subarray(0, cut), stream);
  channel.held = all.slice(cut);
  state.timer ??= state.ports.later(batchMs, () => tick(state, false));
};

const tick = (state: State, all: boolean): void => {
  state.timer?.();
  state.timer = null;
  release(state, all);
  state.screen.send();
};

/** Writes held-back output; all of it when the command is over and no more can follow. */
const release = (state: State, all: boolean): void => {
  for (const stream of ['stdout', 'stderr'] as const) {
    const channel = state.channels[stream];
    const bytes = channel.held;
    const cut = all ? bytes.length : bytes.length - channel.filter.unfinished(bytes);
    channel.held = bytes.slice(cut);
    put(state, bytes.subarray(0, cut), stream);
  }
};

const put = (state: State, bytes: Uint8Array, stream: Stream): void => {
  if (bytes.length === 0 || state.isClosed) return;
  const { decoder, filter } = state.channels[stream];
  const text = decoder.decode(bytes, { stream: true });
  const clean = filter.clean(text);
  const written = clean === text ? bytes : new TextEncoder().encode(clean);
  append(state, written);
  state.lines += count(written, 10);
  if (written.length > 0) state.isLineOpen = written.at(-1) !== 10;
  const exact = utf8Length(clean) === written.length;
  state.screen.add(clean, stream, exact ? state.size - written.length : null);
};

const append = (state: State, bytes: Uint8Array): void => {
  const { disk, path, broken } = state.ports;
  try {
    if (!state.handle) {
      state.handle = disk.openAppend(path);
      state.size = disk.stat(state.handle).size;
    }
    disk.write(state.handle, bytes);
    state.size += bytes.length;
  } catch (error) {
    state.isClosed = true;
    broken(error);
  }
};

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
};

/** The position after the last line feed or carriage return: progress bars end lines with the latter. */
const lineEnd = (bytes: Uint8Array): number => Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13)) + 1;

const count = (bytes: Uint8Array, wanted: number): number => {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found += 1;
  return found;
};

interface Part {
  readonly stream: Stream;
  text: string;
  byte: number | null;
}

/** The output since the last batch, in order. Of a flood it keeps only the newest part, from the start of a line; the file has the rest. */
const createScreenBatch = (show: LogPorts['show']) => {
  let parts: Part[] = [];
  let length = 0;
  let skipped = 0;

  const cut = (part: Part, chars: number): void => {
    const bytes = utf8Length(part.text.slice(0, chars));
    part.text = part.text.slice(chars);
    if (part.byte !== null) part.byte += bytes;
    length -= chars;
    skipped += bytes;
  };
  const shorten = (): void => {
    while (length > shownChars) {
      const first = parts[0];
      if (!first) return;
      cut(first, Math.min(length - shownChars, first.text.length));
      if (first.text === '') parts.shift();
    }
  };
  /** Half a line would look like a whole one. Without a line break the offset becomes unknown. */
  const beginLine = (first: Part | undefined): void => {
    if (first === undefined || skipped === 0) return;
    const end = first.text.indexOf('\n') + 1;
    if (end > 0) cut(first, end);
    else first.byte = null;
  };

  return {
    add: (text: string, stream: Stream, byte: number | null): void => {
      const last = parts.at(-1);
      if (last?.stream === stream && (byte !== null || last.byte === null)) last.text += text;
      else parts.push({ stream, text, byte });
      length += text.length;
      shorten();
    },
    send: (): void => {
      beginLine(parts[0]);
      const batch = parts;
      const before = skipped;
      parts = [];
      length = 0;
      skipped = 0;
      batch.forEach((part, index) => {
        const told = { ...part, skipped: index === 0 ? before : 0 };
        if (told.text !== '' || told.skipped > 0) show(told);
      });
    },
  };
};
