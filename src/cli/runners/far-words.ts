/** A session of another machine as a person names it: `gpu:260215-101500`, its beginning, or `gpu:latest`. */
export interface FarName {
  readonly runner: string;
  readonly id: string;
}

const farName = /^([a-z][a-z0-9_-]{0,30}):(\d{4,6}(?:-\d{0,6})?|latest)$/u;

/** Reads such a name; `null` for everything else. */
export const parseFarName = (word: string): FarName | null => {
  const [, runner, id] = farName.exec(word) ?? [];
  return runner === undefined || id === undefined ? null : { runner, id };
};

/** A command about a session of another machine: the name, and the words for the program there with `session` in its place. */
export interface FarCommand {
  readonly name: FarName;
  readonly words: (session: string) => readonly string[];
}

/** Finds the session of another machine in a command line: after `--session`, or as what `attach` shows and `resume` continues. */
export const farCommand = (argv: readonly string[]): FarCommand | null => {
  const end = argv.indexOf('--');
  for (const [index, word] of argv.entries()) {
    if (end >= 0 && index >= end) return null;
    const isOption = argv[index - 1] === '--session';
    const value = word.startsWith('--session=') ? word.slice('--session='.length) : word;
    const isNamed = isOption || value !== word || ['attach', 'resume'].includes(argv.slice(0, index).join());
    const name = isNamed ? parseFarName(value) : null;
    if (name !== null)
      return {
        name,
        words: (session) => argv.with(index, value === word ? session : `--session=${session}`),
      };
  }
  return null;
};
