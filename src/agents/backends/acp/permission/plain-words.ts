/** A piece of a line that no shell expands: a word in single quotes, in double ones, escaped, or bare; blanks; what joins two programs. */
const piece = /'([^']*)'|"([^"\\$`!]*)"|\\([^\n])|([\w@%+=:,./-]+)|([ \t]+)|(&&|\|\|?|;)/uy;

/** The words of one program of a line. */
interface PlainProgram {
  readonly words: readonly string[];
  /** The sign that joins the next one to it; `null` at the end of the line. */
  readonly joint: string | null;
}

/** The programs of a shell line, or `null` where a shell would do more than split and join them. */
export const plainPrograms = (line: string): readonly PlainProgram[] | null => {
  const before: PlainProgram[] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  piece.lastIndex = 0;
  const text = line.trim();
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    if (found === null) return null;
    const [, single, double, escaped, bare, blank, joint] = found;
    if (blank !== undefined) endWord();
    else if (joint !== undefined) {
      endWord();
      before.push({ words, joint });
      words = [];
    } else word = `${word ?? ''}${single ?? double ?? escaped ?? bare ?? ''}`;
  }
  endWord();
  return [...before, { words, joint: null }];
};

/** The script of `sh -c`, however deep; any other line itself. */
export const innerLine = (line: string): string => {
  const [first, second] = plainPrograms(line) ?? [];
  const [program = '', flag = '', script, ...more] = first?.words ?? [];
  const isWrapped =
    second === undefined && isShell.test(program) && isScriptFlag.test(flag) && more.length === 0;
  return isWrapped && script !== undefined ? innerLine(script) : line.trim();
};

const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/u;
/** `-c`, and `-lc` for a login shell. */
const isScriptFlag = /^-l?c$/u;
