/**
 * Where each line of a Markdown text stands: in no code fence, in one (its own lines included), or behind one that is opened and never closed. A fence
 * in a quote or in a list item ends with it, as in CommonMark.
 */
type Standing = 'outside' | 'fenced' | 'unclosed';

/** One answer for each line. Takes lines with or without their line breaks. */
export const fencesIn = (lines: readonly string[]): readonly Standing[] => {
  const standing: Standing[] = lines.map(() => 'outside');
  // Most texts have none, and then no line has to be looked at closer.
  if (!lines.some((line) => line.includes('```') || line.includes('~~~'))) return standing;
  /** Columns at which the text of the open list items begins, the innermost last. */
  let items: readonly number[] = [];
  let fence: Fence | null = null;
  const end = (last: number): void => {
    if (fence !== null) standing.fill('fenced', fence.line, last + 1);
    fence = null;
  };
  for (const [at, raw] of lines.entries()) {
    const line = raw.replace(/[\r\n]+$/, '');
    if (fence !== null) {
      const inside = insideOf(fence, line);
      if (inside === 'yes') continue;
      end(inside === 'closing' ? at : at - 1);
      if (inside === 'closing') continue;
    }
    const place = placeOf(line, mostQuotes);
    if (place.text === '') continue;
    const { column, text, around } = withinItems(
      place,
      items.filter((begin) => begin <= place.column),
    );
    items = around;
    const [, marks = '', info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    const base = around.at(-1) ?? 0;
    if (marks !== '' && column - base <= 3 && !(marks.startsWith('`') && info.includes('`')))
      fence = { line: at, marks, quotes: place.quotes, base };
  }
  return fence === null ? standing : standing.fill('unclosed', fence.line);
};

interface Within {
  readonly column: number;
  readonly text: string;
  readonly around: readonly number[];
}

/** What is left of a line behind the signs of the list items that it begins. */
const withinItems = (
  place: { readonly column: number; readonly text: string },
  around: readonly number[],
): Within => {
  let within: Within = { column: place.column, text: place.text, around };
  for (;;) {
    const [whole, sign = '', space = ''] = /^([-*+]|\d{1,9}[.)])([ \t]+|$)/.exec(within.text) ?? [];
    if (whole === undefined || within.around.length >= mostItems) return within;
    const width = sign.length + (space.length > 4 || space === '' ? 1 : space.length);
    const column = within.column + width;
    within = { column, text: within.text.slice(whole.length), around: [...within.around, column] };
  }
};

interface Fence {
  readonly line: number;
  readonly marks: string;
  /** Number of quotes around it. */
  readonly quotes: number;
  /** Column at which the text of its list item begins; 0 outside of lists. */
  readonly base: number;
}

const insideOf = ({ marks, quotes, base }: Fence, line: string): 'yes' | 'closing' | 'after' => {
  const place = placeOf(line, quotes);
  if (place.quotes < quotes) return 'after';
  if (place.text !== '' && place.column < base) return 'after';
  const closing = /^(`{3,}|~{3,})[ \t]*$/.exec(place.text)?.[1] ?? '';
  const isClosing = closing.startsWith(marks) && place.column - base <= 3;
  return isClosing ? 'closing' : 'yes';
};

const mostQuotes = 32;
const mostItems = 32;

/** A line without its quote marks and its indent. */
const placeOf = (line: string, quotes: number): { quotes: number; column: number; text: string } => {
  let rest = line;
  let depth = 0;
  for (; depth < quotes; depth += 1) {
    const [mark] = /^ {0,3}> ?/.exec(rest) ?? [];
    if (mark === undefined) break;
    rest = rest.slice(mark.length);
  }
  const text = rest.trimStart();
  return { quotes: depth, column: columnOf(rest.slice(0, rest.length - text.length)), text };
};

/** The width of white space, with tabs every four columns. */
export const columnOf = (space: string): number =>
  [...space].reduce((column, sign) => (sign === '\t' ? column + 4 - (column % 4) : column + 1), 0);
