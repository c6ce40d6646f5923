import { basename, join } from 'node:path';
import type { Cancel } from '../base/clock.ts';
import type { Disk, Handle } from '../base/disk.ts';
import { createSecretFilter, type SecretFilter } from './secret-filter.ts';

/**
 * The full output of one attempt on disk, and its newest part for the screen (session-format.md, `logs/`). Bounded whatever a program prints: an
 * unfinished line is held back for a moment and up to 16 KiB, its end longer where a secret may begin there, and one batch for the screen is 64 KiB at most.
 */
export interface AttemptLog {
  /** Relative to the session directory. */
  readonly file: string;
  write(bytes: Uint8Array, stream: Stream): void;
  /** Writes what is held back, and tells how long the file is then. */
  mark(): number;
  close(): void;
}

export type Stream = 'stdout' | 'stderr';

export interface LogPorts {
  readonly disk: Disk;
  readonly path: string;
  /** Values that must not get there. */
  readonly secrets: readonly string[];
  readonly later: (ms: number, work: () => void) => Cancel;
  /** Text for the screen, at most about 12 times a second. */
  readonly show: (text: string, stream: Stream) => void;
  /** The log cannot be written: the disk is full or gone. */
  readonly broken: (error: unknown) => void;
}

const batchMs = 80;
const heldBytes = 16 * 1024;
const shownChars = 64 * 1024;

export const createAttemptLog = (ports: LogPorts): AttemptLog => {
  let handle: Handle | null = null;
  let size = 0;
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
    append(clean === text ? bytes : new TextEncoder().encode(clean));
    screen.add(clean, stream);
  };

  /** Lets go of what is held back; all of it when the command is over and nothing more can follow. */
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
    mark: () => {
      tick(true);
      return size;
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

/** Behind the last line feed or carriage return: progress bars end their lines with the latter. */
const lineEnd = (bytes: Uint8Array): number => Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13)) + 1;

/** What was printed since the last batch, in order; of a flood only the newest part is kept, the file holds the rest. */
const createScreenBatch = (show: LogPorts['show']) => {
  let parts: { stream: Stream; text: string }[] = [];
  let length = 0;
  let dropped = 0;

  const shorten = (): void => {
    while (length > shownChars) {
      const first = parts[0];
      if (!first) return;
      const excess = Math.min(length - shownChars, first.text.length);
      dropped += excess;
      length -= excess;
      if (excess === first.text.length) parts.shift();
      else first.text = first.text.slice(excess);
    }
  };

  return {
    add: (text: string, stream: Stream): void => {
      const last = parts.at(-1);
      if (last?.stream === stream) last.text += text;
      else parts.push({ stream, text });
      length += text.length;
      shorten();
    },
    send: (): void => {
      const batch = parts;
      const skipped = dropped;
      parts = [];
      length = 0;
      dropped = 0;
      batch.forEach((part, index) => {
        const note = index === 0 && skipped > 0 ? `… ${skipped} characters more stand in the log\n` : '';
        if (part.text !== '') show(note + part.text, part.stream);
      });
    },
  };
};
