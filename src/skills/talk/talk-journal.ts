import { join } from 'node:path';
import { type Clock, formatSessionId } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { namesIn } from '../../base/names-in.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { appendLine, readLines } from '../../issues/trackers/append-lines.ts';
import { acquireLock, isLock, type Lock, readLock } from '../../session/lock.ts';
import { type Entry, entrySchema } from './entry.ts';
import { emptyTalk, type Talk, tell } from './talk.ts';

/** The folder of all conversations, in the workspace. */
const conversations = '.ralph/conversations';

export interface TalkPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly spawn: Pick<Spawn, 'self' | 'isAlive'>;
  readonly workspace: string;
}

/** A conversation that this process writes; no other one does meanwhile. */
export interface TalkJournal {
  readonly id: string;
  /** Absolute; holds `journal.jsonl` and the agent's log. */
  readonly directory: string;
  readonly talk: () => Talk;
  /** Appends an entry, durable on return. */
  readonly add: (entry: Entry) => void;
  /** Digest of the lines that were there when it was opened and of those that this process added: what others write meanwhile is not in it. */
  readonly digest: () => string;
  readonly close: () => void;
}

const directoryOf = ({ workspace }: TalkPorts, id: string): string => join(workspace, conversations, id);
const fileIn = (directory: string): string => join(directory, 'journal.jsonl');

/** Starts a conversation under the id of this second, or of the next free one. */
export const startTalk = (ports: TalkPorts): TalkJournal => {
  const root = join(ports.workspace, conversations);
  // Conversations are a person's own; a repository does not want them.
  if (ports.disk.mkdir(root)) replaceFile(ports.disk, ports.random, join(root, '.gitignore'), '*\n');
  for (let at = ports.clock.now(); ; at += 1_000) {
    const id = formatSessionId(ports.clock, at);
    if (!ports.disk.mkdir(directoryOf(ports, id))) continue;
    const opened = openTalk(ports, id);
    if ('add' in opened) return opened;
  }
};

/** Opens a conversation to continue it, or the fault that another process has it. */
export const openTalk = (ports: TalkPorts, id: string): TalkJournal | Fault => {
  const { disk, random, spawn } = ports;
  const directory = directoryOf(ports, id);
  const lock = acquireLock(disk, random, { lock: join(directory, 'lock') }, spawn.self, spawn.isAlive);
  if (!isLock(lock))
    return {
      ...lock,
      what: `the conversation ${id} is open in another terminal`,
      hint: 'end it there first',
    };
  return createJournal(ports, id, directory, lock);
};

const createJournal = (ports: TalkPorts, id: string, directory: string, lock: Lock): TalkJournal => {
  let { talk, digest } = readTalk(ports, directory);
  return {
    id,
    directory,
    talk: () => talk,
    digest: () => digest,
    add: (entry) => {
      appendLine(ports, fileIn(directory), entry);
      digest = withLine(digest, JSON.stringify(entry));
      talk = tell(talk, entry);
    },
    close: () => lock.release(),
  };
};

const readTalk = (ports: TalkPorts, directory: string): { readonly talk: Talk; readonly digest: string } => {
  const { records, text } = readLines(ports, fileIn(directory), entrySchema);
  const lines = text.split('\n').filter((line) => line !== '');
  return { talk: records.reduce(tell, emptyTalk), digest: lines.reduce(withLine, '') };
};

const withLine = (digest: string, line: string): string => sha256(`${digest}\n${line}`);

export interface StoredTalk {
  readonly id: string;
  readonly talk: Talk;
  /** As `TalkJournal.digest`. */
  readonly digest: string;
  /** The process that has it open; `null` when none does. */
  readonly pid: number | null;
}

/** The conversations of a workspace, oldest first. */
export const storedTalks = (ports: TalkPorts): readonly StoredTalk[] =>
  namesIn(ports.disk, join(ports.workspace, conversations))
    .filter((id) => /^\d{6}-\d{6}$/.test(id))
    .map((id) => {
      const directory = directoryOf(ports, id);
      const { talk, digest } = readTalk(ports, directory);
      const holder = readLock(ports.disk, { lock: join(directory, 'lock') });
      const isOpen = holder !== null && !holder.released && ports.spawn.isAlive(holder) !== 'dead';
      return { id, talk, digest, pid: isOpen ? holder.pid : null };
    });

/** The fault that another conversation works on the same document now, or `null`. */
export const documentHeld = (ports: TalkPorts, own: string, path: string): Fault | null => {
  const other = storedTalks(ports).find(
    ({ id, talk, pid }) => id !== own && pid !== null && talk.about?.path === path,
  );
  return other === undefined
    ? null
    : {
        code: 'document-held',
        where: path,
        what: `the conversation ${other.id} (${other.talk.skill}, process ${other.pid}) is working on it`,
        hint: 'end that conversation first',
      };
};
