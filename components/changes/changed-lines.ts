import { count } from '../../src/words/local-time.ts';
import { truncateMiddle, widthOf } from '../../src/words/width.ts';
import { blank, bold, type Line, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { EndChanges, EndFile } from './end-changes.ts';

interface ChangedRoom {
  /** Rows for the files. */
  readonly room: number;
  readonly width: number;
  /** Behind "and 3 more files". */
  readonly rest: string;
}

/** How much changed, and the files with the most changed lines. */
export const changedLines = (
  { sentence, files }: EndChanges,
  { room, width, rest }: ChangedRoom,
  { glyphs }: Theme,
): readonly Line[] => {
  if (sentence === '') return [];
  const drawn = files.slice(0, files.length <= room ? files.length : Math.max(0, room - 1));
  const more = files.length - drawn.length;
  const widest = (of: (file: EndFile) => string): number =>
    Math.max(0, ...drawn.map((file) => widthOf(of(file))));
  const [added, removed] = [widest((file) => file.added), widest((file) => file.removed)];
  const column = Math.min(
    widest(({ path }) => path),
    width - added - removed - 5,
  );
  return [
    [bold(sentence)],
    ...drawn.map((file): Line => {
      const path = truncateMiddle(file.path, column, glyphs.ellipsis);
      return [
        span(`  ${path}${' '.repeat(column - widthOf(path) + 2)}`),
        ...(isCounted(file)
          ? [
              span(file.added.padStart(added), 'done'),
              span(` ${file.removed.padStart(removed)}`.trimEnd(), 'failed'),
            ]
          : []),
        ...(file.words === '' ? [] : [span(`${isCounted(file) ? '  ' : ''}${file.words}`, 'secondary')]),
      ];
    }),
    ...(more > 0 && drawn.length > 0
      ? [[span(`  and ${count(more, 'more file')}${rest}`, 'secondary')]]
      : []),
    blank,
  ];
};

const isCounted = ({ added, removed }: EndFile): boolean => added !== '' || removed !== '';
