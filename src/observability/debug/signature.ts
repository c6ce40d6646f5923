import type { DebugRecord } from './debug-record.ts';

/** What two records of the same error have in common: `category:name:type:message`, the message without what differs between runs. */
export const signatureOf = ({
  type,
  name,
  error_type,
  error,
}: Pick<DebugRecord, 'type' | 'name' | 'error_type' | 'error'>): string =>
  `${type}:${name}:${error_type ?? ''}:${normalised(error ?? '')}`;

/** The order matters: a path holds numbers, and a time holds more of them. */
const rules: readonly (readonly [form: RegExp, name: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [
    /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z\b|[+-]\d{2}:?\d{2}\b|(?:UTC|GMT|CES?T|[ECMP][SD]T)\b))?/g,
    '<time>',
  ],
  // In the home, a temporary or any other directory; never the path of an address.
  [/(?<![\w:/.~-])(?:~|[A-Za-z]:)?(?:[\\/][^\s\\/:'"`<>()[\]{},;|]+)+[\\/]?/g, '<path>'],
  // A letter and a digit: a number alone is a number, however long.
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, '<hex>'],
  [
    /\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|B|[kKMGT]i?B|bytes?)\b/g,
    '<amount>',
  ],
  [/"[^"\n]{41,}"|'[^'\n]{41,}'|`[^`\n]{41,}`/g, '<text>'],
  [/\b\d+(?:\.\d+)?\b/g, '<n>'],
];

/** Characters of a message that count. */
const longest = 500;

const normalised = (message: string): string =>
  rules
    .reduce((text, [form, name]) => text.replace(form, name), message.slice(0, longest * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest);
