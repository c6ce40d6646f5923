import { safeOutput } from '../base/safe.ts';

/** Program output made harmless, its colours beside it: `styles[n]` holds from `from` up to the next one. */
export interface StyledText {
  readonly text: string;
  readonly styles: readonly StyleRun[];
}

export interface StyleRun {
  readonly from: number;
  /** SGR parameters, `1;31`; '' is plain. */
  readonly codes: string;
}

const sgr = /\u001b\[([0-9;]*)m/g;

/** One line of output: carriage returns carried out, tabs expanded, nothing live left in it. */
export const styledText = (raw: string): StyledText => {
  const safe = safeOutput(raw, { keepColours: true });
  if (!safe.includes('\u001b')) return { text: expandTabs(safe, 0), styles: [] };
  const styles: StyleRun[] = [];
  let text = '';
  let codes = '';
  let from = 0;
  for (const match of safe.matchAll(sgr)) {
    text += expandTabs(safe.slice(from, match.index), text.length);
    from = match.index + match[0].length;
    const set = match[1] ?? '';
    codes = /^0*$/.test(set) ? '' : codes === '' ? set : `${codes};${set}`;
    if (styles.at(-1)?.from === text.length) styles.pop();
    styles.push({ from: text.length, codes });
  }
  return { text: text + expandTabs(safe.slice(from), text.length), styles };
};

/** A tab reaches to the next multiple of eight, counted in characters: near enough for a column of numbers. */
const expandTabs = (line: string, column: number): string =>
  line.includes('\t')
    ? line.replace(/([^\t]*)\t/g, (_, before: string, offset: number) => {
        const at = offset === 0 ? column : 0;
        return before + ' '.repeat(8 - ((at + before.length) % 8));
      })
    : line;
