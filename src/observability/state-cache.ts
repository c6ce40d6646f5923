import { basename } from 'node:path';
import { z } from 'zod';
import { type Disk, DiskError, type FileStat } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { createSha256, type RunningHash, sha256 } from '../base/hash.io.ts';
import type { Random } from '../base/random.ts';
import { readBytes, replaceFile } from '../base/replace-file.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { JournalWriter } from './journal.ts';
import { createJournalFold, type JournalFold, type JournalMark } from './journal-fold.ts';
import { decodeState, encodeState } from './state-text.ts';

type Files = Pick<SessionPaths, 'journal' | 'journalState'>;

/**
 * The state of a session, folded from its journal. `journal.state.json` saves the fold of a long journal: it counts only when the
 * journal is the file it names, unchanged since, or when the bytes before its offset have the hash it names. Otherwise, or without
 * one, the whole journal is folded.
 */
export const foldJournal = (
  disk: Disk,
  paths: Files,
): { readonly state: SessionState; readonly problems: readonly Fault[] } => {
  const fold = createJournalFold(disk, paths.journal, readCache(disk, paths, 'unchanged'));
  fold.advance();
  return { state: fold.mark().state, problems: fold.problems() };
};

/** Bytes of journal from which the next cached state is worth its cost, while a session runs and at its end. */
const worthwhile = { running: 1024 * 1024, atEnd: 256 * 1024 };

/**
 * A journal that keeps `journal.state.json` beside it up to date. A failure to do so is silent: without the file, readers fold the
 * whole journal. A journal with problems gets none, because the file could not tell them. It holds what the journal holds and no
 * more: the engine's own state may hold secrets that the journal leaves out.
 */
export const withStateCache = (
  disk: Disk,
  random: Random,
  paths: Files,
  journal: JournalWriter,
): JournalWriter => {
  let fold: JournalFold | null = null;
  let offset = 0;
  let cached = 0;

  const save = (): void => {
    fold ??= createJournalFold(disk, paths.journal, readCache(disk, paths, 'hashed'));
    if (!fold.advance()) {
      fold = null;
      return;
    }
    const mark = fold.mark();
    offset = mark.offset;
    if (fold.problems().length > 0) return;
    const text = encodeCache(mark, disk.lstat(paths.journal));
    cached = text.length;
    replaceFile(disk, random, paths.journalState, text);
  };
  const saveBeyond = (least: number): void => {
    try {
      const { size } = disk.lstat(paths.journal) ?? { size: 0 };
      if (size - offset > least) save();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  };
  return {
    ...journal,
    flush: () => {
      journal.flush();
      saveBeyond(Math.max(worthwhile.running, cached / 2));
    },
    close: () => {
      journal.close();
      saveBeyond(worthwhile.atEnd);
    },
  };
};

/** The name of this module's file, in which the build puts a hash of the code: another build may fold the same events to another state. */
const build = basename(import.meta.url);
const headSchema = z.object({
  build: z.literal(build),
  offset: z.number().int().positive(),
  journal: z.string(),
  file: z.string(),
  state: z.string(),
});

/** Far beyond the state of any session. */
const mostBytes = 256 * 1024 * 1024;

/** Identifies a file and its content: every write changes the ctime, which no program can set. */
const identityOf = (stat: FileStat | null): string =>
  stat === null ? '' : [stat.dev, stat.ino, stat.size, stat.ctimeMs].join(' ');

const encodeCache = ({ state, offset, hash }: JournalMark, journal: FileStat | null): string => {
  const text = encodeState(state);
  const head: z.infer<typeof headSchema> = {
    build,
    offset,
    journal: hash.soFar(),
    file: journal?.size === offset ? identityOf(journal) : '',
    state: sha256(text),
  };
  return `${JSON.stringify(head)}\n${text}\n`;
};

/**
 * The cached state, if it is one of this journal and this build. `unchanged`: the bytes of a journal that nobody wrote to since are
 * not read again. Its mark has no hash then, and no cache can be written from it.
 */
const readCache = (disk: Disk, paths: Files, proof: 'hashed' | 'unchanged'): JournalMark | null => {
  try {
    const bytes = readBytes(disk, paths.journalState, mostBytes);
    const end = bytes?.indexOf(lineFeed) ?? -1;
    if (bytes === null || end < 0) return null;
    const head = headSchema.safeParse(JSON.parse(textOf(bytes.subarray(0, end)))).data;
    const body = bytes.subarray(end + 1, -1);
    if (!head || sha256(body) !== head.state) return null;
    const isSame = proof === 'unchanged' && head.file === identityOf(disk.lstat(paths.journal));
    const hash = isSame ? createSha256() : hashBefore(disk, paths.journal, head.offset);
    if (hash === null || !(isSame || hash.soFar() === head.journal)) return null;
    const state = decodeState(textOf(body));
    return state && { state, offset: head.offset, hash };
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return null;
    throw error;
  }
};

const lineFeed = 0x0a;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The hash of the first bytes of a file; `null` when it has fewer. */
const hashBefore = (disk: Disk, path: string, end: number): RunningHash | null => {
  const hash = createSha256();
  const handle = disk.openRead(path);
  try {
    for (let at = 0; at < end; ) {
      const bytes = disk.read(handle, at, Math.min(chunkSize, end - at));
      if (bytes.length === 0) return null;
      hash.update(bytes);
      at += bytes.length;
    }
    return hash;
  } finally {
    disk.close(handle);
  }
};

const chunkSize = 1024 * 1024;
