import { CST, Lexer } from 'yaml';

/** How much of YAML we let a stranger's file use, and the sentence-ready clause when it uses more. */
export interface YamlBounds {
  /** Levels of nesting, block and flow together. */
  readonly depth: number;
  /** Keys and list items together: unique keys are checked pairwise, which is quadratic. */
  readonly entries: number;
}

/**
 * Looks at the tokens of a YAML text before anything is built from it, and says what forbids parsing it, or null. The lexer needs no recursion and
 * is linear; the parser overflows its stack on 20,000 nested `[`, and takes seconds for thousands of anchors (quality.md, hostile input).
 * Anchors and aliases are refused whole.
 */
export const yamlExcess = (text: string, bounds: YamlBounds): string | null => {
  if (isModest(text, bounds)) return null;
  const columns: number[] = [];
  let flow = 0;
  let entries = 0;
  let column = 0;
  let opensBlock = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'anchor' || type === 'alias')
      return 'uses an anchor or an alias, which are not allowed here';
    if (type !== null && counted.has(type)) entries += 1;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow -= 1;
    else if (flow === 0 && opensBlock && type !== null && !layout.has(type)) enter(columns, column);
    if (columns.length + flow > bounds.depth) return `is nested more than ${bounds.depth} levels deep`;
    if (entries > bounds.entries) return `holds more than ${bounds.entries} entries`;
    if (marks.has(token)) continue;
    const line = token.lastIndexOf('\n');
    column = line === -1 ? column + token.length : token.length - line - 1;
    opensBlock = type === 'seq-item-ind' || type === 'explicit-key-ind' || (opensBlock && type === 'space');
    if (line !== -1) opensBlock = true;
  }
  return null;
};

/** Whether so few characters of the text could open anything that it cannot exceed the bounds: true of nearly every signal, and quick to see. */
const isModest = (text: string, { depth, entries }: YamlBounds): boolean =>
  !/[&*]/.test(text) && (text.match(opening)?.length ?? 0) <= Math.min(depth, entries / 2);

/** Each level of nesting and each entry takes at least one of these; inside braces an entry may do with half of one. */
const opening = /[[{,]|[-:?](?:\s|$)/g;

/** Control characters by which the lexer talks to the parser: they take no room in the text. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);
const counted: ReadonlySet<string> = new Set(['map-value-ind', 'explicit-key-ind', 'seq-item-ind', 'comma']);
const layout: ReadonlySet<string> = new Set([
  'space',
  'newline',
  'comment',
  'doc-mode',
  'doc-start',
  'doc-end',
  'byte-order-mark',
  'directive-line',
]);

/** A block that starts at a column ends every block that started there or further right. */
const enter = (columns: number[], column: number): void => {
  while ((columns.at(-1) ?? -1) >= column) columns.pop();
  columns.push(column);
};
