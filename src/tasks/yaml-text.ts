import {
  Composer,
  CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  visit,
} from 'yaml';
import type { Fault, Parsed } from '../base/fault.ts';
import { yamlWords } from './yaml-words.ts';

/** The limits for parsing a YAML text. */
interface YamlLimits {
  /** Characters. */
  readonly size: number;
  /** Nested collections. */
  readonly depth: number;
}

const defaultLimits: YamlLimits = { size: 262_144, depth: 32 };

/** One YAML document as plain data, with a mapping back to its text. */
export interface YamlText {
  /** `null` for an empty text and for one refused as a whole. */
  readonly value: unknown;
  /** For edits that keep comments and unknown keys; `null` when the text was refused. */
  readonly document: Document.Parsed | null;
  /** Line (from 1) of the key or item at the end of `path`, or of its nearest existing ancestor. */
  readonly line: (path: readonly PropertyKey[]) => number;
}

/**
 * The only YAML reader of the program, for files of people and agents. Bounds size and nesting during the scan, before any recursive or
 * quadratic step. Refuses anchors and aliases (64 KiB of anchors cost seconds, an alias bomb all memory). Accepts one document with unique
 * keys and no `__proto__`. Timestamps stay texts whatever a `%YAML` directive says. Never throws. A strict caller refuses on problems;
 * a lenient one uses the readable part of the value.
 */
export const parseYaml = (
  text: string,
  file: string,
  limits: YamlLimits = defaultLimits,
): Parsed<YamlText> => {
  const lines = new LineCounter();
  const problems: Fault[] = [];
  const complain = (code: string, what: string, offset: number, hint?: string): void => {
    const where = `${file}:${Math.max(1, lines.linePos(offset).line)}`;
    problems.push({ code, what, where, ...(hint === undefined ? {} : { hint }) });
  };
  if (text.length > limits.size) {
    problems.push({ code: 'yaml-too-big', what: `is longer than ${limits.size} characters`, where: file });
    return { value: refused, problems };
  }
  const [document, second] = documentsOf(text, lines, limits, complain);
  if (document === undefined) return { value: refused, problems };
  if (second !== undefined) {
    complain(
      'yaml-documents',
      'contains more than one YAML document; only the first is read',
      second.range[0],
    );
  }
  for (const error of document.errors.slice(0, 20)) {
    const [at] = error.pos;
    const { what, hint } = yamlWords(error.code, error.message, lineAt(text, at));
    complain('yaml-syntax', what, at, hint);
  }
  checkKeys(document, complain);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return { value: { value, document, line: (path) => lineOf(document, lines, path) }, problems };
};

const refused: YamlText = { value: null, document: null, line: () => 1 };

const lineAt = (text: string, offset: number): string =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1).split(/\r?\n/, 1)[0] ?? '';

type Complain = (code: string, what: string, offset: number, hint?: string) => void;

/** A function of its own: the tokens take four times the memory of the documents, and must not outlive them. */
const documentsOf = (
  text: string,
  lines: LineCounter,
  limits: YamlLimits,
  complain: Complain,
): readonly Document.Parsed[] => {
  const tokens = scan(text, lines, limits, complain);
  if (tokens === null) return [];
  const composer = new Composer({
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokens, true, text.length)];
};

/** The text as tokens, or `null` when it is nested too deeply or uses anchors. Stops at the first such place. */
const scan = (
  text: string,
  lines: LineCounter,
  limits: YamlLimits,
  complain: Complain,
): readonly CST.Token[] | null => {
  const parser = new Parser(lines.addNewLine);
  // Offset 0 begins line 1; the parser itself reports only text after a line break.
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (type === 'alias' || type === 'anchor') {
      const what = `${type === 'alias' ? 'an alias' : 'an anchor'} (${lexeme.slice(0, 20)}) is not allowed`;
      complain('yaml-alias', what, offset, 'put the text in quotes, or write the value out');
      return null;
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > limits.depth && parser.stack.filter(CST.isCollection).length > limits.depth) {
      complain('yaml-too-deep', `nested more than ${limits.depth} levels deep`, offset);
      return null;
    }
    // The lexer marks documents and scalars with control characters that are not part of the text.
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
};

const isMark = (lexeme: string): boolean =>
  lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;

/** Replaces `uniqueKeys`, which compares every key with every other. Drops a duplicate: the first one counts. */
const checkKeys = (document: Document.Parsed, complain: Complain): void => {
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<string>();
      map.items = map.items.filter(({ key }) => {
        const name = isScalar(key) ? String(key.value) : null;
        const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        if (name === null) complain('yaml-key', 'a key must be plain text', offset);
        else if (name === '__proto__') complain('yaml-key', 'the key __proto__ is not allowed', offset);
        else if (seen.has(name)) complain('yaml-duplicate-key', `the key ${name} appears twice`, offset);
        else return seen.add(name);
        return false;
      });
    },
  });
};

const lineOf = (document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number => {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isScalar(node) || isMap(node) || isSeq(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return Math.max(1, lines.linePos(offset).line);
};
