import { lexer, type Token, type Tokens } from 'marked';
import { safe, safeBlock } from '../../base/safe.ts';
import { mostCharacters } from './block-reading.ts';
import { codeSpans } from './code-spans.ts';
import { childrenOf, type InlineReading, inlineLines, textOf } from './inline.ts';
import type { MarkdownLine, MarkdownTable } from './markdown-line.ts';
import type { MarkedSpan } from './marked-span.ts';

/** The lines of one block of words. Source lines that the lexer drops, as the blank ones, have none. */
export const readBlock = (text: string, reading: InlineReading): readonly MarkdownLine[] => {
  const place: Place = { ...reading, source: 0, lead: [], hang: [], style: {} };
  if (isTooLong(text) || isTooDeep(text)) return plainLines(text, place);
  try {
    return linesOf(lexer(text), place);
  } catch (error) {
    // An overflow of the stack would end the screen.
    if (!(error instanceof RangeError)) throw error;
    return plainLines(text, place);
  }
};

/** The lexer is quadratic for some inputs. Of a table it reads each cell alone. */
const isTooLong = (text: string): boolean =>
  text.length > 2 * mostCharacters &&
  (!/^\|.*\n[ |:-]*-[ |:-]*(\n|$)/.test(text) ||
    text.split('\n').some(({ length }) => length > mostCharacters));

/** The lexer recurses once per level. Where its stack ends depends on the caller, so that the same text could be drawn in two ways. */
const isTooDeep = (text: string): boolean => /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){32}/m.test(text);

/** Where the walk through the tokens is. */
interface Place extends InlineReading {
  readonly source: number;
  readonly lead: readonly MarkedSpan[];
  readonly hang: readonly MarkedSpan[];
  readonly style: Omit<MarkedSpan, 'text'>;
}

const linesOf = (tokens: readonly Token[], place: Place): readonly MarkdownLine[] => {
  const lines: MarkdownLine[] = [];
  let { source, lead } = place;
  for (const token of tokens) {
    const made = lineOf(token, { ...place, source, lead });
    lines.push(...made);
    if (made.length > 0) lead = place.hang;
    source += breaksIn(token.raw);
  }
  return lines;
};

const breaksIn = (text: string): number => text.split('\n').length - 1;

const lineOf = (token: Token, place: Place): readonly MarkdownLine[] => {
  if (isList(token)) return listLines(token, place);
  if (isTable(token)) return tableLines(token, place);
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return [];
    case 'heading':
      return headingLines(token, place);
    case 'hr':
      return [{ kind: 'rule', ...placed(place, 0) }];
    case 'code':
      return codeLines(token, place);
    case 'blockquote': {
      const bar = { text: `${place.look.bar} `, role: 'frame' } as const;
      const inner = {
        lead: [...place.lead, bar],
        hang: [...place.hang, bar],
        style: { role: 'quote' },
      } as const;
      return linesOf(childrenOf(token), { ...place, ...inner });
    }
    case 'paragraph':
    case 'text':
      return wordsLines(childrenOf(token).length > 0 ? childrenOf(token) : [token], place);
    default:
      return plainLines(token.raw, place);
  }
};

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

const placed = ({ source, lead, hang }: Place, index: number) => ({
  source: source + index,
  lead: index === 0 ? lead : hang,
  hang,
});

const wordsLines = (tokens: readonly Token[], place: Place): readonly MarkdownLine[] =>
  inlineLines(tokens, place, place.style).map((spans, index) => ({
    kind: 'words',
    ...placed(place, index),
    spans,
  }));

/** Text that is no Markdown, as HTML, line by line. */
const plainLines = (raw: string, place: Place): readonly MarkdownLine[] =>
  safeBlock(raw.replace(/\n+$/, ''))
    .split('\n')
    .map((text, index) => ({ kind: 'words', ...placed(place, index), spans: [{ ...place.style, text }] }));

/** A line of `=` or `-` below a heading becomes a rule. */
const headingLines = (token: Token, place: Place): readonly MarkdownLine[] => {
  const lines = wordsLines(childrenOf(token), { ...place, style: { role: 'heading', strong: true } });
  const isUnderlined = !/^ {0,3}#/.test(token.raw);
  return isUnderlined && place.keepBreaks
    ? [...lines, { kind: 'rule', ...placed(place, lines.length) }]
    : lines;
};

/** Code in a quote, fenced or indented. Other fences never reach the lexer. */
const codeLines = (token: Token, place: Place): readonly MarkdownLine[] => {
  const fenced = /^[ \t]*(`{3,}|~{3,})/.test(token.raw) && place.keepBreaks;
  const language = 'lang' in token ? safe(String(token.lang ?? '')) : '';
  const framed = (sign: string, spans: readonly MarkedSpan[], index: number): MarkdownLine => {
    const { source, lead, hang } = placed(place, index);
    const bar = { text: `${sign} `, role: 'frame' } as const;
    return { kind: 'code', source, lead: [...lead, bar], hang: [...hang, bar], spans };
  };
  const { bar, opens, closes } = place.look;
  const code = safeBlock(textOf(token)).split('\n');
  const isClosed = /\n[ \t]*[`~]{3,}[ \t]*\n*$/.test(token.raw);
  return [
    ...(fenced ? [framed(opens, [{ text: language, role: 'address' }], 0)] : []),
    ...code.map((text, index) => framed(bar, codeSpans(text, language), index + (fenced ? 1 : 0))),
    ...(fenced && isClosed ? [framed(closes, [], code.length + 1)] : []),
  ];
};

const listLines = (list: Tokens.List, place: Place): readonly MarkdownLine[] => {
  let { source, lead } = place;
  const last = (list.start || 1) + list.items.length - 1;
  const digits = list.ordered ? String(last).length : 0;
  return list.items.flatMap((item, index) => {
    const number = `${(list.start || 1) + index}. `.padStart(digits + 2);
    const sign = item.task ? place.look.boxes[item.checked ? 0 : 1] : place.look.bullet;
    const text = list.ordered ? `${number}${item.task ? `${sign} ` : ''}` : `${sign} `;
    const marker = { text, role: 'marker' } as const;
    const blank = { text: ' '.repeat(text.length) };
    const inner = { lead: [...lead, marker], hang: [...place.hang, blank] };
    const made = linesOf(item.tokens, { ...place, source, ...inner });
    const lines: readonly MarkdownLine[] =
      made.length > 0 ? made : [{ kind: 'words', source, ...inner, spans: [] }];
    source += breaksIn(item.raw);
    lead = place.hang;
    return lines;
  });
};

const tableLines = (token: Tokens.Table, place: Place): readonly MarkdownLine[] => {
  const cell = ({ tokens }: Tokens.TableCell, style: Omit<MarkedSpan, 'text'>): readonly MarkedSpan[] =>
    inlineLines(tokens, { ...place, keepBreaks: false }, { ...place.style, ...style }).flat();
  const table: MarkdownTable = {
    aligns: token.align,
    rows: [
      token.header.map((each) => cell(each, { strong: true })),
      ...token.rows.map((row) => row.map((each) => cell(each, {}))),
    ],
  };
  return [0, null, ...token.rows.map((_, row) => row + 1)].map((row, index) => ({
    kind: 'table',
    ...placed(place, index),
    table,
    row,
  }));
};
