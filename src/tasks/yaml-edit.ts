import { type Document, isMap, isScalar, stringify } from 'yaml';
import { isRecord } from '../base/json.ts';
import { parseYaml } from './yaml-text.ts';

/**
 * Sets some keys of a YAML map (`undefined` removes one), nested maps key by key. Comments, order and unknown keys survive, and unchanged values are
 * not touched. When plain values change, or keys of the whole map come and go, everything else stays byte for byte. Other changes print the document,
 * which resets its spaces. A text that cannot be edited is rewritten from its readable part.
 */
export const editYaml = (text: string, changes: Readonly<Record<string, unknown>>): string => {
  const { value: read } = parseYaml(text, '');
  const { document } = read;
  const before = isRecord(read.value) ? read.value : {};
  // A tag on the whole document may turn its map into anything.
  if (document === null || document.errors.length > 0 || !isMap(document.contents) || document.contents.tag) {
    const value = { ...before, ...changes };
    return firstThatSays(value, [() => formatYaml(value)]);
  }
  const plain = Object.entries(changes).filter(([key, wanted]) =>
    plainChanges(document, [], before, { [key]: wanted }).every((change) => change !== null),
  );
  const patched = replacePlain(text, plainChanges(document, [], before, Object.fromEntries(plain))) ?? text;
  const replaced = replaceLines(patched, withoutKeys(changes, new Map(plain)));
  setAll(document, [], before, changes);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return firstThatSays(isRecord(value) ? value : {}, [
    () => replaced,
    () => document.toString({ lineWidth: 0 }).replaceAll(/\r?\n/g, text.includes('\r\n') ? '\r\n' : '\n'),
    () => formatYaml(isRecord(value) ? value : {}),
  ]);
};

/**
 * The first form that parses back to this value. A patched text may change its meaning in its place: a tag changes a key, and the parser drops a byte
 * order mark at the start. JSON, which YAML contains, can express every value.
 */
const firstThatSays = (
  value: Readonly<Record<string, unknown>>,
  forms: readonly (() => string | null)[],
): string => {
  const wanted = JSON.stringify(value);
  for (const form of forms) {
    const text = form();
    if (text !== null && JSON.stringify(parseYaml(text, '').value.value) === wanted) return text;
  }
  return `${JSON.stringify(value, null, 2)}\n`;
};

interface PlainChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The positions of the changed values; null for a change that is not from one plain value to another. */
const plainChanges = (
  document: Document.Parsed,
  path: readonly string[],
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): readonly (PlainChange | null)[] =>
  Object.entries(changes).flatMap(([key, wanted]) => {
    const here = [...path, key];
    const old = before[key];
    if (isRecord(wanted) && isRecord(old)) return plainChanges(document, here, old, wanted);
    if (JSON.stringify(old) === JSON.stringify(wanted)) return [];
    const node = document.getIn(here, true);
    const isPlain = typeof wanted !== 'object' || wanted === null;
    if (wanted === undefined || !isPlain || !isScalar(node) || !node.range) return [null];
    const [from, to] = node.range;
    const printed = stringify(wanted, { lineWidth: 0 }).trimEnd();
    const value = printed.includes('\n') ? JSON.stringify(wanted) : printed;
    return [{ from, to, text: from === to ? ` ${value}` : value }];
  });

const replacePlain = (text: string, changes: readonly (PlainChange | null)[]): string | null => {
  let edited = text;
  for (const change of changes.toSorted((a, b) => (b?.from ?? 0) - (a?.from ?? 0))) {
    if (change === null) return null;
    edited = edited.slice(0, change.from) + change.text + edited.slice(change.to);
  }
  return edited;
};

const withoutKeys = (
  changes: Readonly<Record<string, unknown>>,
  keys: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => !keys.has(key)));

/** The text with the lines of each changed key replaced, and those of new keys at the end. `firstThatSays` drops it where the lines mean something else. */
const replaceLines = (text: string, changes: Readonly<Record<string, unknown>>): string => {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  let edited = text;
  for (const [key, wanted] of Object.entries(changes)) {
    const lines = wanted === undefined ? '' : formatYaml({ [key]: wanted }).replaceAll('\n', end);
    const at = linesOf(edited, key);
    if (at !== null) edited = edited.slice(0, at.from) + lines + edited.slice(at.to);
    else if (lines !== '') edited += `${edited === '' || edited.endsWith('\n') ? '' : end}${lines}`;
  }
  return edited;
};

/** Where a key of the whole map begins and ends: with the indented lines, list items and empty lines inside its value. */
const linesOf = (text: string, key: string): { readonly from: number; readonly to: number } | null => {
  let from = -1;
  let to = 0;
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    offset += line.length;
    if (from < 0 && line.startsWith(`${key}:`)) from = offset - line.length;
    else if (from >= 0 && !/^(?:[ \t]|- |\r?\n)/.test(line)) break;
    if (from >= 0 && line.trim() !== '') to = offset;
  }
  return from < 0 ? null : { from, to };
};

const setAll = (
  document: Document.Parsed,
  path: readonly string[],
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): void => {
  for (const [key, wanted] of Object.entries(changes)) {
    const here = [...path, key];
    const old = before[key];
    if (wanted === undefined) document.deleteIn(here);
    else if (isRecord(wanted) && isRecord(old)) setAll(document, here, old, wanted);
    else if (JSON.stringify(old) !== JSON.stringify(wanted)) replaceNode(document, here, wanted);
  }
};

/** The comment of a line belongs to the node of its value: when a plain value replaces a plain value, the node stays. */
const replaceNode = (document: Document.Parsed, path: readonly string[], wanted: unknown): void => {
  const node = document.getIn(path, true);
  // A tag describes the old value.
  if (isScalar(node) && node.tag === undefined && (typeof wanted !== 'object' || wanted === null))
    node.value = wanted;
  else document.setIn(path, document.createNode(wanted));
};

/** A map as YAML, in block form, long texts on one line. */
export const formatYaml = (value: Readonly<Record<string, unknown>>): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, keepUndefined: false });
