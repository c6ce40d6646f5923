import type { ErrorCode } from 'yaml';

/** What is wrong with a YAML text, and what to write instead. */
interface YamlWords {
  readonly what: string;
  readonly hint?: string;
}

/** Words for the errors whose own ones name parts of the parser. */
const known: Partial<Record<ErrorCode, YamlWords>> = {
  BLOCK_AS_IMPLICIT_KEY: { what: 'the text after the first colon contains another one' },
  BAD_SCALAR_START: { what: 'a text without quotes must not begin with this character' },
  TAB_AS_INDENT: { what: 'the line is indented with a tab', hint: 'indent with spaces' },
  BAD_DQ_ESCAPE: {
    what: 'a backslash in double quotes begins an escape that YAML does not know',
    hint: 'write \\\\ for a backslash, or use single quotes',
  },
  MULTILINE_IMPLICIT_KEY: { what: 'a text continues over several lines where a key should be' },
};

/** `key: value` of a line, and of a map in braces where the value has a colon of its own. */
const plainValue = /^\s*((?:-\s+)*[\w.-]+:)[ \t]+(\S.*?)\s*$/;
const valueInBraces = /([\w.-]+:)[ \t]+([^,{}[\]"']{1,200}?:(?:[ \t][^,{}[\]"']{0,200}?)?)[ \t]*(?=[,}])/;

/** Errors that a text without quotes, or with some around a part of it, makes. */
const ofText: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_SCALAR_START',
  'BLOCK_IN_FLOW',
  'UNEXPECTED_TOKEN',
]);

/** The words for an error of the parser on `line`, the text of its line. */
export const yamlWords = (code: ErrorCode, message: string, line: string): YamlWords => {
  const words = known[code] ?? { what: inSmall(message.split('\n', 1)[0] ?? message) };
  if (words.hint !== undefined || !ofText.has(code)) return words;
  const [, key, value = ''] = (code === 'BLOCK_IN_FLOW' ? valueInBraces : plainValue).exec(line) ?? [];
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && !/:(?:\s|$)/.test(value))
    return {
      what: 'the lines below a text are indented as if they were a map in it',
      hint: 'write the key with `|` and the text of several lines below it, or remove the indent',
    };
  // A whole list or map that goes wrong is no text.
  if (key === undefined || value.length > longest || /^[|>{]/.test(value)) return words;
  return { what: ofValue[code] ?? words.what, hint: `put the text in quotes: ${key} ${quoted(value)}` };
};

/** Words that are true where a value is to blame. */
const ofValue: Partial<Record<ErrorCode, string>> = {
  BLOCK_IN_FLOW: 'a text in braces contains a colon',
  UNEXPECTED_TOKEN: 'there is more text behind the value',
};

/** Characters of a value that a hint repeats. */
const longest = 200;

const quoted = (text: string): string =>
  /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;

const inSmall = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
