/** A compiled pattern over a whole text. */
export interface Matcher {
  readonly test: (text: string) => boolean;
}

/**
 * Compiles the regular expressions that globs become to an automaton that follows all ways at once (Thompson 1968): the time is the length of the
 * text times that of the pattern, whatever the pattern. Knows `(?:…)`, `|`, classes, escapes and the quantifiers `*`, `+` and `?`; the whole text must
 * match. `source` must be valid.
 */
export const linearMatcher = (source: string): Matcher => {
  const states: State[] = [{ kind: 'end' }];
  const parser: Parser = { tokens: tokensOf(source), at: 0, states };
  const start = compile(parseChoice(parser), 0, states);
  return { test: (text) => run(states, start, text) };
};

type Node =
  | { readonly kind: 'one'; readonly test: (letter: string) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: 0 | 1; readonly isEndless: boolean };

type State =
  | { readonly kind: 'end' }
  | { readonly kind: 'one'; readonly test: (letter: string) => boolean; readonly next: number }
  | { readonly kind: 'split'; next: readonly number[] };

interface Parser {
  readonly tokens: readonly string[];
  at: number;
  readonly states: State[];
}

/** `[^]` is any character; a class ends at the first `]` that is not escaped. */
const tokensOf = (source: string): readonly string[] =>
  source.replace(/^\^|\$$/g, '').match(/\(\?:|\[\^?\]|\[(?:\\.|[^\]\\])*\]|\\.|./gsu) ?? [];

const parseChoice = (parser: Parser): Node => {
  const options = [parseSequence(parser)];
  while (parser.tokens[parser.at] === '|') {
    parser.at += 1;
    options.push(parseSequence(parser));
  }
  return { kind: 'choice', options };
};

const parseSequence = (parser: Parser): Node => {
  const parts: Node[] = [];
  for (
    let token = parser.tokens[parser.at];
    token !== undefined && token !== '|' && token !== ')';
    token = parser.tokens[parser.at]
  ) {
    parser.at += 1;
    let part: Node;
    if (token === '(?:') {
      part = parseChoice(parser);
      parser.at += 1;
    } else part = { kind: 'one', test: testOf(token) };
    const quantifier = parser.tokens[parser.at] ?? '';
    if (/^[*+?]$/.test(quantifier)) {
      parser.at += 1;
      part = { kind: 'repeat', part, least: quantifier === '+' ? 1 : 0, isEndless: quantifier !== '?' };
    }
    parts.push(part);
  }
  return { kind: 'sequence', parts };
};

const testOf = (token: string): ((letter: string) => boolean) => {
  if (token === '[^]') return () => true;
  if (token.startsWith('[')) {
    const one = new RegExp(`^${token}$`, 'u');
    return (letter) => one.test(letter);
  }
  const literal = token.startsWith('\\') ? token.slice(1) : token;
  return (letter) => letter === literal;
};

/** Adds the states of a node, and returns its first one. */
const compile = (node: Node, next: number, states: State[]): number => {
  switch (node.kind) {
    case 'one':
      return states.push({ kind: 'one', test: node.test, next }) - 1;
    case 'sequence':
      return node.parts.reduceRight((after, part) => compile(part, after, states), next);
    case 'choice':
      return (
        states.push({ kind: 'split', next: node.options.map((each) => compile(each, next, states)) }) - 1
      );
    case 'repeat': {
      const split: State = { kind: 'split', next: [] };
      const at = states.push(split) - 1;
      const first = compile(node.part, node.isEndless ? at : next, states);
      split.next = [first, next];
      return node.least === 1 ? first : at;
    }
  }
};

const run = (states: readonly State[], start: number, text: string): boolean => {
  let active = reach(states, [start]);
  for (const letter of text) {
    const next: number[] = [];
    for (const at of active) {
      const state = states[at];
      if (state?.kind === 'one' && state.test(letter)) next.push(state.next);
    }
    if (next.length === 0) return false;
    active = reach(states, next);
  }
  return active.has(0);
};

/** All states that are reached without reading a letter. */
const reach = (states: readonly State[], from: readonly number[]): ReadonlySet<number> => {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const state = states[at];
    if (state?.kind === 'split') open.push(...state.next);
  }
  return reached;
};
