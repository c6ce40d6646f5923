import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type YAMLParseError,
} from 'yaml';
import type { Fault, Parsed } from '../base/fault.ts';
import type { Redact } from '../base/redact.ts';
import { safe } from '../base/safe.ts';
import { yamlExcess } from '../base/yaml-bounds.ts';
import {
  type ArchivedHandling,
  type HandlingToWrite,
  readHandling,
  wireHandling,
} from './archived-handling.ts';
import { readFields } from './fields.ts';
import { checkSignal } from './kinds.ts';
import type { Signal } from './signal.ts';

/** The largest size of a signal, in bytes (rule 3). */
export const largestSignal = 16 * 1024;

/** The largest size of an archived signal, which also holds its consumer's additions. */
export const largestArchived = 4 * largestSignal;

const bounds = { depth: 32, entries: 512 } as const;

/**
 * Reads a signal leniently and bounded (src/signals/README.md, "Lenient reading" and rule 3). Ignores a foreign `handling_metadata` and unknown keys; the
 * archive keeps unknown keys. `null` with at least one problem when the signal is unusable.
 */
export const parseSignal = (name: string, bytes: Uint8Array): Parsed<Signal | null> => {
  const document = parseEnvelope(bytes, largestSignal);
  if (typeof document === 'string') return refuse(name, [document]);
  const { signal, problems } = readFields(document);
  if (signal === null) return refuse(name, problems);
  const problem = checkSignal(signal);
  return problem === null ? { value: signal, problems: [] } : refuse(name, [problem]);
};

/** Parses an archived signal: ours, or a `processed/<TIMESTAMP>.yaml` of the prompt agents. An unreadable part is null, with the reason. */
export const parseArchived = (
  name: string,
  bytes: Uint8Array,
): Parsed<{ readonly signal: Signal | null; readonly handling: ArchivedHandling | null }> => {
  const document = parseEnvelope(bytes, largestArchived);
  if (typeof document === 'string')
    return { value: { signal: null, handling: null }, problems: faults(name, [document]) };
  const { signal, problems } = readFields(document);
  const handling = readHandling(document.toJS({ maxAliasCount: 0 })?.handling_metadata);
  return { value: { signal, handling }, problems: faults(name, problems) };
};

/** The whole text of a signal in canonical form. Ends with the YAML end mark, which marks the file as complete (rule 2). */
export const formatSignal = (signal: Signal): string =>
  `${stringify(wireOf(signal), { lineWidth: 0, aliasDuplicateObjects: false })}...\n`;

/**
 * The text of a claimed signal plus `handling_metadata` (rule 7). Keeps the writer's text byte for byte and appends the new key. Where that is
 * impossible (a forged handling, JSON, an indented map, a secret in any value) it prints the document again: comments, order and unknown keys
 * survive.
 */
export const formatArchived = (
  id: string,
  bytes: Uint8Array,
  handling: HandlingToWrite,
  redact: Redact = asItIs,
): string => {
  const metadata = wireHandling(id, handling);
  const parsed = parseEnvelope(bytes, largestArchived);
  const document = typeof parsed === 'string' ? parseDocument('{}') : parsed;
  const text = document.has('handling_metadata') ? null : decode(bytes);
  const longer = text === null ? null : withKeyBehind(text, metadata);
  const isSame = longer !== null && saysTheSame(longer, document);
  document.delete('handling_metadata');
  document.set('handling_metadata', document.createNode(metadata));
  const held = redactDocument(document, redact);
  return isSame && !held && redact(longer) === longer ? longer : document.toString({ lineWidth: 0 });
};

/** Appends the key to the text, before the end mark if there is one. */
const withKeyBehind = (text: string, handling_metadata: unknown): string => {
  const mark = /(?<=^|\n)\.\.\.[ \t]*\r?\n?$/.exec(text);
  const said = text.slice(0, mark?.index);
  const lineBreak = said === '' || said.endsWith('\n') ? '' : '\n';
  return `${said}${lineBreak}${stringify({ handling_metadata }, { lineWidth: 0 })}${mark?.[0] ?? ''}`;
};

/** Whether the longer text parses to the document plus one key. */
const saysTheSame = (text: string, document: Document): boolean => {
  const longer = parseEnvelope(new TextEncoder().encode(text), largestArchived);
  if (typeof longer === 'string' || !longer.has('handling_metadata')) return false;
  longer.delete('handling_metadata');
  return (
    JSON.stringify(longer.toJS({ maxAliasCount: 0 })) === JSON.stringify(document.toJS({ maxAliasCount: 0 }))
  );
};

