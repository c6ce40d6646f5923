import { parseAst } from 'rolldown/parseAst';

/** One small change of a source file that a test should notice. */
export interface Mutant {
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The text in its place. */
  readonly text: string;
}

/** A node of the ESTree: what else it holds differs by its type. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/**
 * The mutants of a TypeScript source: a condition that always holds or never does, `&&` for `||`, a comparison turned round or moved by one, a truth value
 * turned round, `some` for `every`, a filter that keeps all, a call that does not happen. Throws on a source that cannot be parsed.
 */
export const mutantsOf = (source: string): readonly Mutant[] => {
  const found: Omit<Mutant, 'line'>[] = [];
  const visit = (node: Node): void => {
    // Types hold no behaviour.
    if (node.type.startsWith('TS') && !unwrapped.has(node.type)) return;
    if (node.type === 'ImportDeclaration') return;
    found.push(...changesOf(node, source));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(nodeOf(parseAst(source, { lang: 'ts' })));
  const lines = startsOfLines(source);
  return found
    .filter(({ start, end, text }) => source.slice(start, end) !== text)
    .map((mutant) => ({ ...mutant, line: lines.findLastIndex((at) => at <= mutant.start) + 1 }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
};

const unwrapped: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);

const changesOf = (node: Node, source: string): readonly Omit<Mutant, 'line'>[] => {
  const textOf = (part: Node): string => source.slice(part.start, part.end);
  const whole = (text: string) => ({ start: node.start, end: node.end, text });
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = childOf(node, 'test');
      return test === null
        ? []
        : ['true', 'false'].map((text) => ({ start: test.start, end: test.end, text }));
    }
    case 'LogicalExpression':
    case 'BinaryExpression': {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
      const turned = turnedOperator[String(node['operator'])];
      return left === null || right === null || turned === undefined
        ? []
        : [whole(`(${textOf(left)}) ${turned} (${textOf(right)})`)];
    }
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [whole(String(!node['value']))] : [];
    case 'ExpressionStatement':
      return /^(?:await |void )?[\w.]+\(/.test(textOf(node)) ? [whole(';')] : [];
    case 'CallExpression':
      return callChanges(node, textOf);
    default:
      return [];
  }
};

const turnedOperator: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

const callChanges = (node: Node, textOf: (part: Node) => string): readonly Omit<Mutant, 'line'>[] => {
  const callee = childOf(node, 'callee');
  const object = callee && childOf(callee, 'object');
  const property = callee && childOf(callee, 'property');
  if (callee?.type !== 'MemberExpression' || object == null || property == null) return [];
  const name = textOf(property);
  const named = (text: string) => ({ start: property.start, end: property.end, text });
  if (name === 'some') return [named('every')];
  if (name === 'every') return [named('some')];
  return name === 'filter' ? [{ start: node.start, end: node.end, text: textOf(object) }] : [];
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const nodeOf = (value: unknown): Node => {
  if (!isNode(value)) throw new Error('the parser returned no node');
  return value;
};

const childOf = (node: Node, field: string): Node | null => {
  const child = node[field];
  return isNode(child) ? child : null;
};

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

const startsOfLines = (source: string): readonly number[] => [
  0,
  ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1),
];
