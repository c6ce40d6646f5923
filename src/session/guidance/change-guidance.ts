import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import type { Checked } from '../../base/fault.ts';
import {
  type Guidance,
  type GuidanceItem,
  itemOf,
  itemText,
  parseGuidance,
  sameItem,
  uniqueItems,
  without,
} from './guidance.ts';

/**
 * The phrases in the words of a command line. `path:` and `command:` begin one each. Words that a shell took out of quotes are whole phrases; the others
 * are the words of one.
 */
export const phrasesOf = (words: readonly string[]): readonly string[] => {
  const isQuoted = words.some((word) => /\s/.test(word.trim()));
  const phrases: string[] = [];
  for (const word of words) {
    const isNew = isQuoted || /^(?:path|command):/.test(word) || phrases.length === 0;
    if (isNew) phrases.push(word.trim());
    else phrases.push(`${phrases.pop()} ${word}`.trim());
  }
  return phrases;
};

/** Forbids an item and removes it from the encouraged ones: forbidding wins. */
export const forbid = (guidance: Guidance, phrase: string): Guidance => {
  const item = itemOf(phrase);
  return {
    ...guidance,
    forbidden: uniqueItems([...guidance.forbidden, item]),
    encouraged: without(guidance.encouraged, [item]),
  };
};

/** Encourages an item; null when it is forbidden, which wins. */
export const encourage = (guidance: Guidance, phrase: string): Guidance | null => {
  const item = itemOf(phrase);
  if (guidance.forbidden.some((other) => sameItem(item, other))) return null;
  return { ...guidance, encouraged: uniqueItems([...guidance.encouraged, item]) };
};

/** Removes an item from both lists; null when it is in neither. */
export const removeItem = (guidance: Guidance, phrase: string): Guidance | null => {
  const item = itemOf(phrase);
  const next = {
    ...guidance,
    forbidden: without(guidance.forbidden, [item]),
    encouraged: without(guidance.encouraged, [item]),
  };
  const kept = next.forbidden.length + next.encouraged.length;
  return kept === guidance.forbidden.length + guidance.encouraged.length ? null : next;
};

/**
 * Edits the text of a guidance file to the content `next`. Keeps comments, order and foreign keys, and does not touch remaining items.
 * Refuses a file that is not valid YAML: it belongs to a person, and none of it may be lost.
 */
export const editGuidance = (text: string, next: Guidance, file: string): Checked<string> => {
  const document: Document = parseDocument(text, { keepSourceTokens: false });
  const empty = document.contents === null;
  if (document.errors.length > 0 || (!empty && !isMap(document.contents)))
    return refused(file, document.errors[0]?.message.split('\n')[0] ?? 'it is not a map');
  setList(document, 'forbidden', next.forbidden);
  setList(document, 'encouraged', next.encouraged);
  if (document.get('timestamp') !== next.timestamp) document.set('timestamp', next.timestamp);
  setList(document, 'constraint_ids', next.constraint_ids);
  const written = document.toString({ lineWidth: 0 });
  const { value } = parseGuidance(written, file);
  return JSON.stringify(plain(value)) === JSON.stringify(plain(next))
    ? { ok: true, value: written }
    : refused(file, 'it cannot be changed without losing parts of it');
};

/** Lists without their order: remaining items keep their place in the file. */
const plain = ({ forbidden, encouraged, timestamp, constraint_ids }: Guidance) => [
  forbidden.map(itemText).toSorted(),
  encouraged.map(itemText).toSorted(),
  timestamp,
  constraint_ids.toSorted(),
];

const refused = (file: string, why: string): Checked<string> => ({
  ok: false,
  faults: [
    {
      code: 'guidance-file',
      what: `the file was left unchanged: ${why}`,
      where: file,
      hint: 'correct it with `ralph-tui guidance edit`',
    },
  ],
});

/** Updates a list to the wanted items: deletes the others, appends new ones, keeps place and comments of the rest. */
const setList = (document: Document, key: string, wanted: readonly GuidanceItem[]): void => {
  const node = document.get(key, true);
  if (!isSeq(node)) {
    if (wanted.length > 0 || !document.has(key)) document.set(key, blockList(document, wanted));
    return;
  }
  const left = new Set(wanted.map((item) => JSON.stringify(item)));
  node.items = node.items.filter((item) => left.delete(jsonOfItem(document, item)));
  for (const item of wanted) if (left.has(JSON.stringify(item))) node.items.push(document.createNode(item));
  if (node.items.length > 0 && node.flow === true && wanted.length > 3) node.flow = false;
};

const blockList = (document: Document, wanted: readonly GuidanceItem[]): YAMLSeq => {
  const list = new YAMLSeq();
  for (const item of wanted) list.items.push(document.createNode(item));
  list.flow = wanted.length === 0;
  return list;
};

/** The JSON of an item as `parseGuidance` reads it. */
const jsonOfItem = (document: Document, item: unknown): string => {
  const value = isNodeWithJson(item) ? item.toJS(document) : item;
  return JSON.stringify(typeof value === 'string' ? value.trim() : value);
};

const isNodeWithJson = (item: unknown): item is { readonly toJS: (document: Document) => unknown } =>
  typeof item === 'object' && item !== null && 'toJS' in item;
