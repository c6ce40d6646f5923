import { memoiseLast } from '../../src/base/memoise.ts';
import { blockRows, fenceRows } from '../../src/words/markdown/block-rows.ts';
import type { MarkdownLook } from '../../src/words/markdown/look.ts';
import type { MarkdownRow } from '../../src/words/markdown/markdown-line.ts';
import type { OutputLog } from './output-line.ts';
import type { TextLine } from './text-line.ts';

/** The rows of one line of an agent's words, as part of its block. `null` for any other line. */
export const saidRows = (
  { lines, dropped }: OutputLog,
  no: number,
  width: number,
  look: MarkdownLook,
): readonly MarkdownRow[] | null => {
  const line = lines[no - dropped];
  if (line?.kind !== 'text' || line.said === undefined) return null;
  const { kind, block } = line.said;
  const first = Math.max(0, block - dropped);
  if (kind !== 'words') return fenceRows(kind, line.text, lines[first]?.text ?? '', width, look);
  const texts: TextLine[] = [];
  for (let index = first; index < lines.length; index += 1) {
    const each = lines[index];
    if (each?.kind !== 'text' || each.said?.kind !== 'words' || each.said.block !== block) break;
    texts.push(each);
  }
  const rows = rowsOfBlock(texts[0] ?? line, { texts, width, look });
  return rows.get(no - dropped - first) ?? [];
};

interface Wanted {
  readonly texts: readonly TextLine[];
  readonly width: number;
  readonly look: MarkdownLook;
}

const isSame = (one: Wanted, other: Wanted): boolean =>
  one.width === other.width &&
  one.look === other.look &&
  one.texts.length === other.texts.length &&
  one.texts.every((line, index) => line === other.texts[index]);

/** The rows of a block, by its first line. Only a block that grows is read again. */
const rowsOfBlock = memoiseLast(
  isSame,
  (_first: TextLine, { texts, width, look }: Wanted): ReadonlyMap<number, readonly MarkdownRow[]> =>
    Map.groupBy(
      blockRows(
        texts.map(({ text }) => text),
        width,
        look,
        true,
      ),
      ({ source }) => source,
    ),
);
