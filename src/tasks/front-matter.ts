import type { Fault, Parsed } from '../base/fault.ts';
import { isRecord } from '../base/json.ts';
import { editYaml, formatYaml } from './yaml-edit.ts';
import { parseYaml, type YamlText } from './yaml-text.ts';

/** The YAML between two `---` lines at the start of a markdown file, and the text after it. */
interface FrontMatter {
  /** An empty map when there is none or it is unreadable. */
  readonly data: Readonly<Record<string, unknown>>;
  /** `null` without front matter. */
  readonly yaml: YamlText | null;
  readonly body: string;
  /** The number of lines before the body, for problems that name a line of the file. */
  readonly bodyLine: number;
}

const limits = { size: 65_536, depth: 16 };

/** Reads front matter as YAML only: `---js` and similar forms become a problem and never run. */
export const parseFrontMatter = (text: string, file: string): Parsed<FrontMatter> => {
  const parts = cut(text);
  if (parts === null)
    return { value: { data: {}, yaml: null, body: withoutMark(text), bodyLine: 0 }, problems: [] };
  const { matter, body } = parts;
  const bodyLine = text.slice(0, text.length - body.length).split(/\r\n|\n|\r/).length - 1;
  if (parts.language !== '') {
    const what = `front matter written in ${parts.language.slice(0, 20)} is not supported`;
    const fault: Fault = { code: 'front-matter-language', what, where: `${file}:1`, hint: 'use plain ---' };
    return { value: { data: {}, yaml: null, body, bodyLine }, problems: [fault] };
  }
  // The line break of the opening fence is kept, so that line numbers match the file.
  const read = parseYaml(`\n${matter}`, file, limits);
  const data = read.value.value;
  if (isRecord(data)) return { value: { data, yaml: read.value, body, bodyLine }, problems: read.problems };
  const problems = [...read.problems];
  if (data !== null) {
    problems.push({ code: 'front-matter-shape', what: 'front matter must be a map', where: `${file}:1` });
  }
  return { value: { data: {}, yaml: read.value, body, bodyLine }, problems };
};

/** Formats a file with front matter. Leaves out keys whose value is `undefined`. */
export const formatFrontMatter = (data: Readonly<Record<string, unknown>>, body: string): string =>
  `---\n${formatYaml(data)}---\n${body}`;

/**
 * Sets keys in the front matter (`undefined` removes one) and keeps comments, unknown keys and the body. A text without readable
 * front matter gets a new one at its start.
 */
export const editFrontMatter = (text: string, changes: Readonly<Record<string, unknown>>): string => {
  const parts = cut(text);
  if (parts === null) return formatFrontMatter(changes, withoutMark(text));
  if (parts.language !== '') return formatFrontMatter(changes, parts.body);
  return `${parts.open}${editYaml(parts.matter, changes)}${parts.close}${parts.body}`;
};

interface Parts {
  readonly open: string;
  readonly language: string;
  readonly matter: string;
  readonly close: string;
  readonly body: string;
}

const cut = (text: string): Parts | null => {
  const open = /^\uFEFF?---[ \t]*([^\s-]\S*)?[ \t]*(?:\r\n|\n|\r)/.exec(text);
  if (!open) return null;
  const rest = text.slice(open[0].length);
  const close = /(?:^|(?<=[\r\n]))---[ \t]*(?:\r\n|\n|\r|$)/.exec(rest);
  if (!close) return null;
  return {
    open: open[0],
    language: open[1] ?? '',
    matter: rest.slice(0, close.index),
    close: close[0],
    body: rest.slice(close.index + close[0].length),
  };
};

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
