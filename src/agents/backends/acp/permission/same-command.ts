/**
 * Whether two shell lines run the same: equal as they stand, or once the quotes of plain words are gone and the line of `sh -c` stands for itself. Codex asks
 * with the whole argv of its shell for a line that it announced bare. Whatever a shell would expand is compared as it stands.
 */
export const isSameCommand = (one: string, other: string): boolean => normal(one) === normal(other);

const normal = (line: string): string => {
  const words = plainWords(line);
  if (words === null) return line.trim();
  const [program = '', flag = '', script, ...more] = words;
  if (isShell.test(program) && isScriptFlag.test(flag) && script !== undefined && more.length === 0)
    return normal(script);
  return JSON.stringify(words);
};

const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/u;
/** `-c`, and `-lc` for a login shell. */
const isScriptFlag = /^-l?c$/u;

/** A piece of a word that no shell expands: in single quotes, in double ones, escaped, or bare. */
const piece = /'([^']*)'|"([^"\\$`!]*)"|\\([^\n])|([\w@%+=:,./-]+)|([ \t]+)/uy;

/** The words of a line, or `null` where a shell would do more than split it. */
const plainWords = (line: string): readonly string[] | null => {
  const words: string[] = [];
  let word: string | null = null;
  piece.lastIndex = 0;
  const text = line.trim();
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    if (found === null) return null;
    const [, single, double, escaped, bare, blank] = found;
    if (blank === undefined) word = `${word ?? ''}${single ?? double ?? escaped ?? bare ?? ''}`;
    else {
      if (word !== null) words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return words;
};
