import { z } from 'zod';
import { diskCode } from '../../../src/base/disk.ts';
import { type IssueState, stateNamed } from '../../../src/issues/state.ts';
import type { IssueChange } from '../../../src/issues/trackers/tracker.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';

/** What the engine does outside of its session. */
export type Act =
  /** It changed an issue that was in state `before`. `asked`: the session when it asked for that; its tracker takes a while. */
  | {
      readonly kind: 'write';
      readonly issue: string;
      readonly before: IssueState;
      readonly change: IssueChange;
      /** Another session that lives and held it. */
      readonly heldBy: string | null;
      readonly asked: SessionState | null;
    }
  /** It opened a pull request, or adopted one: then `open` is 1 still. */
  | { readonly kind: 'pull-request'; readonly branch: string; readonly open: number }
  /** It merged the branch of a stream. `checks`: those of its pull request, if it has one. */
  | {
      readonly kind: 'merge';
      readonly branch: string;
      readonly checks: 'passed' | 'pending' | 'failed' | null;
    };

/** The issues of a flow as they lie on the disk, and as the engine and people left them. */
export interface Ledger {
  readonly ids: () => readonly string[];
  /** `null`: there is no such issue. */
  readonly stateOf: (issue: string) => IssueState | null;
  /** The session of its lock. */
  readonly lockOf: (issue: string) => string | null;
  readonly comments: (issue: string) => readonly string[];
  /** Somebody with the right to do so left the issue as it is now. */
  note(issue: string): void;
  /** A crash or a power loss left them as they are now. */
  noteAll(): void;
  /** Issues that are in other states than they were left in. */
  readonly foreign: () => readonly string[];
  /** Issues that a person settled or moved by hand. */
  readonly touched: Set<string>;
}

export const issueFile = (id: string): string => `/work/.ralph/issues/${id}.md`;

export const createLedger = (disk: SimulatedDisk): Ledger => {
  const known = new Map<string, IssueState | null>();
  const textOf = (id: string): string | null => {
    try {
      return disk.text(issueFile(id));
    } catch (error) {
      if (diskCode(error) === 'ENOENT') return null;
      throw error;
    }
  };
  const ids = (): readonly string[] =>
    disk.tree('/work/.ralph/issues').flatMap((path) => /\/(\d+)\.md$/.exec(path)?.[1] ?? []);
  const stateOf = (id: string): IssueState | null => {
    const text = textOf(id);
    if (text === null) return null;
    const name = /^state: (.*)$/m.exec(text)?.[1];
    return name === undefined ? 'Backlog' : (stateNamed(name.trim()) ?? 'Human Needed');
  };
  return {
    ids,
    stateOf,
    lockOf: (id) => /^lock:[\s\S]*?session:\s*"?([\w-]+)/m.exec(textOf(id) ?? '')?.[1] ?? null,
    comments: (id) => {
      const path = `/work/.ralph/issues/${id}.comments.jsonl`;
      if (disk.lstat(path) === null) return [];
      return disk
        .text(path)
        .split('\n')
        .flatMap((line) => bodyOf(line) ?? []);
    },
    note: (id) => void known.set(id, stateOf(id)),
    noteAll: () => {
      known.clear();
      for (const id of ids()) known.set(id, stateOf(id));
    },
    foreign: () => ids().filter((id) => known.has(id) && known.get(id) !== stateOf(id)),
    touched: new Set(),
  };
};

/** The body of a comment; `null` for half a line, as a crash or a full disk leaves it: the program does not count it either. */
const bodyOf = (line: string): string | null => {
  try {
    return commentSchema.parse(JSON.parse(line)).body;
  } catch {
    return null;
  }
};

const commentSchema = z.object({ body: z.string() });
