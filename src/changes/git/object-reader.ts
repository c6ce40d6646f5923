import { FaultError } from '../../base/fault.ts';
import type { RunningHash } from '../../base/hash.io.ts';
import type { Context } from '../context.ts';
import type { StayingGit } from '../git.ts';
import { gitFault } from './repository.ts';

/** An object as git reads it. */
export interface ReadObject {
  readonly type: string;
  /** The name that its content has. */
  readonly name: string;
  /** `null` for a blob, which may be of any size. */
  readonly content: Uint8Array | null;
}

/** Answers `readObjects`. It prints in large pieces: each of thousands of small files in one of its own would take three times as long. */
export const objectReader = ['cat-file', '--batch-command', '--buffer'] as const;

/** Reads objects and hashes what git gives for each: git itself does not when it reads. One that is not there is left out. */
export const readObjects = async (
  context: Pick<Context, 'running' | 'unique'>,
  reader: StayingGit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadObject>> => {
  const found = new Map<string, ReadObject>();
  if (ids.length === 0) return found;
  const end = `end ${context.unique()}`;
  const question = [...ids, end].map((id) => `contents ${id}\n`).join('');
  const answer = await reader.ask(`${question}flush\n`, `${end} missing\n`, () => {
    found.clear();
    return parser(context, (id, object) => found.set(id, object));
  });
  if (answer.code !== 0) throw new FaultError(gitFault('read its objects', answer));
  return found;
};

/** Takes the output in pieces. */
const parser = (
  { running }: Pick<Context, 'running'>,
  give: (id: string, object: ReadObject) => void,
): ((bytes: Uint8Array) => void) => {
  let line: Uint8Array = new Uint8Array();
  let open: Open | null = null;
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (open === null) {
        const end = bytes.indexOf(lineFeed, at);
        const piece = bytes.subarray(at, end < 0 ? bytes.length : end);
        line = line.length === 0 ? piece.slice() : Buffer.concat([line, piece]);
        if (end < 0) return;
        at = end + 1;
        open = opened(new TextDecoder().decode(line), running);
        line = new Uint8Array();
        continue;
      }
      const piece = bytes.subarray(at, at + open.left);
      open.hash.update(piece);
      open.kept?.push(piece.slice());
      open.left -= piece.length;
      at += piece.length;
      // A line feed follows the content.
      if (open.left > 0 || at === bytes.length) continue;
      at += 1;
      const { id, type, hash, kept } = open;
      give(id, { type, name: hash.soFar(), content: kept === null ? null : Buffer.concat(kept) });
      open = null;
    }
  };
};

interface Open {
  readonly id: string;
  readonly type: string;
  readonly hash: RunningHash;
  readonly kept: Uint8Array[] | null;
  left: number;
}

const lineFeed = 10;

/** `null` for the line of an object that is not there. */
const opened = (line: string, running: Context['running']): Open | null => {
  const [, id = '', type = '', size = ''] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? [];
  if (id === '') return null;
  const hash = running[id.length === 40 ? 'sha1' : 'sha256']();
  hash.update(new TextEncoder().encode(`${type} ${size}\0`));
  return { id, type, hash, kept: type === 'blob' ? null : [], left: Number(size) };
};
