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

export const createAttemptLog = (ports: LogPorts): AttemptLog => {
  let handle: Handle | null = null;
  let size = ports.disk.lstat(ports.path)?.size ?? 0;
  let lines = 0;
  /** True while the last line since the mark is unfinished. */
  let open = false;
  let timer: Cancel | null = null;
  let closed = false;
  const held: Record<Stream, Uint8Array> = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  const decoders: Record<Stream, Pick<InstanceType<typeof TextDecoder>, 'decode'>> = {
    stdout: new TextDecoder(),
    stderr: new TextDecoder(),
  };
  const filters: Record<Stream, SecretFilter> = {
    stdout: createSecretFilter(ports.secrets),
    stderr: createSecretFilter(ports.secrets),
  };
  const screen = createScreenBatch(ports.show);

  const append = (bytes: Uint8Array): void => {
    try {
      if (!handle) {
        handle = ports.disk.openAppend(ports.path);
        size = ports.disk.stat(handle).size;
      }
      ports.disk.write(handle, bytes);
      size += bytes.length;
    } catch (error) {
      closed = true;
      ports.broken(error);
    }
  };

  const put = (bytes: Uint8Array, stream: Stream): void => {
    if (bytes.length === 0 || closed) return;
    const text = decoders[stream].decode(bytes, { stream: true });
    const clean = filters[stream].clean(text);
    const written = clean === text ? bytes : new TextEncoder().encode(clean);
    append(written);
    lines += count(written, 10);
    if (written.length > 0) open = written.at(-1) !== 10;
    const exact = utf8Length(clean) === written.length;
    screen.add(clean, stream, exact ? size - written.length : null);
  };

  /** Writes held-back output; all of it when the command is over and no more can follow. */
  const release = (all: boolean): void => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const bytes = held[stream];
      const cut = all ? bytes.length : bytes.length - filters[stream].unfinished(bytes);
      held[stream] = bytes.slice(cut);
      put(bytes.subarray(0, cut), stream);
    }
  };

  const tick = (all: boolean): void => {
    timer?.();
    timer = null;
    release(all);
    screen.send();
  };

  return {
    file: join('logs', basename(ports.path)),
    write: (bytes, stream) => {
      if (closed) return;
      const all = joined(held[stream], bytes);
      const cut = all.length > heldBytes ? all.length - filters[stream].unfinished(all) : lineEnd(all);
      put(all.subarray(0, cut), stream);
      held[stream] = all.slice(cut);
      timer ??= ports.later(batchMs, () => tick(false));
    },
    size: () => size,
    show: () => {
      if (timer !== null) tick(false);
    },
    mark: () => {
      tick(true);
      const since = lines + (open ? 1 : 0);
      lines = 0;
      open = false;
      return { size, lines: since };
    },
    close: () => {
      tick(true);
      closed = true;
      if (handle) ports.disk.close(handle);
      handle = null;
    },
  };
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
