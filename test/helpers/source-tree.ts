import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The repository's root. */
export const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments, strings and regular expressions blanked: what is left is code. */
  readonly code: string;
  /** Module specifiers as they are written; `dynamic` for `import()`. */
  readonly imports: readonly { readonly specifier: string; readonly dynamic: boolean }[];
}

/** The files below folders of the root whose names match, relative to the root and with forward slashes. */
export const filesBelow = (folders: readonly string[], name: RegExp): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.split(sep).join('/')}`)
      .filter((path) => name.test(path)),
  );

let sources: readonly SourceFile[] | null = null;

/** Every TypeScript file of the program: `src`, `components`, `hooks`. A worker reads them once for all tests. */
export const readSources = (): readonly SourceFile[] => {
  sources ??= filesBelow(['src', 'components', 'hooks'], /\.tsx?$/).map(readSource);
  return sources;
};

/** A file of the repository as a source. */
export const readSource = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), 'utf8');
  let code: string | null = null;
  const statics = [...text.matchAll(/^(?:import|export)\b[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)];
  const dynamics = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)];
  return {
    path,
    text,
    // Most tests ask for the code of a few.
    get code() {
      code ??= blank(text);
      return code;
    },
    imports: [
      ...statics.map((match) => ({ specifier: match[1] ?? match[2] ?? '', dynamic: false })),
      ...dynamics.map((match) => ({ specifier: match[1] ?? '', dynamic: true })),
    ],
  };
};

/** Where a relative import leads, relative to the root; `null` for packages and `node:` modules. */
export const resolveImport = (from: string, specifier: string): string | null =>
  specifier.startsWith('.')
    ? relative(root, join(root, dirname(from), specifier))
        .split(sep)
        .join('/')
    : null;

const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{};+\n>]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** Blanks what is not code; the text parts of a template literal go, its `${…}` expressions stay. */
const blank = (text: string): string =>
  blankTemplates(text.replace(tokens, (found) => found.replace(/[^\n]/g, ' ')));

/** An escape, the signs that open and close, and all between them in one piece. */
const pieces = /\\[\s\S]|`|\$\{|[{}]|[^\\`${}]+|\$/g;

const blankTemplates = (text: string): string => {
  // One entry an open template: how deep its current `${` is nested, 0 while in its text.
  const open: number[] = [];
  return text.replace(pieces, (piece) => {
    const depth = open.at(-1);
    if (depth === 0) {
      if (piece === '`') open.pop();
      else if (piece === '${') open[open.length - 1] = 1;
      return piece.replace(/[^\n]/g, ' ');
    }
    if (piece === '`') {
      open.push(0);
      return ' ';
    }
    if (depth !== undefined && piece.endsWith('{')) open[open.length - 1] = depth + 1;
    if (depth !== undefined && piece === '}') open[open.length - 1] = depth - 1;
    return piece;
  });
};

const comments = /^\/[*/]/;

/** The text of a source that may be shown to a person: strings, templates and the words between tags, each where it stands; the rest is blank. */
export const shownText = ({ path, text, code }: Pick<SourceFile, 'path' | 'text' | 'code'>): string => {
  const said = text.replace(tokens, (found) => (comments.test(found) ? found.replace(/[^\n]/g, ' ') : found));
  const strings = [...said].length === said.length ? said.split('') : [...said];
  const shown = strings.map((char, at) => (char === '\n' || code.charAt(at).trim() === '' ? char : ' '));
  if (path.endsWith('.tsx'))
    for (const { 0: words, index } of said.matchAll(/(?<=>)[^<>{}=;]*[a-z][^<>{}=;]*(?=<)/g))
      shown.splice(index, words.length, ...words.split(''));
  return shown.join('');
};
