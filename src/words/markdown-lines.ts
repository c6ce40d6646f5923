import { lexer, type Token, type Tokens } from 'marked';
import { safe, safeBlock } from '../base/safe.ts';
import type { DetailLine } from './detail-line.ts';

/** A report as lines to wrap: headings, paragraphs, lists, tables and code. Other markdown stays text. */
export const markdownLines = (markdown: string): readonly DetailLine[] => {
  const cut =
    markdown.length <= mostMarkdown ? markdown.length : markdown.lastIndexOf('\n', mostMarkdown) + 1;
  return [...lexed(markdown.slice(0, cut)), ...plainLines(markdown.slice(cut))];
};

/** Agents write reports, and the lexer is quadratic for some inputs. Text after this many characters is shown as it is. */
const mostMarkdown = 32_768;

const lexed = (markdown: string): readonly DetailLine[] => {
  try {
    return lexer(markdown).flatMap(lineOf);
  } catch (error) {
    // The lexer recurses once per level: thousands of `> ` in one line overflow the stack, which would end the screen.
    if (!(error instanceof RangeError)) throw error;
    return plainLines(markdown);
  }
};

const plainLines = (text: string): readonly DetailLine[] =>
  text === ''
    ? []
    : safeBlock(text)
        .split('\n')
        .map((line) => ({ kind: 'text', text: line }));

const lineOf = (token: Token): readonly DetailLine[] => {
  if (isList(token)) return listLines(token, 0);
  if (isTable(token)) return tableLines(token);
  switch (token.type) {
    case 'heading':
      return [{ kind: 'sub', text: inline(token.tokens, token.raw) }];
    case 'paragraph':
      return [{ kind: 'text', text: inline(token.tokens, token.raw) }];
    case 'code':
      return safeBlock(textOf(token))
        .split('\n')
        .map((text) => ({ kind: 'code', text }));
    case 'blockquote':
      return childrenOf(token).flatMap(lineOf);
    case 'space':
    case 'hr':
    case 'def':
      return [];
    default:
      return [{ kind: 'text', text: safe(token.raw).trim() }];
  }
};

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const childrenOf = (token: Token): readonly Token[] => ('tokens' in token ? (token.tokens ?? []) : []);
const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

const listLines = (list: Tokens.List, depth: number): readonly DetailLine[] =>
  list.items.flatMap((item, index) => {
    const inner = item.tokens.filter(isList);
    const own = item.tokens.filter((token) => !isList(token));
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const text = `${box}${inline(own, item.text)}`;
    // The number of a step says more than a dot.
    const number = list.ordered ? `${(list.start || 1) + index}. ` : '';
    const kind = list.ordered && depth === 0 ? 'text' : 'item';
    return [
      { kind, text: `${'  '.repeat(depth)}${number}${text}` } as const,
      ...inner.flatMap((nested) => listLines(nested, depth + 1)),
    ];
  });

/** One line a row, first column first: tables in reports list criteria with their findings. */
const tableLines = (table: Tokens.Table): readonly DetailLine[] =>
  table.rows.map((row) => {
    const [first = '', ...rest] = row.map((cell) => inline(cell.tokens, cell.text));
    const text = [first, ...rest.filter((cell) => cell !== '')].join(' · ');
    return { kind: toneOf(rest[0] ?? ''), text };
  });

const toneOf = (status: string): 'good' | 'bad' | 'item' => {
  if (/❌|\bnot met\b|\bfail/i.test(status)) return 'bad';
  return /✅|\bmet\b|\bpass/i.test(status) ? 'good' : 'item';
};

/** The text without its markup. */
const inline = (tokens: readonly Token[] | undefined, raw: string): string =>
  tokens === undefined ? safe(raw) : tokens.map(words).join('').trim();

const words = (token: Token): string => {
  if (token.type === 'br') return ' ';
  const children = childrenOf(token);
  return children.length === 0 ? safe(textOf(token)) : children.map(words).join('');
};
