import { wrap } from '../../src/words/width.ts';
import { bold, type Line, span } from '../draw/span.ts';
import type { DialogLook } from './dialog.ts';

/** Text as lines: indented ones belong to the heading above. Further rows of a long line are below its first word. */
export const headedLines = (lines: readonly string[], { width, theme }: DialogLook): readonly Line[] =>
  lines.flatMap((line): readonly Line[] => {
    if (line === '' || !line.startsWith(' ')) return [[bold(line, 'accent')]];
    return wrap(line.trimStart(), width - 2).map((text, index) => [
      span(`${index === 0 ? '  ' : '    '}${text.replaceAll('█', theme.glyphs.full)}`),
    ]);
  });
