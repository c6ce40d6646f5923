/** The search does not follow shells in shells beyond this depth. */
const deepest = 4;

/**
 * The simple commands of a shell line, each with quotes resolved and blanks collapsed: the parts of `a && b | c; d`, the script of `sh -c '…'`, the
 * content of `$(…)` and backticks. Strips variables, `sudo`, `env` and the path of the program. A guard, not a parser: it errs towards more commands.
 */
export const simpleCommands = (line: string, depth = 0): readonly string[] => {
  if (depth > deepest) return [];
  const { commands, nested } = split(line);
  const own = commands.map(bare).filter((words) => words.length > 0);
  return [
    ...own.map((words) => words.join(' ')),
    ...nested.flatMap((inner) => simpleCommands(inner, depth + 1)),
    ...own.flatMap((words) => {
      const script = shellScript(words);
      return script === null ? [] : simpleCommands(script, depth + 1);
    }),
  ];
};

const token =
  /\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\|\||&&|[;|&\n(){}])|(\s+)|([^\s;|&(){}'"`\\$]+|.)/gs;

const split = (
  line: string,
): { readonly commands: readonly (readonly string[])[]; readonly nested: readonly string[] } => {
  const commands: string[][] = [[]];
  const nested: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (const [, substitution, ticks, single, double, escaped, operator, blank, rest] of line.matchAll(
    token,
  )) {
    if (blank !== undefined) endWord();
    else if (operator !== undefined) {
      endWord();
      commands.push([]);
    } else {
      const inner = substitution ?? ticks;
      if (inner !== undefined) nested.push(inner);
      if (double !== undefined)
        for (const [, deep, deepTicks] of double.matchAll(/\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`/g))
          nested.push(deep ?? deepTicks ?? '');
      word = `${word ?? ''}${inner ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? rest ?? ''}`;
    }
  }
  endWord();
  return { commands, nested };
};

const wrappers = new Set([
  'sudo',
  'env',
  'command',
  'exec',
  'nohup',
  'time',
  'nice',
  'xargs',
  'then',
  'do',
  'else',
  '!',
]);

/** The words from the program on, with the program's path stripped. */
const bare = (words: readonly string[]): readonly string[] => {
  let at = 0;
  while (at < words.length && (wrappers.has(words[at] ?? '') || /^(?:\w+=|-)/.test(words[at] ?? ''))) at += 1;
  const [program = '', ...rest] = words.slice(at);
  if (program === '') return [];
  const name = program.slice(program.lastIndexOf('/') + 1) || program;
  return [name, ...(name === 'git' ? withoutGitOptions(rest) : rest)];
};

/** `git -C dir -c a=b push` is a push. */
const withoutGitOptions = (words: readonly string[]): readonly string[] => {
  let at = 0;
  while (words[at]?.startsWith('-')) at += words[at] === '-C' || words[at] === '-c' ? 2 : 1;
  return words.slice(at);
};

const shellScript = ([program = '', ...rest]: readonly string[]): string | null => {
  if (program === 'eval') return rest.join(' ');
  if (!/^(?:ba|da|z|k|a)?sh$/.test(program)) return null;
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return at < 0 ? null : (rest[at + 1] ?? null);
};
