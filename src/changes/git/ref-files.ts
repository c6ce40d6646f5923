import { join } from 'node:path';
import type { WorkFiles } from '../files/work-files.ts';
import type { PackedRefs } from '../memory.ts';
import type { RefNames } from './ref-names.ts';

interface Seen {
  readonly files: WorkFiles;
  readonly repository: { readonly commonDir: string };
  readonly names: RefNames;
  readonly packed: PackedRefs;
}

/**
 * The values of refs, read where git keeps them: a file each, or a line of `packed-refs`. No process, and nothing remembered can be old: another program
 * may write refs at any time. `null` where only git can tell: another way of storing refs, a link, a damaged file.
 */
export const readRefFiles = (context: Seen, refs: readonly string[]): ReadonlyMap<string, string> | null => {
  const { files, repository } = context;
  if (files.kind(join(repository.commonDir, 'reftable')) !== null) return null;
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const ref of refs) {
    const value = looseRef(context, ref);
    if (value === undefined) return null;
    if (value === null) missing.push(ref);
    else found.set(ref, value);
  }
  // Last: git writes `packed-refs` before it removes the files.
  const packed = missing.length === 0 ? new Map<string, string>() : readPacked(context);
  if (packed === null) return null;
  for (const ref of missing) {
    const value = packed.get(ref);
    if (value !== undefined) found.set(ref, value);
  }
  return found;
};

const idForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** `null`: there is no such file. `undefined`: git has to read it. */
const looseRef = ({ files, repository }: Seen, ref: string): string | null | undefined => {
  const path = join(repository.commonDir, ref);
  const text = files.read(path)?.trim();
  if (text !== undefined) return idForm.test(text) ? text : undefined;
  const kind = files.kind(path);
  return kind === null || kind === 'directory' ? null : undefined;
};

const readPacked = ({ files, repository, names, packed }: Seen): ReadonlyMap<string, string> | null => {
  const path = join(repository.commonDir, 'packed-refs');
  const stamp = files.stamp(path);
  if (stamp === '' || stamp === packed.stamp) return stamp === '' ? new Map() : packed.refs;
  const text = files.read(path);
  if (text === null) return null;
  const refs = text.split('\n').flatMap((line) => {
    const [id = '', ref = ''] = line.split(' ');
    return names.all.some((each) => ref === each || ref.startsWith(`${each}/`)) ? [[ref, id] as const] : [];
  });
  packed.stamp = stamp;
  packed.refs = new Map(refs);
  return packed.refs;
};
