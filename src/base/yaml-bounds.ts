import { CST, Lexer } from 'yaml';

/** The limits for YAML from foreign files. */
interface YamlBounds {
  /** Levels of nesting, block and flow together. */
  readonly depth: number;
  /** Keys and list items together: unique keys are checked pairwise, which is quadratic. */
  readonly entries: number;
}

/**
 * Checks the tokens of a YAML text before parsing it, and returns the clause that forbids parsing, or null. The lexer needs no recursion and
 * is linear; the parser overflows its stack on 20,000 nested `[`, and takes seconds for thousands of anchors (test/README.md, hostile input).
 * Anchors and aliases are always refused.
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
    if (type === 'anchor' || type === 'alias') return 'uses an anchor or an alias, which is not allowed here';
    if (type !== null && counted.has(type)) entries += 1;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') flow -= 1;
    else if (flow === 0 && opensBlock && type !== null && !layout.has(type)) enter(columns, column);
    if (columns.length + flow > bounds.depth) return `is nested more than ${bounds.depth} levels deep`;
    if (entries > bounds.entries) return `contains more than ${bounds.entries} entries`;
    if (marks.has(token)) continue;
    const line = token.lastIndexOf('\n');
    column = line === -1 ? column + token.length : token.length - line - 1;
    opensBlock = type === 'seq-item-ind' || type === 'explicit-key-ind' || (opensBlock && type === 'space');
    if (line !== -1) opensBlock = true;
  }
  return null;
};

/** Whether the text has too few opening characters to exceed the bounds: true of nearly every signal, and quick to test. */
const isModest = (text: string, { depth, entries }: YamlBounds): boolean =>
  !/[&*]/.test(text) && (text.match(opening)?.length ?? 0) <= Math.min(depth, entries / 2);

/** Each level of nesting and each entry needs at least one of these; inside braces an entry may need only half of one. */
const opening = /[[{,]|[-:?](?:\s|$)/g;

/** Control characters that the lexer emits for the parser: they occupy no space in the text. */
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

/** A block that starts at a column ends every block that started at it or further right. */
const enter = (columns: number[], column: number): void => {
  while ((columns.at(-1) ?? -1) >= column) columns.pop();
  columns.push(column);
};
