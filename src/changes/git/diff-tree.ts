import type { FileChange } from '../changed-file.ts';

/** The files in the output of `git diff-tree -z --raw --numstat`: what happened to each, then its lines. Paths are relative to the repository. */
export const filesOfDiff = (parts: readonly string[]): readonly FileChange[] => {
  const files = new Map<string, FileChange>();
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    const raw = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(part);
    const count = /^(-|\d+)\t(-|\d+)\t([\s\S]*)$/.exec(part);
    const moved = (raw !== null && /[RC]/.test(raw[5] ?? '')) || (count !== null && count[3] === '');
    if (raw) {
      const path = parts[at + (moved ? 2 : 1)] ?? '';
      files.set(path, changeOf(raw, path, moved ? (parts[at + 1] ?? null) : null));
      at += moved ? 3 : 2;
    } else if (count) {
      const path = moved ? (parts[at + 2] ?? '') : (count[3] ?? '');
      const file = files.get(path);
      if (file) files.set(path, { ...file, added: numberOf(count[1]), removed: numberOf(count[2]) });
      at += moved ? 3 : 1;
    } else at += 1;
  }
  return [...files.values()];
};

const changeOf = (raw: RegExpExecArray, path: string, from: string | null): FileChange => {
  const [, oldMode = '', newMode = '', oldBlob, newBlob, letter = ''] = raw;
  return {
    path,
    from,
    kind: kindOf(letter, oldMode !== newMode && oldBlob === newBlob),
    oldMode: oldMode === '000000' ? null : oldMode,
    newMode: newMode === '000000' ? null : newMode,
    added: null,
    removed: null,
  };
};

const kindOf = (letter: string, onlyMode: boolean): FileChange['kind'] => {
  if (letter === 'A' || letter === 'C') return 'added';
  if (letter === 'D') return 'deleted';
  if (letter === 'R') return 'renamed';
  if (letter === 'T') return 'type';
  return onlyMode ? 'mode' : 'modified';
};

const numberOf = (text: string | undefined): number | null =>
  text === undefined || text === '-' ? null : Number(text);
