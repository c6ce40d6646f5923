import { plainName } from '../../base/git-name.ts';

/**
 * A unified diff as git prints it, indexed for drawing a window of it. One number per row in a few arrays instead of one object per row, because
 * a diff of 50,000 lines is read like one of ten. Texts are cut from `text` when a row is drawn.
 */
export interface Diff {
  readonly text: string;
  readonly files: readonly DiffFile[];
  /** `rowKind` of each row. */
  readonly kinds: Uint8Array;
  /** Place in `text` of each row's first character. Rows of kind `file` and `gap` have that of git's first line about the file. */
  readonly places: Uint32Array;
  /** Line numbers before and after the change. 0: the row has none on that side. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** The rows of kind `hunk`. */
  readonly hunks: readonly number[];
}

/** `file`: the head of a file · `gap`: the blank row before the next one · `note`: "\ No newline at end of file". */
export const rowKind = { file: 0, hunk: 1, context: 2, removed: 3, added: 4, note: 5, gap: 6 } as const;

export interface DiffFile {
  /** The path after the change; of a deleted file the one it had. As git knows it: readers must make it safe. */
  readonly path: string;
  /** The path it was renamed or copied from. */
  readonly from: string | null;
  /** `retyped`: a link became a file, or the other way round. git tells that as two files of one path, both of this kind. */
  readonly kind: 'changed' | 'added' | 'deleted' | 'renamed' | 'copied' | 'retyped';
  /** The file modes before and after, `100644`, where they differ. */
  readonly modes: readonly [string, string] | null;
  readonly binary: boolean;
  /** Some of it may not be UTF-8: such bytes show as `�`, which a text may hold itself. */
  readonly garbled: boolean;
  readonly added: number;
  readonly removed: number;
  /** Its rows: the head at `top`, the last one before `end`. */
  readonly top: number;
  readonly end: number;
}

type OpenFile = { -readonly [key in keyof DiffFile]: DiffFile[key] };

/** Never fails: what is no diff has no files. */
export const parseDiff = (text: string): Diff => {
  const rows = createRows(text);
  const files: DiffFile[] = [];
  const hunks: number[] = [];
  let file: OpenFile | null = null;
  let inHunk = false;
  let fileStart = 0;
  let otherStart = 0;
  let before = 0;
  let after = 0;
  const close = (end: number): void => {
    if (file === null) return;
    file.garbled = text.slice(fileStart, end).includes('\ufffd');
    file.end = rows.count();
    const other = files.at(-1);
    if (file.kind === 'added' && other?.kind === 'deleted' && other.path === file.path) {
      const retyped = { kind: 'retyped', modes: modesIn(text.slice(otherStart, end)) } as const;
      files.splice(-1, 1, { ...other, ...retyped }, { ...file, ...retyped });
    } else files.push(file);
  };
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const first = text.charCodeAt(at);
    if (first === letter.d && isFileHead(text, at)) {
      close(at);
      if (files.length > 0) rows.add(rowKind.gap, at, 0, 0);
      file = opened(text.slice(at, end), rows.count());
      rows.add(rowKind.file, at, 0, 0);
      otherStart = fileStart;
      fileStart = at;
      inHunk = false;
    } else if (file !== null && first === letter.at && hunkHead.test(text.slice(at, at + longestHead))) {
      const [, from = '0', to = '0'] = hunkHead.exec(text.slice(at, at + longestHead)) ?? [];
      before = Number(from);
      after = Number(to);
      hunks.push(rows.count());
      rows.add(rowKind.hunk, at, before, after);
      inHunk = true;
    } else if (file !== null && !inHunk) {
      readHead(file, text.slice(at, end));
    } else if (file !== null) {
      if (first === letter.plus) {
        file.added += 1;
        rows.add(rowKind.added, at, 0, after);
        after += 1;
      } else if (first === letter.minus) {
        file.removed += 1;
        rows.add(rowKind.removed, at, before, 0);
        before += 1;
      } else if (first === letter.backslash) {
        rows.add(rowKind.note, at, 0, 0);
      } else {
        // `diff.suppressBlankEmpty` leaves the blank of an empty line out.
        rows.add(rowKind.context, at, before, after);
        before += 1;
        after += 1;
      }
    }
    at = end + 1;
  }
  close(text.length);
  return { text, files, hunks, ...rows.done() };
};

