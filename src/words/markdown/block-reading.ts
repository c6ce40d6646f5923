/** What a source line of Markdown is: words that the lexer reads by the block, or a part of a fenced block of code. */
type SourceKind = 'words' | 'opens' | 'code' | 'closes';

export interface SourceLine {
  readonly kind: SourceKind;
  /** Number of the first line of its block. Of a fence that is the line that opens it. */
  readonly block: number;
}

/** The state of the reading before a line. Lines are read one by one, because agents write for minutes. */
export interface BlockReading {
  /** The signs that close the open fence; '' is none. */
  readonly fence: string;
  readonly block: number;
  /** Characters of the block so far. */
  readonly size: number;
  readonly after: 'nothing' | 'words' | 'blank';
}

export const noBlock: BlockReading = { fence: '', block: 0, size: 0, after: 'nothing' };

/**
 * The kind of line number `no`, and the reading after it. A block of words ends at a blank line before a line that is not indented, so a
 * line that arrives changes no other block.
 */
export const readSourceLine = (
  before: BlockReading,
  text: string,
  no: number,
): { readonly line: SourceLine; readonly after: BlockReading } => {
  const { fence } = before;
  const mark = /^[ \t]*(`{3,}|~{3,})/.exec(text)?.[1] ?? '';
  if (fence !== '') {
    const closes = mark.startsWith(fence) && text.trim() === mark;
    return closes
      ? { line: { kind: 'closes', block: before.block }, after: noBlock }
      : { line: { kind: 'code', block: before.block }, after: before };
  }
  if (mark !== '' && !text.slice(text.indexOf(mark) + mark.length).includes('`'))
    return {
      line: { kind: 'opens', block: no },
      after: { fence: mark, block: no, size: 0, after: 'nothing' },
    };
  const isBlank = text.trim() === '';
  const isNew = before.after === 'nothing' || (!/^[ \t]/.test(text) && !isBlank && endsBlock(before, text));
  const block = isNew ? no : before.block;
  const size = (isNew ? 0 : before.size) + text.length + 1;
  return {
    line: { kind: 'words', block },
    after: { fence: '', block, size, after: isBlank ? 'blank' : 'words' },
  };
};

/** A block with more characters ends at the next line that is not indented. A table cannot be cut, so it may be longer. */
export const mostCharacters = 4_000;
const mostOfTable = 32_000;

const endsBlock = ({ after, size }: BlockReading, text: string): boolean =>
  after === 'blank' || size > (text.startsWith('|') ? mostOfTable : mostCharacters);
