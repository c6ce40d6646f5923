import type { Token } from 'marked';
import { safeBlock } from '../../base/safe.ts';
import type { MarkdownLook } from './look.ts';
import type { MarkedSpan } from './marked-span.ts';

/** How inline text is read. */
export interface InlineReading {
  readonly look: MarkdownLook;
  /** Keeps the line breaks of the source. Otherwise a single one is a blank. */
  readonly keepBreaks: boolean;
}

/** Inline Markdown as lines of spans: emphasis, code, links with their address. */
export const inlineLines = (
  tokens: readonly Token[],
  reading: InlineReading,
  style: Omit<MarkedSpan, 'text'> = {},
): readonly (readonly MarkedSpan[])[] => {
  const lines: MarkedSpan[][] = [[]];
  for (const token of tokens) walk(token, style, { reading, lines });
  return lines;
};

interface Walk {
  readonly reading: InlineReading;
  readonly lines: MarkedSpan[][];
}

type Style = Omit<MarkedSpan, 'text'>;

const walk = (token: Token, style: Style, to: Walk): void => {
  const inner = (more: Style): void => {
    const children = childrenOf(token);
    if (children.length === 0) put(textOf(token), { ...style, ...more }, to);
    for (const child of children) walk(child, { ...style, ...more }, to);
  };
  switch (token.type) {
    case 'strong':
      inner({ strong: true });
      break;
    case 'em':
      inner({ emphasis: true });
      break;
    case 'del':
      inner({ struck: true });
      break;
    case 'codespan':
      put(codeOf(token.raw, to.reading.look.ticks), { ...style, role: 'code' }, to);
      break;
    case 'link':
    case 'image':
      link(token, style, to);
      break;
    case 'br':
      to.lines.push([]);
      break;
    case 'checkbox':
      break;
    default:
      inner({});
  }
};

/** A link shows its text and its address, unless they are the same. */
const link = (token: Token, style: Style, to: Walk): void => {
  const href = 'href' in token && typeof token.href === 'string' ? safeBlock(token.href) : '';
  const text = textOf(token);
  const isBare = text === href || `mailto:${text}` === href || text === '';
  const role = 'link';
  if (isBare) {
    put(text === '' ? href : text, { ...style, role }, to);
    return;
  }
  for (const child of childrenOf(token)) walk(child, { ...style, role }, to);
  if (childrenOf(token).length === 0) put(text, { ...style, role }, to);
  if (href !== '') put(` (${href})`, { ...style, role: 'address' }, to);
};

const put = (text: string, style: Style, { lines, reading }: Walk): void => {
  const parts = safeBlock(text).replaceAll('\t', ' ').split('\n');
  parts.forEach((part, index) => {
    const line = lines.at(-1);
    if (index === 0 || !reading.keepBreaks) {
      if (index > 0) line?.push({ ...style, text: ' ' });
      if (part !== '') line?.push({ ...style, text: part });
    } else lines.push(part === '' ? [] : [{ ...style, text: part }]);
  });
};

/** The lexer joins the lines of code in a paragraph, so its own text is taken. */
const codeOf = (raw: string, ticks: boolean): string => {
  const code = raw.replace(/^`+|`+$/g, '').replace(/^ (.*\S.*) $/s, '$1');
  return ticks ? `\`${code}\`` : code;
};

export const childrenOf = (token: Token): readonly Token[] => ('tokens' in token ? (token.tokens ?? []) : []);

export const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw);
