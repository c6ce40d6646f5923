import { type Document, isMap, isScalar, stringify } from 'yaml';
import { parseYaml } from './yaml-text.ts';

/**
 * A YAML map with some keys set (`undefined` removes one), nested maps key by key; comments, order and keys we do not know survive, and a key
 * that says the same already is not touched. A text that cannot be edited is written anew from what could be read of it.
 */
export const editYaml = (text: string, changes: Readonly<Record<string, unknown>>): string => {
  const { value: read } = parseYaml(text, '');
  const { document } = read;
  const before = isRecord(read.value) ? read.value : {};
  if (document === null || document.errors.length > 0 || !isMap(document.contents)) {
    return formatYaml({ ...before, ...changes });
  }
  setAll(document, [], before, changes);
  const edited = document.toString({ lineWidth: 0 });
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return edited.replaceAll(/\r?\n/g, lineBreak);
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

/** The comment of a line belongs to the node of its value: where a plain value follows a plain value, the node stays. */
const replaceNode = (document: Document.Parsed, path: readonly string[], wanted: unknown): void => {
  const node = document.getIn(path, true);
  if (isScalar(node) && (typeof wanted !== 'object' || wanted === null)) node.value = wanted;
  else document.setIn(path, document.createNode(wanted));
};

/** A map as YAML, in block form, long texts on one line. */
export const formatYaml = (value: Readonly<Record<string, unknown>>): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, keepUndefined: false });

/** A map and nothing else. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