/** The mode that a file had under a name, and the mode of the one that took its place. */
const modesIn = (heads: string): readonly [string, string] => [
  /^deleted file mode (\d+)$/m.exec(heads)?.[1] ?? '',
  /^new file mode (\d+)$/m.exec(heads)?.[1] ?? '',
];

const letter = { d: 100, at: 64, plus: 43, minus: 45, backslash: 92 } as const;
const longestHead = 64;
const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const isFileHead = (text: string, at: number): boolean => text.startsWith('diff --git ', at);

/** Arrays with room for every row: as many as there are lines, and a gap before each file. */
const createRows = (text: string) => {
  let room = 2;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    room += isFileHead(text, at + 1) ? 2 : 1;
  const kinds = new Uint8Array(room);
  const places = new Uint32Array(room);
  const before = new Uint32Array(room);
  const after = new Uint32Array(room);
  let count = 0;
  return {
    count: () => count,
    add: (kind: number, place: number, one: number, other: number): void => {
      kinds[count] = kind;
      places[count] = place;
      before[count] = one;
      after[count] = other;
      count += 1;
    },
    done: () => ({
      kinds: kinds.slice(0, count),
      places: places.slice(0, count),
      before: before.slice(0, count),
      after: after.slice(0, count),
    }),
  };
};

const opened = (head: string, top: number): OpenFile => ({
  path: pathOfHead(head.slice('diff --git '.length)),
  from: null,
  kind: 'changed',
  modes: null,
  binary: false,
  garbled: false,
  added: 0,
  removed: 0,
  top,
  end: top,
});

/** Both paths are the same where only this line tells them: a file that is binary, empty, or has only another mode. */
const pathOfHead = (paths: string): string => {
  if (paths.startsWith('"')) return withoutSide(plainName(/^"(?:[^"\\]|\\.)*"/.exec(paths)?.[0] ?? paths));
  return withoutSide(paths.slice(Math.ceil(paths.length / 2)));
};

/** One line between the head of a file and its first hunk. */
const readHead = (file: OpenFile, line: string): void => {
  const known = heads.find(({ start }) => line.startsWith(start));
  if (known) Object.assign(file, known.read(line.slice(known.start.length), file));
};

const heads: readonly {
  readonly start: string;
  readonly read: (rest: string, file: DiffFile) => Partial<DiffFile>;
}[] = [
  { start: 'old mode ', read: (mode) => ({ modes: [mode, ''] }) },
  { start: 'new mode ', read: (mode, { modes }) => ({ modes: [modes?.[0] ?? '', mode] }) },
  { start: 'new file mode ', read: () => ({ kind: 'added' }) },
  { start: 'deleted file mode ', read: () => ({ kind: 'deleted' }) },
  { start: 'rename from ', read: (path) => ({ kind: 'renamed', from: plainName(path) }) },
  { start: 'rename to ', read: (path) => ({ path: plainName(path) }) },
  { start: 'copy from ', read: (path) => ({ kind: 'copied', from: plainName(path) }) },
  { start: 'copy to ', read: (path) => ({ path: plainName(path) }) },
  { start: '--- ', read: (path) => named(path) },
  { start: '+++ ', read: (path) => named(path) },
  { start: 'Binary files ', read: () => ({ binary: true }) },
  { start: 'GIT binary patch', read: () => ({ binary: true }) },
];

const named = (path: string): Partial<DiffFile> => {
  const plain = plainName(path);
  return plain === '/dev/null' ? {} : { path: withoutSide(plain) };
};

const withoutSide = (path: string): string => path.replace(/^[ab]\//, '');
