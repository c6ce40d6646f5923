import { safeOutput } from '../base/safe.ts';
import { inForce } from './style-codes.ts';

/** Program output made safe, with its colours in a separate list: each style holds from `from` to the start of the next. */
export interface StyledText {
  readonly text: string;
  readonly styles: readonly StyleRun[];
  /** The style in force at its end, and so at the start of the next line. */
  readonly codes: string;
}

export interface StyleRun {
  readonly from: number;
  /** SGR parameters, `1;31`. '' is plain. */
  readonly codes: string;
}

const sgr = /\u001b\[([0-9;]*)m/g;

/** A line of output with carriage returns applied, tabs expanded and control sequences removed. `before`: the style in force at its start. */
export const styledText = (raw: string, before = ''): StyledText => {
  const after = codesAfter(raw, before);
  const safe = safeOutput(before === '' ? raw : `\u001b[${before}m${raw}`, { keepColours: true });
  if (!safe.includes('\u001b')) return { text: expandTabs(safe, 0), styles: [], codes: after };
  const styles: StyleRun[] = [];
  let text = '';
  let codes = '';
  let from = 0;
  for (const match of safe.matchAll(sgr)) {
    text += expandTabs(safe.slice(from, match.index), text.length);
    from = match.index + match[0].length;
    codes = joined(codes, match[1] ?? '');
    if (styles.at(-1)?.from === text.length) styles.pop();
    styles.push({ from: text.length, codes });
  }
  text += expandTabs(safe.slice(from), text.length);
  if (styles.at(-1)?.from === text.length) styles.pop();
  return { text, styles, codes: after };
};

/** Consecutive lines, as of a log: a colour holds beyond the end of its line until it is reset. */
export const styledLines = (raws: readonly string[]): readonly StyledText[] => {
  let codes = '';
  return raws.map((raw) => {
    const line = styledText(raw, codes);
    codes = line.codes;
    return line;
  });
};

/** Reads the raw output, because the safe line always ends plain. */
const codesAfter = (raw: string, before: string): string => {
  let codes = before;
  for (const [, set = ''] of raw.matchAll(sgr)) codes = joined(codes, set);
  return codes;
};

const joined = (codes: string, set: string): string =>
  /^0*$/.test(set) ? '' : inForce(codes === '' ? set : `${codes};${set}`);

/** Expands a tab to the next multiple of eight, counted in characters: accurate enough for columns of numbers. */
export const expandTabs = (line: string, column: number): string =>
  line.includes('\t')
    ? line.replace(/([^\t]*)\t/g, (_, before: string, offset: number) => {
        const at = offset === 0 ? column : 0;
        return before + ' '.repeat(8 - ((at + before.length) % 8));
      })
    : line;