/** The same signal without secrets, for a permanent copy. */
export const withoutSecrets = (text: string, redact: Redact): string => {
  if (redact(text) === text) return text;
  const document = parseEnvelope(new TextEncoder().encode(text), largestArchived);
  if (typeof document === 'string') return redact(text);
  redactDocument(document, redact);
  return document.toString({ lineWidth: 0 });
};

const asItIs: Redact = (text) => text;

/**
 * Redacts value by value: in the whole text, the replacement of a secret could be YAML of its own. Returns whether it found a secret.
 */
const redactDocument = (document: Document, redact: Redact): boolean => {
  let held = false;
  const clean = (text: string): string => {
    const without = redact(text);
    held ||= without !== text;
    return without;
  };
  const comments = (node: { comment?: string | null; commentBefore?: string | null }): void => {
    if (node.comment) node.comment = clean(node.comment);
    if (node.commentBefore) node.commentBefore = clean(node.commentBefore);
  };
  comments(document);
  visit(document, {
    Node: (_key, node) => {
      comments(node);
      if (!isScalar(node) || typeof node.value !== 'string') return;
      const without = clean(node.value);
      if (without === node.value) return;
      node.value = without;
      delete node.source;
      if (node.type === 'PLAIN') node.type = 'QUOTE_DOUBLE';
    },
  });
  return held;
};

/** The evidence that the file is complete: the end mark, a finished line, or neither (rule 2). */
export const endingOf = (bytes: Uint8Array): 'mark' | 'line' | 'open' => {
  if (bytes.at(-1) !== newline) return 'open';
  const tail = String.fromCharCode(...bytes.slice(-6));
  return /(?:^|\n)\.\.\.\r?\n$/.test(tail) ? 'mark' : 'line';
};

const newline = 0x0a;

/** The library's pretty error messages quote the line. With many carriage returns in it, that takes quadratic time. */
const strictly = {
  schema: 'core',
  resolveKnownTags: false,
  logLevel: 'error',
  prettyErrors: false,
} as const;

/** The YAML document of a signal, or the clause that explains why there is none. */
const parseEnvelope = (bytes: Uint8Array, largest: number): Document | string => {
  if (bytes.length === 0) return 'is empty';
  if (bytes.length > largest) return `is larger than ${largest} bytes`;
  const text = decode(bytes);
  if (text === null) return 'is not valid UTF-8';
  if (text.includes('\0')) return 'contains a NUL byte';
  const excess = yamlExcess(text, bounds);
  if (excess !== null) return excess;
  // A `%YAML 1.1` directive would allow merge keys and types whose conversion fails long after the signal was taken.
  const lines = new LineCounter();
  const document = parseDocument(text, { ...strictly, lineCounter: lines });
  const error = document.errors[0];
  if (error) {
    if (error.code === 'MULTIPLE_DOCS') return 'contains more than one YAML document';
    return `is not valid YAML: ${errorText(error, lines)}`;
  }
  if (isMap(document.contents)) return document;
  const empty =
    document.contents === null || (isScalar(document.contents) && document.contents.value === null);
  return empty ? 'contains no signal, only blank lines or comments' : 'is not a mapping with `type: …`';
};

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const errorText = ({ message, pos }: YAMLParseError, lines: LineCounter): string => {
  const { line, col } = lines.linePos(pos[0]);
  return safe(`${message.split('\n', 1)[0]} at line ${line}, column ${col}`);
};

const refuse = (name: string, problems: readonly string[]): Parsed<null> => ({
  value: null,
  problems: faults(name, problems),
});

const faults = (name: string, problems: readonly string[]): readonly Fault[] =>
  problems.map((what) => ({ code: 'signal-unusable', what, where: safe(name) }));

/** In the order of the protocol page. Leaves out absent keys. */
const wireOf = (signal: Signal): Record<string, unknown> => {
  const wire: Record<Exclude<keyof Signal, 'unproven'>, unknown> = {
    type: signal.type,
    target: signal.target === 'ALL' ? 'ALL' : `Ralph-${signal.target}`,
    message: signal.message,
    iteration: signal.iteration,
    created_at: signal.created_at,
    from: signal.from,
    task: signal.task,
    worker: signal.worker,
    attempt: signal.attempt,
    apply: signal.apply,
    resume: signal.resume,
    now: signal.now,
    promote: signal.promote,
    request: signal.request,
    option: signal.option,
    set: signal.set,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
};
